package steps_test

import (
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"strconv"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// wide are the ways in which bytecode of n parts can be long, for a step.
var wide = []struct {
	name string
	code func(step string, n int) *traversal.Bytecode
}{
	{"children", func(step string, n int) *traversal.Bytecode {
		return after(instruction(step, many(n, func(int) value.Value { return child("out", value.String("knows")) })...))
	}},
	{"labelled children", func(step string, n int) *traversal.Bytecode {
		return after(instruction("as", value.String("a")), instruction(step, many(n, func(i int) value.Value {
			return bytecode(instruction("as", name(i)), instruction("out"), instruction("as", name(i+1)), instruction("select", name(i)))
		})...), instruction("select", value.String("a")))
	}},
	{"texts", func(step string, n int) *traversal.Bytecode { return after(instruction(step, many(n, name)...)) }},
	{"numbers", func(step string, n int) *traversal.Bytecode {
		return after(instruction(step, many(n, func(i int) value.Value { return value.Int(int32(i)) })...))
	}},
	{"map", func(step string, n int) *traversal.Bytecode {
		m := value.NewMap()
		for i := range n {
			m.Put(name(i), name(i))
		}
		return after(instruction(step, m.Value()))
	}},
	{"chain", func(step string, n int) *traversal.Bytecode {
		return chained(n, func(int) []traversal.Instruction { return []traversal.Instruction{instruction(step)} })
	}},
	{"labelled chain", func(step string, n int) *traversal.Bytecode {
		return chained(n, func(i int) []traversal.Instruction {
			return []traversal.Instruction{instruction(step, name(i)), instruction("as", name(i))}
		})
	}},
	{"chain of parents", func(step string, n int) *traversal.Bytecode {
		return chained(n, func(int) []traversal.Instruction {
			return []traversal.Instruction{instruction(step, child("out")), instruction("limit", value.Int(9))}
		})
	}},
	{"by", func(step string, n int) *traversal.Bytecode { return modulated(step, n, "by", child("out")) }},
	{"option", func(step string, n int) *traversal.Bytecode {
		return modulated(step, n, "option", value.Int(1), child("out"))
	}},
	{"property", func(step string, n int) *traversal.Bytecode {
		return modulated(step, n, "property", value.String("a"), value.Int(1))
	}},
}

// TestCompilingIsLinear counts what compiling looks at for every step: ten times as many
// arguments, children, labels or steps take about ten times as much of it.
func TestCompilingIsLinear(t *testing.T) {
	const few, more = 200, 2000
	for i, w := range wide {
		for j, step := range steps.Registry().Names() {
			if raced.Skips(i+j, len(wide)) || raced.Leaves(i+j, 4) {
				continue
			}
			small, large := work(w.code(step, few)), work(w.code(step, more))
			if large > 25*small+100*more {
				t.Errorf("%s with %s: %d parts take %d, %d take %d", step, w.name, few, small, more, large)
			}
		}
	}
}

// work counts the looks that compiling takes at nodes, and the kilobytes that it makes.
func work(b *traversal.Bytecode) int {
	n := 0
	reg := steps.Counting(func() { n++ })
	before := allocated()
	// What cannot be compiled takes time as well.
	if p, err := traversal.Compile(nil, reg, b); err == nil {
		_, _ = strategy.Apply(nil, reg, p, strategy.IndexedKeys{Vertex: []string{"name"}})
	}
	return n + int((allocated()-before)>>10)
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// TestCompilingStops compiles what is large under a context that has ended and under a
// budget that is small: neither is overlooked for long.
func TestCompilingStops(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for i, w := range wide {
		if w.name == "map" {
			continue // one argument, which is there already
		}
		for j, step := range steps.Registry().Names() {
			if raced.Skips(i+j, len(wide)) || raced.Leaves(i+j, 4) {
				continue
			}
			b := w.code(step, 4000)
			if err := compiled(&traversal.Meter{Ctx: ended}, b); err == nil {
				t.Errorf("%s with %s was compiled after its context had ended", step, w.name)
			}
			err := compiled(&traversal.Meter{Ctx: t.Context(), Account: account.New(nil, "queryMemory", 10<<10)}, b)
			if err == nil {
				t.Errorf("%s with %s was compiled in a budget of 10 KiB", step, w.name)
			}
		}
	}
}

func compiled(m *traversal.Meter, b *traversal.Bytecode) error {
	p, err := traversal.Compile(m, steps.Registry(), b)
	if err == nil {
		_, err = strategy.Apply(m, steps.Registry(), p, nil)
	}
	return err
}

// TestNestedRepeatsStaySmall compiles repeat() within repeat(): written out, they would
// be as many steps as the product of their passes.
func TestNestedRepeatsStaySmall(t *testing.T) {
	body := child("out", value.String("knows"))
	for range 8 {
		body = bytecode(instruction("repeat", body), instruction("times", value.Int(64)))
	}
	b := after(instruction("repeat", body), instruction("times", value.Int(64)))
	b.Source = []traversal.Instruction{instruction("withPath")}
	memory := account.New(nil, "queryMemory", 4<<20)
	if err := compiled(&traversal.Meter{Ctx: t.Context(), Account: memory}, b); err != nil {
		t.Errorf("nested repeats: %v", err)
	}
}

// TestExplainIsBounded explains a large traversal: its text is kept once for every plan.
func TestExplainIsBounded(t *testing.T) {
	b := wide[0].code("union", 10_000)
	m := &traversal.Meter{Ctx: t.Context(), Account: account.New(nil, "queryMemory", 256<<10)}
	p, err := traversal.Compile(m, steps.Registry(), b)
	if err == nil {
		_, err = strategy.Explain(m, steps.Registry(), p, strategy.IndexedKeys{})
	}
	if !errors.Is(err, account.ErrLimit) {
		t.Errorf("explain() of a large traversal gave %v, want the budget to be exceeded", err)
	}
}

// BenchmarkCompile compiles requests of 10^2 to 10^5 parts.
func BenchmarkCompile(b *testing.B) {
	for _, c := range []struct {
		name string
		code func(n int) *traversal.Bytecode
		most int
	}{
		{"union children", func(n int) *traversal.Bytecode { return wide[0].code("union", n) }, 100_000},
		{"and children", func(n int) *traversal.Bytecode { return wide[0].code("and", n) }, 100_000},
		{"coalesce children", func(n int) *traversal.Bytecode { return wide[0].code("coalesce", n) }, 100_000},
		{"labelled children", func(n int) *traversal.Bytecode { return wide[1].code("union", n) }, 100_000},
		{"labels", func(n int) *traversal.Bytecode { return wide[2].code("as", n) }, 100_000},
		{"chain", func(n int) *traversal.Bytecode { return wide[7].code("map", n) }, traversal.StepsMax / 2},
	} {
		for n := 100; n <= 100_000; n *= 10 {
			n := min(n, c.most)
			code := c.code(n)
			b.Run(c.name+"/"+strconv.Itoa(n), func(b *testing.B) {
				began := time.Now()
				for b.Loop() {
					if err := compiled(nil, code); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(time.Since(began).Nanoseconds())/float64(b.N)/float64(n), "ns/part")
			})
			if n == c.most {
				break
			}
		}
	}
}

// after begins with inject() and goes on with steps.
func after(in ...traversal.Instruction) *traversal.Bytecode {
	return &traversal.Bytecode{Steps: append([]traversal.Instruction{instruction("inject", value.Int(1))}, in...)}
}

func instruction(name string, args ...value.Value) traversal.Instruction {
	return traversal.Instruction{Name: name, Args: args}
}

func bytecode(in ...traversal.Instruction) value.Value {
	return (&traversal.Bytecode{Steps: in}).Value()
}

func child(step string, args ...value.Value) value.Value { return bytecode(instruction(step, args...)) }

func name(i int) value.Value { return value.String(fmt.Sprintf("name%d", i)) }

func many(n int, part func(i int) value.Value) []value.Value {
	vs := make([]value.Value, n)
	for i := range vs {
		vs[i] = part(i)
	}
	return vs
}

// chained is a traversal of about n steps.
func chained(n int, link func(i int) []traversal.Instruction) *traversal.Bytecode {
	b := after()
	for i := 0; len(b.Steps) < n; i++ {
		b.Steps = append(b.Steps, link(i)...)
	}
	return b
}

// modulated is a step behind which a modulator stands n times.
func modulated(step string, n int, mod string, args ...value.Value) *traversal.Bytecode {
	b := after(instruction(step, child("out")))
	for len(b.Steps) < n {
		b.Steps = append(b.Steps, instruction(mod, args...))
	}
	return b
}

// TestCompiling_ManyChildren has a step with very many children before one that trims paths:
// what is known of the parent is asked for once, not by each child.
func TestCompiling_ManyChildren(t *testing.T) {
	const children, most = 100_000, 3 * time.Second // asked by each it takes ten seconds
	b := after(instruction("union", many(children, func(int) value.Value { return child("out") })...), instruction("dedup"))
	began := cputime.Own()
	if err := compiled(nil, b); err != nil {
		t.Fatal(err)
	}
	if took := cputime.Own() - began; took > most {
		t.Errorf("%d children took %v to compile", children, took)
	} else {
		t.Log(took)
	}
}
