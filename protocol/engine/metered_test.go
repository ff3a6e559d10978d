package engine

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/hostile/corpus"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script"
)

// watched is a context that notes how long nobody looked at it, in computing time, and
// ends soon.
type watched struct {
	context.Context
	last, longest time.Duration
	until         time.Time
}

func (w *watched) Err() error {
	now := cputime.Own()
	w.longest, w.last = max(w.longest, now-w.last), now
	if time.Now().After(w.until) {
		return context.DeadlineExceeded
	}
	return nil
}

// graphTables are the methods that need a graph, which package script has none of: its
// own test calls the others.
var graphTables = []string{"graphs", "variables", "configurations", "computers", "results", "memories", "effects"}

const (
	meteredUnseen = 400 * time.Millisecond
	meteredFor    = 100 * time.Millisecond
	meteredMemory = 64 << 20
	messageMax    = 4 << 10
)

// TestMethodsOfGraphsAreMetered calls every built-in method of the graphs that scripts open, and
// of what belongs to them, with arguments of all kinds, and the statics that open them:
// each looks at the context, keeps no more than is charged, and has brief errors.
func TestMethodsOfGraphsAreMetered(t *testing.T) {
	e := open(t)
	builtins := script.Builtins()
	var texts []string
	for _, table := range graphTables {
		for _, name := range builtins[table] {
			for _, on := range corpus.Receivers(table) {
				for _, args := range corpus.Operands() {
					texts = append(texts, fmt.Sprintf("x = %s; x.%s(%s)", on, name, args))
				}
			}
		}
	}
	if len(texts) < 200 {
		t.Fatalf("only %d calls: have the tables other names?", len(texts))
	}
	for i, text := range texts {
		if raced.Skips(i, 4) || raced.Leaves(i, 5) {
			continue
		}
		memory := account.New(nil, "queryMemory", meteredMemory)
		w := &watched{Context: t.Context(), last: cputime.Own(), until: time.Now().Add(meteredFor)}
		work := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		q := query("gremlin-groovy", text)
		q.Account = memory
		it, err := work.Run(w, q)
		if err == nil {
			it.Close()
		}
		_ = w.Err()
		if w.longest > meteredUnseen {
			t.Errorf("%s: the context was not looked at for %v", text, w.longest)
		}
		if err != nil && len(err.Error()) > messageMax {
			t.Errorf("%s: an error of %d bytes: %.200s", text, len(err.Error()), err)
		}
		work.Close()
	}
}
