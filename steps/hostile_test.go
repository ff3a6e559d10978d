package steps_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
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
	keptMax      = 2 << 20 // bytes that a request may keep
	inUseMax     = 4 * keptMax
	keptTexts    = 8000
	keptTextSize = 2 << 10
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

// part is some instructions, or the arguments of one, by name.
type part[T any] struct {
	name string
	of   []T
}

// doubled is one object that stands for 2^60.
func doubled(more ...traversal.Instruction) []traversal.Instruction {
	return append([]traversal.Instruction{instruction("inject", value.Int(1)),
		instruction("repeat", child("union", child("identity"), child("identity"))), instruction("times", value.Int(60))}, more...)
}

// hostileSources are what comes to a step: without end, in bulk, and large.
func hostileSources() []part[traversal.Instruction] {
	type steps = []traversal.Instruction
	all := instruction("V")
	return []part[traversal.Instruction]{
		{"endless", steps{instruction("inject", value.Int(1)), instruction("repeat", child("identity")), instruction("emit")}},
		{"distinct", steps{instruction("inject", value.Long(1)), instruction("as", value.String("a")),
			instruction("repeat", bytecode(instruction("math", value.String("_+1")), instruction("as", value.String("a")))), instruction("emit")}},
		{"bulk", doubled()},
		{"bulkset", doubled(instruction("aggregate", value.String("x")), instruction("cap", value.String("x")))},
		{"product", steps{all, all, all, all, all, all}},
		{"list", steps{instruction("inject", value.List(many(1_000_000, func(i int) value.Value { return value.Int(int32(i)) })))}},
		{"text", steps{instruction("inject", value.String(strings.Repeat("a, ", 1_000_000)))}},
	}
}

// hostileArguments are what a step is called with.
func hostileArguments() []part[value.Value] {
	return []part[value.Value]{
		{"nothing", nil},
		{"text", []value.Value{value.String("a")}},
		{"most", []value.Value{value.Long(math.MaxInt64)}},
		{"child", []value.Value{child("identity")}},
		{"local", []value.Value{value.Enum(value.KindScope, "local")}},
		{"list", []value.Value{value.List(many(50_000, name))}},
		{"texts", many(20_000, name)},
		{"children", many(2_000, func(int) value.Value { return child("out") })},
	}
}

// hostile runs bytecode in a registry of steps.
type hostile struct {
	t        *testing.T
	g        *blueprints.Graph
	registry *traversal.Registry
}

func newHostile(t *testing.T, more ...*traversal.Spec) *hostile {
	g, err := newGraphs(t).get(t.Context(), "grateful")
	if err != nil {
		t.Fatal(err)
	}
	specs := steps.Registry().Map(func(s *traversal.Spec) *traversal.Spec { return s })
	return &hostile{t: t, g: g, registry: traversal.NewRegistry(append(specs, more...)...)}
}

// behind returns bytecode that calls a step behind a source.
func behind(source []traversal.Instruction, step string, args []value.Value) *traversal.Bytecode {
	return &traversal.Bytecode{Steps: append(slices.Clone(source), instruction(step, args...))}
}

// TestHostile_Time runs every step on sources without end and of great size, with
// arguments as many and as large as requests can hold. A step that works for long
// without a look at the clock fails here, also a new one.
func TestHostile_Time(t *testing.T) {
	h := newHostile(t)
	sources, arguments := hostileSources(), hostileArguments()
	for _, step := range h.registry.Names() {
		for _, source := range sources {
			for _, args := range arguments {
				what := fmt.Sprintf("%s of %s behind %s", step, args.name, source.name)
				if unseen, err := h.unseen(what, behind(source.of, step, args.of)); unseen > unseenMax {
					t.Errorf("%s: the context was not looked at for %v (%.80v)", what, unseen, err)
				}
			}
		}
	}
}

// unseen returns for how long bytecode runs without a look at its context.
func (h *hostile) unseen(what string, b *traversal.Bytecode) (least time.Duration, err error) {
	hung := time.AfterFunc(hungAfter, func() { panic(what + ": does not end") })
	defer hung.Stop()
	least = math.MaxInt64
	for try := 0; try < attempts && least > unseenMax; try++ {
		w := &watched{Context: h.t.Context(), left: looks, last: cputime.Own()}
		err = h.run(w, account.New(nil, "queryMemory", 64<<20), b, func() {})
		_ = w.Err()
		least = min(least, w.longest)
	}
	return least, err
}

// TestHostile_Memory sends every step more than a request may keep: what it keeps
// without a charge stays in use.
func TestHostile_Memory(t *testing.T) {
	h := newHostile(t)
	source := []traversal.Instruction{instruction("inject", value.List(many(keptTexts, name))), instruction("unfold"),
		instruction("concat", value.String(strings.Repeat("a", keptTextSize)))}
	arguments := hostileArguments()[:5]
	for _, step := range h.registry.Names() {
		for _, args := range arguments {
			what := fmt.Sprintf("%s of %s", step, args.name)
			if grown, charged, err := h.grown(behind(source, step, args.of)); grown > inUseMax {
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
	if runtime.ReadMemStats(&m); int64(m.HeapAlloc) > enough {
		runtime.GC()
		runtime.ReadMemStats(&m)
	}
	return int64(m.HeapAlloc)
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
	if unseen, err := h.unseen("slow", behind([]traversal.Instruction{instruction("inject", value.Int(1))}, "slow", nil)); unseen < unseenMax {
		t.Errorf("slow: %v without a look at the context (%v)", unseen, err)
	}
	source := []traversal.Instruction{instruction("inject", value.List(many(keptTexts, name))), instruction("unfold")}
	if grown, _, err := h.grown(behind(source, "greedy", nil)); grown < inUseMax {
		t.Errorf("greedy: %d bytes in use (%v)", grown, err)
	}
	runtime.KeepAlive(kept)
}
