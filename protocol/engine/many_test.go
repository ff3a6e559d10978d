package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/hostile/corpus"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

const (
	manyValues   = 60_000
	manyBytes    = 4 << 20 // about what they take in a message
	manyFor      = 100 * time.Millisecond
	manyUnseen   = 800 * time.Millisecond // of computing; on a quiet machine it is a quarter of that
	manyAttempts = 3
)

// computing is a context that ends when the process has computed for some time, and notes
// how long nobody looked at it.
type computing struct {
	context.Context
	last, longest, until time.Duration
}

func (c *computing) Err() error {
	now := cputime.Own()
	c.longest, c.last = max(c.longest, now-c.last), now
	if now > c.until {
		return context.DeadlineExceeded
	}
	return nil
}

// Grown is asked while answers are written.
func (c *computing) Grown(int) error { return c.Err() }

// ways are how a traversal reaches the engine: as bytecode, and as text in each language.
var ways = []string{"", languageLang, languageGroovy}

// TestHostile_Values sends very many values of each kind, in every form that makes one value
// of them, to every place where a value may stand, and has the answer written: nothing of
// that goes on for long without a look at the clock. What no text can say is sent as bytecode.
func TestHostile_Values(t *testing.T) {
	e := open(t)
	for i, kind := range corpus.Kinds() {
		one, ok := corpus.Sample(kind, 1)
		if !ok {
			continue
		}
		n := manyValues
		if b, err := graphbinary.AppendValue(nil, one, nil); err == nil {
			n = min(n, manyBytes/max(len(b), 1))
		}
		sample := func(i int) value.Value { v, _ := corpus.Sample(kind, i); return v }
		for j, place := range corpus.Places {
			if raced.Skips(i+j, 12*len(corpus.Places)) || raced.Leaves(i+j, 2*len(corpus.Places)) {
				continue
			}
			form := corpus.Forms[(i+3*j)%len(corpus.Forms)]
			code := place.Make(form.Make(sample, n))
			for k, language := range ways {
				if raced.Leaves(i+k, len(ways)) {
					continue
				}
				q := &contract.Query{Bytecode: code, Source: "g"}
				if text := lang.Print(code); language != "" && !strings.Contains(text, "<") {
					q = query(language, text)
				}
				what := fmt.Sprintf("%d %s as %s in %s (%s)", n, kind, form.Name, place.Name, q.Language)
				if unseen, err := unseenBy(t, e, q); unseen > manyUnseen {
					t.Errorf("%s: the context was not looked at for %v (%.80v)", what, unseen, err)
				}
			}
		}
	}
}

// unseenBy returns for how long a query runs without a look at its context, at best.
func unseenBy(t *testing.T, e *Engine, q *contract.Query) (least time.Duration, err error) {
	for try := 0; try == 0 || try < manyAttempts && least > manyUnseen; try++ {
		q.Account = account.New(nil, "queryMemory", 64<<20)
		began := cputime.Own()
		c := &computing{Context: t.Context(), last: began, until: began + manyFor}
		work := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		err = answered(c, work, q)
		_ = c.Err()
		work.Close()
		if try == 0 || c.longest < least {
			least = c.longest
		}
	}
	return least, err
}

// answered runs a query and writes what it yields.
func answered(ctx *computing, work contract.Work, q *contract.Query) error {
	it, err := work.Run(ctx, q)
	if err != nil {
		return err
	}
	defer it.Close()
	return each(it, func(b value.Bulked) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, err := graphbinary.Codec{}.AppendItem(nil, 0, b.Value, message.ItemOptions{Meter: ctx})
		return err
	})
}
