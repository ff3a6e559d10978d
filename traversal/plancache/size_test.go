package plancache_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// TestRecent_Bytes: what is held is bounded in bytes too, and counts are true.
func TestRecent_Bytes(t *testing.T) {
	const generation = 10_000
	r := plancache.NewRecent[int](1000, generation)
	for n := range 5000 {
		r.Keep(fmt.Append(nil, n%70), &n, n%400)
		r.Find(fmt.Append(nil, n%7))
		if held := r.Bytes(); held < 0 || held > 2*generation {
			t.Fatalf("%d bytes are held after %d values", held, n)
		}
	}
	if v := r.FindText("69"); v == nil || *v != 4969 {
		t.Errorf("the last value of a key is %v", v)
	}
}

// TestSizeOf: texts count by their bytes, collections by their parts wherever they stand, and what
// is there twice once.
func TestSizeOf(t *testing.T) {
	const n, least, most = 1000, int(unsafe.Sizeof(value.Value{})), 6 * int(unsafe.Sizeof(value.Value{}))
	list := func(n int) value.Value { return value.List(make([]value.Value, n)) }
	text := func(n int) value.Value { return value.String(strings.Repeat("x", n)) }
	for name, x := range map[string]struct {
		of          func(n int) any
		least, most int // of each more
	}{
		"text":       {func(n int) any { v := text(n); return &v }, 1, 1},
		"texts":      {func(n int) any { return &[]string{strings.Repeat("x", n), strings.Repeat("y", n)} }, 2, 2},
		"list":       {func(n int) any { v := list(n); return &v }, least, most},
		"list of it": {func(n int) any { v := value.List([]value.Value{list(n)}); return &v }, least, most},
		"set": {func(n int) any {
			set := value.NewSet()
			for i := range n {
				set.Add(value.Int(int32(i)))
			}
			v := set.Value()
			return &v
		}, least, most},
		"predicate": {func(n int) any { v := (&traversal.P{Name: "eq", Args: []value.Value{text(n)}}).Value(); return &v }, 1, 1},
		"bytecode": {func(n int) any {
			v := (&traversal.Bytecode{Steps: []traversal.Instruction{{Name: "inject", Args: []value.Value{text(n)}}}}).Value()
			return &v
		}, 1, 1},
		"twice": {func(n int) any { v := text(n); return &[]*value.Value{&v, &v} }, 1, 1},
		"map":   {func(n int) any { return &map[string]any{"a": strings.Repeat("x", n), strings.Repeat("y", n): 1} }, 2, 2},
		"slice": {func(n int) any { s := make([]int64, n); return &s }, 8, 8},
	} {
		grown := plancache.SizeOf(x.of(2*n)) - plancache.SizeOf(x.of(n))
		if grown < n*x.least || grown > n*x.most {
			t.Errorf("%s: %d more take %d bytes", name, n, grown)
		}
	}
}

// long returns bytecode of a shape of its own, nearly as large as those that are kept can
// be, with a text that is a part of a large one.
func long(i int, request string) *traversal.Bytecode {
	b := &traversal.Bytecode{}
	for range 150 {
		b.Steps = append(b.Steps, traversal.Instruction{Name: "V"}, traversal.Instruction{Name: "out"})
	}
	label := fmt.Sprint("label", i)
	request = label + request
	b.Steps = append(b.Steps, traversal.Instruction{Name: "out", Args: []value.Value{value.String(request[:len(label)])}})
	return b
}

// TestCache_Bytes fills the cache with the largest plans: they take no more than a few
// megabytes, and hold nothing of the requests that they came with.
func TestCache_Bytes(t *testing.T) {
	fill(t, plancache.New(steps.Registry()), 10) // what the process takes once
	c := plancache.New(steps.Registry())
	before := heap.InUse()
	fill(t, c, 250)
	held, grown := int64(c.Bytes()), heap.InUse()-before
	t.Logf("%d shapes: %d bytes are held, %d in use", c.Len(), held, grown)
	if grown > held+held/4+1<<20 {
		t.Errorf("%d bytes are in use, %d are known of", grown, held)
	}
	runtime.KeepAlive(c)
}

// fill has a cache plan n shapes, each twice.
func fill(t *testing.T, c *plancache.Cache, n int) {
	t.Helper()
	for i := range n {
		b := long(i, strings.Repeat("x", 100<<10))
		for range 2 {
			q, err := c.Open(b)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := q.Plan(strategy.IndexedKeys{}); err != nil {
				t.Fatal(err)
			}
		}
		if held := c.Bytes(); held > 8<<20 {
			t.Fatalf("%d bytes are held after %d shapes", held, i)
		}
	}
}
