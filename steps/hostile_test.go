package steps_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/hostile/corpus"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// What a hostile traversal may cost. Times are of computing, and the best of some
// attempts counts, so that a busy machine is no fault.
const (
	unseenMax    = 150 * time.Millisecond * slowdown // between two looks at the context
	attempts     = 4
	looks        = 4 // at the context, until it ends
	manyLooks    = 1000
	hungAfter    = 2 * time.Minute
	keptMax      = 512 << 10 // bytes that a request may keep
	inUseMax     = 4 * keptMax
	keptTexts    = 4800 // more than twice what may be in use
	keptTextSize = 1 << 10
)

// watched is a context that ends when it was looked at some times, and notes how long
// nobody looked at it.
type watched struct {
	context.Context
	left          int
	last, longest time.Duration
}

func (w *watched) Err() error {
	now := cputime.Own()
	w.longest, w.last = max(w.longest, now-w.last), now
	if w.left--; w.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// hostile runs bytecode in a registry of steps.
type hostile struct {
	t        *testing.T
	g        *blueprints.Graph
	registry *traversal.Registry
}

func newHostile(t *testing.T, more ...*traversal.Spec) *hostile {
	g, err := queryhost.New(t).Get(t.Context(), "grateful")
	if err != nil {
		t.Fatal(err)
	}
	specs := steps.Registry().Map(func(s *traversal.Spec) *traversal.Spec { return s })
	return &hostile{t: t, g: g, registry: traversal.NewRegistry(append(specs, more...)...)}
}

// TestHostile_Time runs every step on sources without end and of great size, with
// arguments as many and as large as requests can hold. A step that works for long
// without a look at the clock fails here, also a new one.
func TestHostile_Time(t *testing.T) {
	h := newHostile(t)
	sources, arguments := corpus.Sources(), corpus.Arguments()
	for i, step := range h.registry.Names() {
		for j, source := range sources {
			for k, args := range arguments {
				if raced.Skips(i+j+k, 12) || raced.Leaves(i+j+k, 4) {
					continue
				}
				what := fmt.Sprintf("%s of %s behind %s", step, args.Name, source.Name)
				if unseen, err := h.unseen(what, corpus.Behind(source.Of, step, args.Of)); unseen > unseenMax {
					t.Errorf("%s: the context was not looked at for %v (%.80v)", what, unseen, err)
				}
			}
		}
	}
}

// unseen returns for how long bytecode runs without a look at its context.
func (h *hostile) unseen(what string, b *traversal.Bytecode) (least time.Duration, err error) {
	defer watch(what)()
	least = math.MaxInt64
	for try := 0; try < attempts && least > unseenMax; try++ {
		w := &watched{Context: h.t.Context(), left: looks, last: cputime.Own()}
		err = h.run(w, account.New(nil, "queryMemory", 64<<20), b, func() {})
		_ = w.Err()
		least = min(least, w.longest)
	}
	return least, err
}

// watch panics when what is not ended by a call of what it returns before it has computed
// for too long.
func watch(what string) (end func()) {
	began, ended := cputime.Own(), make(chan struct{})
	go func() {
		tick := time.NewTicker(hungAfter)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				if began == 0 || cputime.Own()-began > hungAfter {
					panic(what + ": does not end")
				}
			}
		}
	}()
	return func() { close(ended) }
}

// TestHostile_Configured does the same with every strategy and source option, in every
// configuration, before traversals that they make the most of.
func TestHostile_Configured(t *testing.T) {
	h := newHostile(t)
	options, configured := append(corpus.Strategies(), corpus.SourceOptions()...), corpus.Configured()
	for i, o := range options {
		for j, c := range configured {
			if (i+j)%configuredEvery != 0 || raced.Skips(i-j, 12) || raced.Leaves((i+j)/configuredEvery, 3) {
				continue
			}
			what := fmt.Sprintf("%s before %s", o.Name, c.Name)
			if unseen, err := h.unseen(what, &traversal.Bytecode{Source: o.Of, Steps: c.Of}); unseen > unseenMax {
				t.Errorf("%s: the context was not looked at for %v (%.80v)", what, unseen, err)
			}
		}
	}
}

// configuredEvery leaves out pairs that others stand for.
const configuredEvery = 3

// TestHostile_Memory sends every step more than a request may keep: what it keeps
// without a charge stays in use.
func TestHostile_Memory(t *testing.T) {
	h := newHostile(t)
	source := []traversal.Instruction{instruction("inject", value.List(many(keptTexts, name))), instruction("unfold"),
		instruction("concat", value.String(strings.Repeat("a", keptTextSize)))}
	arguments := corpus.Arguments()[:5]
	for i, step := range h.registry.Names() {
		for j, args := range arguments {
			if raced.Skips(i+j, len(arguments)) || raced.Leaves(i+j, len(arguments)) {
				continue
			}
			what := fmt.Sprintf("%s of %s", step, args.Name)
			if grown, charged, err := h.grown(corpus.Behind(source, step, args.Of)); grown > inUseMax {
				t.Errorf("%s: %d bytes are in use, %d were charged (%.80v)", what, grown, charged, err)
			}
		}
	}
}

// grown returns the most bytes that a run has in use, at its first result or its end.
func (h *hostile) grown(b *traversal.Bytecode) (most, charged int64, err error) {
	memory := account.New(nil, "queryMemory", keptMax)
	before := inUse(0)
	w := &watched{Context: h.t.Context(), left: manyLooks} // repeat() has no end
	err = h.run(w, memory, b, func() {
		most, charged = max(most, inUse(before+inUseMax)-before), max(charged, memory.Used())
	})
	return most, charged, err
}

// inUse returns the bytes in use: with garbage, unless they are more than enough.
func inUse(enough int64) int64 {
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); int64(m.HeapAlloc) <= enough {
		return int64(m.HeapAlloc)
	}
	return heap.InUse()
}

// run runs bytecode to its end or that of its context. look is called when the first
// results are there, and at the end.
func (h *hostile) run(ctx context.Context, memory *account.Account, b *traversal.Bytecode, look func()) error {
	tx, err := begin(h.t.Context(), h.g, false)
	if err != nil {
		return err
	}
	defer tx.Close()
	m := &traversal.Meter{Ctx: ctx, Account: memory}
	plan, err := traversal.Compile(m, h.registry, b)
	if err != nil {
		return err
	}
	if plan, err = strategy.Apply(m, h.registry, plan, tx); err != nil {
		return err
	}
	run := &traversal.Run{}
	err = run.Open(plan, traversal.Env{Ctx: ctx, Registry: h.registry, View: tx, Mutator: tx, Account: memory})
	var out traversal.Batch
	for first := true; err == nil; first = false {
		out.Clear()
		if err = run.Next(&out, 64); out.Len() == 0 || ctx.Err() != nil {
			break
		}
		if first {
			look()
		}
	}
	look()
	runtime.KeepAlive(run)
	return err
}

// TestHostile_Notices has steps that forget the clock and the account.
func TestHostile_Notices(t *testing.T) {
	if cputime.Own() == 0 {
		t.Skip("the time of computing is not known here")
	}
	var kept []value.Value
	step := func(name string, f func(v value.Value)) *traversal.Spec {
		return &traversal.Spec{Name: name, Kind: traversal.MapStep, Open: func(_ *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
			return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
				f(t.Value)
				return t.Value, true, nil
			}), nil
		}}
	}
	h := newHostile(t,
		step("slow", func(value.Value) {
			for end := cputime.Own() + 2*unseenMax; cputime.Own() < end; {
			}
		}),
		step("greedy", func(v value.Value) { kept = append(kept, value.String(strings.Repeat(v.Str(), keptTextSize/4))) }))
	if unseen, err := h.unseen("slow", corpus.Behind([]traversal.Instruction{instruction("inject", value.Int(1))}, "slow", nil)); unseen < unseenMax {
		t.Errorf("slow: %v without a look at the context (%v)", unseen, err)
	}
	source := []traversal.Instruction{instruction("inject", value.List(many(keptTexts, name))), instruction("unfold")}
	if grown, _, err := h.grown(corpus.Behind(source, "greedy", nil)); grown < inUseMax {
		t.Errorf("greedy: %d bytes in use (%v)", grown, err)
	}
	runtime.KeepAlive(kept)
}
