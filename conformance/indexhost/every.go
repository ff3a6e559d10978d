package indexhost

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/value"
)

// world is a graph that changes at random, with indexes of every kind.
type world struct {
	r  *rand.Rand
	vs []blueprints.VertexID
	es []blueprints.EdgeID
}

func (w *world) value() value.Value { return SampleValues[w.r.IntN(len(SampleValues))] }

// change changes some elements.
func (w *world) change(tx *blueprints.Tx) error {
	for range 6 {
		if err := w.changeOne(tx); err != nil && !refused(err) {
			return err
		}
	}
	return nil
}

// refused reports whether an index does not take what is written.
func refused(err error) bool {
	return strings.Contains(err.Error(), "another vertex") || strings.Contains(err.Error(), "combinations of values")
}

func (w *world) changeOne(tx *blueprints.Tx) error {
	switch n := w.r.IntN(8); {
	case n == 0 || len(w.vs) < 4:
		v, err := tx.AddVertex([]string{"p", "q"}[w.r.IntN(2)], value.Null)
		if err == nil {
			w.vs = append(w.vs, v)
		}
		return err
	case n <= 2:
		e, err := tx.AddEdge([]string{"e", "f", "g"}[w.r.IntN(3)], w.vs[w.r.IntN(len(w.vs))], w.vs[w.r.IntN(len(w.vs))], value.Null)
		if err != nil {
			return err
		}
		w.es = append(w.es, e)
		return tx.SetEdgeProperty(e, "w", w.value())
	case n == 3 && len(w.es) > 0:
		return tx.SetEdgeProperty(w.es[w.r.IntN(len(w.es))], "w", w.value())
	case n == 4 && len(w.es) > 2:
		i := w.r.IntN(len(w.es))
		e := w.es[i]
		w.es = slices.Delete(w.es, i, i+1)
		return tx.RemoveEdge(e)
	}
	v := w.vs[w.r.IntN(len(w.vs))]
	key := []string{"a", "a", "b", "b", "u", "at"}[w.r.IntN(6)]
	val := w.value()
	if key == "at" {
		lat, lon := randomPoint(w.r)
		val = pointValue(w.r, lat, lon)
	}
	card := []string{"single", "single", "list"}[w.r.IntN(3)]
	_, err := tx.SetVertexProperty(v, card, key, val, value.Null, nil)
	return err
}

// testEveryKind: indexes of every kind find what a scan finds, in transactions that write and
// behind them, those that were there first and those that are built later.
func testEveryKind(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	w := &world{r: rand.New(rand.NewPCG(1, 1))}
	for i, s := range EveryKind {
		if i%2 == 0 {
			Declare(t, g, s)
		}
	}
	for i := range 24 {
		if i == 12 {
			for i, s := range EveryKind {
				if i%2 != 0 && !s.Unique {
					Declare(t, g, s)
				}
			}
		}
		err := g.Update(ctx, func(tx *blueprints.Tx) error {
			if err := w.change(tx); err != nil {
				return err
			}
			return Agree(tx)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	view(t, g, func(tx *blueprints.Tx) {
		if err := Agree(tx); err != nil {
			t.Error(err)
		}
	})
	wantSound(t, g)
	for _, s := range EveryKind {
		if s.Unique {
			continue
		}
		Verified(t, g, s.Name)
		if err := g.DropIndex(ctx, s.Name); err != nil {
			t.Error(err)
		}
	}
	wantSound(t, g)
}

// testFaults: a read that fails is said, whatever asks an index or writes to it.
func testFaults(t *testing.T) {
	g, f := faultyGraph(t)
	w := &world{r: rand.New(rand.NewPCG(2, 2))}
	for _, s := range EveryKind {
		Declare(t, g, s)
	}
	for range 8 {
		update(t, g, w.change)
	}
	errUndo := errors.New("nothing is kept")
	for name, do := range map[string]func(tx *blueprints.Tx) error{
		"look up": Agree,
		"change": func(tx *blueprints.Tx) error {
			now := &world{rand.New(rand.NewPCG(3, 3)), slices.Clone(w.vs), slices.Clone(w.es)}
			return now.change(tx)
		},
		"remove": func(tx *blueprints.Tx) error { return tx.RemoveVertex(w.vs[1]) },
	} {
		run := func() error {
			return g.Update(storagetest.Asking(ctx), func(tx *blueprints.Tx) error { return errors.Join(do(tx), errUndo) })
		}
		calls, err := f.Calls(run)
		if !errors.Is(err, errUndo) || calls == 0 {
			t.Fatalf("%s: %d calls, %v", name, calls, err)
		}
		for call := int64(0); call < calls; call += max(1, calls/60) {
			if fault := f.At(call, run); fault.Open != 0 || !errors.Is(fault.Err, storagetest.ErrDisk) {
				t.Errorf("%s: call %d of %d fails: %v, and %d iterators stay open", name, call, calls, fault.Err, fault.Open)
			}
		}
	}
}

// testOrder: an index of several keys is walked in the order of its values, either way, and
// elements of equal values come in one order.
func testOrder(t *testing.T) {
	for _, unique := range []bool{false, true} {
		g := newGraph(t, blueprints.Options{})
		d := blueprints.IndexSpec{Name: "i", Class: blueprints.VertexClass, Keys: []string{"a", "b"}, Unique: unique}
		type row struct {
			id   blueprints.VertexID
			a, b int
		}
		var rows []row
		update(t, g, func(tx *blueprints.Tx) error {
			for i := range 40 {
				r := row{0, i % 4, i * 7 % 10}
				if unique {
					r.b = i
				}
				r.id = addVertex(t, tx, "x", "a", r.a, "b", r.b)
				rows = append(rows, r)
			}
			return nil
		})
		Declare(t, g, d)
		for _, reverse := range []bool{false, true} {
			var want []uint64
			slices.SortStableFunc(rows, func(x, y row) int {
				by := x.b - y.b
				if reverse {
					by = -by
				}
				return by
			})
			for _, r := range rows {
				if r.a == 2 && r.b >= 3 && r.b < 30 {
					want = append(want, uint64(r.id))
				}
			}
			view(t, g, func(tx *blueprints.Tx) {
				c := blueprints.IndexColumns{Equal: []value.Value{value.Int(2)}, Ranged: true, Reverse: reverse,
					Range: blueprints.ValueRange{Min: value.Int(3), HasMin: true, Max: value.Int(30), HasMax: true, MaxOpen: true}}
				it := tx.LookupVerticesBy(tx.DeclaredIndexes(blueprints.VertexClass)[0], c)
				var got []uint64
				var buf [3]blueprints.VertexID
				for n := it.Next(buf[:]); n > 0; n = it.Next(buf[:]) {
					for _, v := range buf[:n] {
						got = append(got, uint64(v))
					}
				}
				if err := errors.Join(it.Err(), it.Close()); err != nil || !slices.Equal(got, want) {
					t.Errorf("unique=%t reverse=%t: %v, want %v: %v", unique, reverse, got, want, err)
				}
			})
		}
	}
}

// testDuplicates: a unique index over values that come more than once is not made, and the
// first of them are named, each with the first of its elements.
func testDuplicates(t *testing.T) {
	for _, values := range []int{1, 9, 11} {
		g := newGraph(t, blueprints.Options{})
		update(t, g, func(tx *blueprints.Tx) error {
			for i := range 12 * values {
				addVertex(t, tx, "x", "k", fmt.Sprint("v", i%values), "n", i%2)
			}
			return nil
		})
		_, err := g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "i", Class: blueprints.VertexClass, Keys: []string{"k"}, Unique: true})
		if err == nil {
			t.Fatal("it was made")
		}
		text := err.Error()
		if got := strings.Count(text, "[v"); got != min(values, 10) {
			t.Errorf("%d values: %d are named: %s", values, got, text)
		}
		if got := strings.Count(text, ", "); values == 1 && got != 1+9 {
			t.Errorf("of one value %d elements are named: %s", got, text)
		}
		want := "1 value occurs more than once"
		if values > 1 {
			want = fmt.Sprintf("%d values occur more than once", values)
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s, want %s", text, want)
		}
	}
}

// testRefusals are definitions that make no sense.
func testRefusals(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	v, e := blueprints.VertexClass, blueprints.EdgeClass
	for want, s := range map[string]blueprints.IndexSpec{
		"Index i: the key k comes twice":                                   {Class: v, Keys: []string{"k", "k"}},
		"Index i: want 1 to 8 keys, not 0":                                 {Class: v},
		"Index i: want 1 to 8 keys, not 9":                                 {Class: v, Keys: strings.Split("abcdefghi", "")},
		`Index i: the direction is OUT, IN or BOTH, not "UP"`:              {Class: e, Label: "l", Keys: []string{"k"}, Direction: "UP"},
		"Index i: an index of a direction is for edges: its class is edge": {Class: v, Label: "l", Keys: []string{"k"}, Direction: "OUT"},
		"Index i: an index of a direction needs a label":                   {Class: e, Keys: []string{"k"}, Direction: "OUT"},
		"Index i: an index of a direction cannot be unique":                {Class: e, Label: "l", Keys: []string{"k"}, Direction: "IN", Unique: true},
		`Index i: the analyzer is trigram, words or geo, not "x"`:          {Class: v, Keys: []string{"k"}, Analyzer: "x"},
		"Index i: an index of texts cannot be unique":                      {Class: v, Keys: []string{"k"}, Analyzer: "words", Unique: true},
		"Index i: an index of texts has no direction":                      {Class: e, Label: "l", Keys: []string{"k"}, Analyzer: "trigram", Direction: "OUT"},
		"Index i: an index of points cannot be unique":                     {Class: v, Keys: []string{"k"}, Analyzer: "geo", Unique: true},
		"Index i: an index of points has no direction":                     {Class: e, Label: "l", Keys: []string{"k"}, Analyzer: "geo", Direction: "OUT"},
	} {
		s.Name = "i"
		_, err := g.DeclareIndex(ctx, ctx, s)
		wantText(t, err, want)
	}
	Declare(t, g, blueprints.IndexSpec{Name: "i", Class: v, Keys: []string{"k"}})
	Declare(t, g, blueprints.IndexSpec{Name: "i", Class: v, Keys: []string{"k"}}) // the same again
	for _, other := range []blueprints.IndexSpec{
		{Class: v, Keys: []string{"k", "l"}}, {Class: v, Keys: []string{"k"}, Label: "l"}, {Class: v, Keys: []string{"k"}, Unique: true},
		{Class: v, Keys: []string{"k"}, Analyzer: "words"}, {Class: e, Keys: []string{"k"}},
	} {
		other.Name = "i"
		if _, err := g.DeclareIndex(ctx, ctx, other); err == nil || !strings.Contains(err.Error(), "already exists") {
			t.Errorf("%+v: %v", other, err)
		}
	}
	for _, hide := range []bool{true, true, false} {
		i, err := g.HideIndex(ctx, "i", hide)
		if want := map[bool]string{true: "HIDDEN", false: "ACTIVE"}[hide]; err != nil || string(i.State) != want {
			t.Errorf("hide=%t: %+v, %v", hide, i, err)
		}
	}
	if _, err := g.HideIndex(ctx, "other", true); err == nil {
		t.Error("an index that is not there is hidden")
	}
}
