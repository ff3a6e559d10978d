package services_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

func test(op string, args ...any) *traversal.P {
	p := &traversal.P{Name: op, Text: strings.HasSuffix(op, "ing") || strings.HasSuffix(op, "With")}
	for _, a := range args {
		if q, ok := a.(*traversal.P); ok {
			p.Args = append(p.Args, value.Object(value.KindP, q))
			continue
		}
		p.Args = append(p.Args, value.Of(a))
	}
	return p
}

// TestQuery_ReadsARange: a predicate reads the entries that it can be true for, and finds
// what it is true for among all of them.
func TestQuery_ReadsARange(t *testing.T) {
	inner, err := pebble.Open("", pebble.Options{InMemory: true, CacheBytes: 8 << 20})
	must(t, err)
	store := &storagetest.Counting{Store: inner}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	g, err := db.CreateGraph("g", blueprints.Options{})
	must(t, err)
	c := newCaller(t, g)
	c.want("", "gremlind.index.create", value.Null, "name", "people", "class", "vertex")
	c = newCaller(t, g)

	rng := rand.New(rand.NewPCG(3, 4))
	has := map[uint64][]value.Value{}
	for i := range 2000 {
		v, err := c.tx.AddVertex("person", value.Null)
		must(t, err)
		for range 1 + i%2 {
			val := anyValue(rng)
			has[uint64(v)] = append(has[uint64(v)], val)
			c.want(fmt.Sprintf("v[%d]", i), "gremlind.index.put", value.VertexRef(uint64(v)), "name", "people", "key", "k", "value", val)
		}
	}
	must(t, c.tx.Commit(ctx))
	tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true})
	must(t, err)
	t.Cleanup(func() { tx.Close() })
	c.tx, c.run = tx, &traversal.Run{Env: traversal.Env{Ctx: ctx, Registry: steps.Registry(), View: tx}}

	list := value.Of([]any{5, 7.0, "name-3", 5, int64(5)})
	for _, x := range []struct {
		p    *traversal.P
		most int64 // keys that are read
	}{
		{test("eq", 500), 20}, {test("eq", "name-77"), 20}, {test("eq", 7.0), 20}, {test("eq", true), 300},
		{test("gt", 950), 260}, {test("gte", 950), 260}, {test("lt", 20), 160}, {test("lte", 20.0), 160},
		{test("between", 100, 140), 160}, {test("inside", 100, 140), 160}, {test("between", "name-7", "name-8"), 160},
		{test("startingWith", "name-77"), 40}, {test("within", list), 80}, {test("within"), 5},
		{test("and", test("gt", 300), test("lt", 310), test("gte", 305)), 1500}, {test("and", test("neq", 3), test("eq", 8)), 20},
		{test("neq", 5), math.MaxInt64}, {test("without", list), math.MaxInt64}, {test("outside", 5, 990), math.MaxInt64},
		{test("or", test("lt", 5), test("gt", 990)), math.MaxInt64}, {test("eq", math.NaN()), math.MaxInt64},
		{test("gt", big.NewInt(980)), 260}, {test("gt", "name-9"), 300}, {test("between", 5, "name-5"), math.MaxInt64},
		{test("eq", value.Null), math.MaxInt64}, {test("endingWith", "7"), math.MaxInt64},
	} {
		accepts, err := x.p.Compile(c.run)
		must(t, err)
		var want []uint64
		for v, vals := range has {
			if slices.ContainsFunc(vals, func(val value.Value) bool { ok, _ := accepts(val); return ok }) {
				want = append(want, v)
			}
		}
		slices.Sort(want)
		for _, size := range []int{1, 64} {
			c.size = size
			before := store.Reads().Keys
			vs, err := c.call("gremlind.index.query", value.Null, "name", "people", "key", "k", "value", value.Object(value.KindP, x.p))
			must(t, err)
			var got []uint64
			for _, v := range vs {
				got = append(got, v.Ref())
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%v: %d vertices, want %d", x.p, len(got), len(want))
			}
			if read := store.Reads().Keys - before; read > x.most {
				t.Errorf("%v: %d keys were read for %d vertices", x.p, read, len(want))
			}
		}
	}
}

// anyValue is a number, mostly, or a text; seldom something else.
func anyValue(rng *rand.Rand) value.Value {
	n := rng.IntN(1000)
	switch rng.IntN(12) {
	case 0, 1, 2, 3:
		return value.Of(n)
	case 4:
		return value.Of(int64(n))
	case 5:
		return value.Of(float64(n) + 0.5*float64(rng.IntN(2)))
	case 6, 7, 8, 9:
		return value.String(fmt.Sprint("name-", n))
	case 10:
		return value.Of(n%2 == 0)
	}
	return value.Of(new(big.Int).Add(big.NewInt(int64(n)), new(big.Int).Lsh(big.NewInt(int64(n%2)), 80)))
}
