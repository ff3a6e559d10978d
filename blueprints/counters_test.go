package blueprints_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

var levels = []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation, storage.CommittedIsolation}

// counted is a graph with a vertex and an edge to itself.
func counted(t testing.TB, o blueprints.Options) (g *blueprints.Graph, v blueprints.VertexID, e blueprints.EdgeID) {
	t.Helper()
	return countedIn(t, openDatabase(t), o)
}

func countedIn(t testing.TB, db *blueprints.Database, o blueprints.Options) (g *blueprints.Graph, v blueprints.VertexID, e blueprints.EdgeID) {
	t.Helper()
	g = must[*blueprints.Graph](t)(db.CreateGraph("g", o))
	update(t, g, func(tx *blueprints.Tx) error {
		v = addVertex(t, tx, "person", "age", 29)
		e = must[blueprints.EdgeID](t)(tx.AddEdge("knows", v, v, value.Null))
		return nil
	})
	return g, v, e
}

func increment(t testing.TB, tx *blueprints.Tx, v blueprints.VertexID, key string, by int64) {
	t.Helper()
	if err := tx.Increment(blueprints.VertexClass, uint64(v), key, by); err != nil {
		t.Fatal(err)
	}
}

// valueOf is the value of a key as text, "" for none.
func valueOf(t testing.TB, tx *blueprints.Tx, v blueprints.VertexID, key string) string {
	t.Helper()
	sym, ok := tx.Symbol(key)
	if !ok {
		return ""
	}
	val, ok, err := tx.VertexValue(v, sym)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return ""
	}
	return javaText(val)
}

// javaText is a value as Java would have it in a program.
func javaText(v value.Value) string {
	if v.Kind() == value.KindLong {
		return v.JavaString() + "L"
	}
	return v.JavaString()
}

// TestIncrement: what many add at once is there, and nobody loses; who reads, sets or
// removes the counter does.
func TestIncrement(t *testing.T) {
	for _, level := range levels {
		t.Run(fmt.Sprint(level), func(t *testing.T) {
			g, v, _ := counted(t, blueprints.Options{Isolation: level})
			update(t, g, func(tx *blueprints.Tx) error { increment(t, tx, v, "views", 5); return nil })
			a, b := begin(t, g), begin(t, g)
			increment(t, a, v, "views", 2)
			increment(t, a, v, "views", 1)
			increment(t, b, v, "views", -10)
			if got := valueOf(t, begin(t, g), v, "views"); got != "5L" {
				t.Errorf("%s before the commits", got)
			}
			for _, tx := range []*blueprints.Tx{a, b} {
				if err := tx.Commit(ctx); err != nil {
					t.Errorf("an increment conflicts: %v", err)
				}
			}
			view(t, g, func(tx *blueprints.Tx) {
				if got := valueOf(t, tx, v, "views"); got != "-2L" {
					t.Errorf("%s, want -2L", got)
				}
			})
			others := map[string]func(*blueprints.Tx){
				"set":    func(tx *blueprints.Tx) { setProperty(t, tx, v, "views", 7) },
				"remove": func(tx *blueprints.Tx) { removeKey(t, tx, v, "views") },
				"drop": func(tx *blueprints.Tx) {
					if err := tx.RemoveVertex(v); err != nil {
						t.Fatal(err)
					}
				},
				"read": func(tx *blueprints.Tx) {
					valueOf(t, tx, v, "views")
					addVertex(t, tx, "person")
				},
			}
			for name, other := range others {
				a, b := begin(t, g), begin(t, g)
				other(a)
				increment(t, b, v, "views", 1)
				if err := b.Commit(ctx); err != nil {
					t.Fatal(err)
				}
				err := a.Commit(ctx)
				if want := name != "read" || level == storage.StrictSerializable; errors.Is(err, storage.ErrConflict) != want {
					t.Errorf("%s beside an increment: %v", name, err)
				}
			}
			wantSound(t, g)
		})
	}
}

func removeKey(t testing.TB, tx *blueprints.Tx, v blueprints.VertexID, key string) {
	t.Helper()
	sym, _ := tx.Symbol(key)
	for _, p := range must[[]blueprints.PropertyEntry](t)(tx.VertexProperties(nil, v, []blueprints.Symbol{sym})) {
		if err := tx.RemoveVertexProperty(v, p); err != nil {
			t.Fatal(err)
		}
	}
}

// TestIncrement_Own: a transaction sees what it has added, set and removed, also of what it
// made, and a rollback leaves nothing.
func TestIncrement_Own(t *testing.T) {
	for _, level := range levels {
		g, v, e := counted(t, blueprints.Options{Isolation: level})
		tx := begin(t, g)
		want := func(v blueprints.VertexID, want string) {
			t.Helper()
			if got := valueOf(t, tx, v, "views"); got != want {
				t.Errorf("level %d: %s, want %s", level, got, want)
			}
		}
		want(v, "")
		increment(t, tx, v, "views", 3)
		want(v, "3L")
		setProperty(t, tx, v, "views", 40)
		increment(t, tx, v, "views", 2)
		want(v, "42L")
		removeKey(t, tx, v, "views")
		want(v, "")
		increment(t, tx, v, "views", 1)
		want(v, "1L")
		own := addVertex(t, tx, "person", "views", 8)
		increment(t, tx, own, "views", 1)
		want(own, "9L")
		if err := tx.Increment(blueprints.EdgeClass, uint64(e), "hits", -2); err != nil {
			t.Fatal(err)
		}
		hits, _ := tx.Symbol("hits")
		if val, ok, err := tx.EdgeValue(e, hits); err != nil || !ok || javaText(val) != "-2L" {
			t.Error(val, ok, err)
		}
		tx.Close()
		view(t, g, func(tx *blueprints.Tx) {
			if got := valueOf(t, tx, v, "views"); got != "" {
				t.Errorf("%s is left of a rollback", got)
			}
		})
		wantSound(t, g)
	}
}

// TestIncrement_Refused: what cannot be a counter, and what a counter cannot be.
func TestIncrement_Refused(t *testing.T) {
	g, v, e := counted(t, blueprints.Options{})
	if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "name"); err != nil {
		t.Fatal(err)
	}
	_, err := g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "x", Class: blueprints.VertexClass, Label: "person", Keys: []string{"city"}})
	if err != nil {
		t.Fatal(err)
	}
	update(t, g, func(tx *blueprints.Tx) error {
		increment(t, tx, v, "views", 1)
		return tx.SetEdgeProperty(e, "weight", value.Double(0.5))
	})
	tx := begin(t, g)
	set := func(cardinality string, val value.Value, meta ...value.Property) error {
		_, err := tx.SetVertexProperty(v, cardinality, "views", val, value.Null, meta)
		return err
	}
	big, _ := new(big.Int).SetString("9223372036854775808", 10)
	wantText(t, tx.Increment(blueprints.VertexClass, uint64(v), "age", 1), "key age of vertex 0 is no counter: it is an Integer")
	wantText(t, tx.Increment(blueprints.EdgeClass, uint64(e), "weight", 1), "key weight of edge 2 is no counter: it is a Double")
	wantText(t, tx.Increment(blueprints.VertexClass, uint64(v), "name", 1), "key name has an index: counters have no index, drop it first")
	wantText(t, tx.Increment(blueprints.VertexClass, uint64(v), "city", 1), "key city has an index: counters have no index, drop it first")
	wantText(t, tx.Increment(blueprints.VertexClass, uint64(v), "~x", 1), "Property key can not be a hidden key: ~x")
	wantText(t, set("single", value.String("x")), "key views of vertex 0 is a counter: it takes a whole number within a Long, not x")
	wantText(t, set("single", value.Double(1)), "key views of vertex 0 is a counter: it takes a whole number within a Long, not 1.0")
	wantText(t, set("single", value.BigInt(big)), "key views of vertex 0 is a counter: it takes a whole number within a Long, not 9223372036854775808")
	wantText(t, set("list", value.Int(1)), "key views is a counter, which has one value: the cardinality is single, not list")
	wantText(t, set("", value.Int(1), value.Property{Key: "m", Value: value.Int(1)}), "key views is a counter, which has no properties of its own: not m")
	wantText(t, g.CreateKeyIndex(ctx, blueprints.VertexClass, "views"), "key views is a counter: counters have no index")
	_, err = g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "y", Class: blueprints.VertexClass, Keys: []string{"views"}})
	wantText(t, err, "key views is a counter: counters have no index")
	_, err = g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "z", Class: blueprints.VertexClass, Label: "software", Keys: []string{"views"}})
	if err != nil {
		t.Errorf("an index of another label: %v", err)
	}
	if err := g.CreateKeyIndex(ctx, blueprints.EdgeClass, "views"); err != nil {
		t.Errorf("an index of edges: %v", err)
	}
	if err := tx.Increment(blueprints.VertexClass, 99, "views", 1); !errors.Is(err, blueprints.ErrNoElement) {
		t.Errorf("a vertex that is not there: %v", err)
	}
}

// TestIncrement_IndexRace: a key is never both a counter and indexed.
func TestIncrement_IndexRace(t *testing.T) {
	g, v, _ := counted(t, blueprints.Options{Isolation: storage.SnapshotIsolation})
	tx := begin(t, g)
	increment(t, tx, v, "views", 1)
	if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "views"); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("a counter of what has an index meanwhile: %v", err)
	}
	tx = begin(t, g)
	if err := tx.Increment(blueprints.VertexClass, uint64(v), "views", 1); err == nil {
		t.Error("a key with an index becomes a counter")
	}
}

// TestIncrement_PropertyRace: an element has no property beside a counter of the same key,
// though who sets it and who makes a counter of the key for the first time do not know of each
// other.
func TestIncrement_PropertyRace(t *testing.T) {
	counts := map[string]func(tx *blueprints.Tx, v, w blueprints.VertexID, e blueprints.EdgeID) error{
		"vertex": func(tx *blueprints.Tx, v, _ blueprints.VertexID, _ blueprints.EdgeID) error {
			return tx.Increment(blueprints.VertexClass, uint64(v), "views", 1)
		},
		"vertex behind another": func(tx *blueprints.Tx, v, w blueprints.VertexID, _ blueprints.EdgeID) error {
			return errors.Join(tx.Increment(blueprints.VertexClass, uint64(w), "views", 1), tx.Increment(blueprints.VertexClass, uint64(v), "views", 1))
		},
		"vertex that is set": func(tx *blueprints.Tx, v, w blueprints.VertexID, _ blueprints.EdgeID) error {
			_, err := tx.SetVertexProperty(v, "single", "views", value.Int(1), value.Null, nil)
			return errors.Join(tx.Increment(blueprints.VertexClass, uint64(w), "views", 1), err, tx.RemoveVertexProperty(v, must[[]blueprints.PropertyEntry](t)(tx.VertexProperties(nil, v, nil))[0]),
				tx.Increment(blueprints.VertexClass, uint64(v), "views", 1))
		},
		"edge": func(tx *blueprints.Tx, _, _ blueprints.VertexID, e blueprints.EdgeID) error {
			return tx.Increment(blueprints.EdgeClass, uint64(e), "views", 1)
		},
	}
	for name, count := range counts {
		for _, level := range isolations {
			for _, card := range []string{"single", "list"} {
				for _, countsFirst := range []bool{false, true} {
					g := newGraph(t, blueprints.Options{Isolation: level})
					var v, w blueprints.VertexID
					var e blueprints.EdgeID
					update(t, g, func(tx *blueprints.Tx) (err error) {
						v, w = addVertex(t, tx, "p"), addVertex(t, tx, "p")
						e, err = tx.AddEdge("e", v, w, value.Null)
						return err
					})
					counting, setting := begin(t, g), begin(t, g)
					_, err := setting.SetVertexProperty(v, card, "views", value.Int(7), value.Null, nil)
					if err = errors.Join(err, setting.SetEdgeProperty(e, "views", value.Int(7)), count(counting, v, w, e)); err != nil {
						t.Fatal(err)
					}
					first, second := setting, counting
					if countsFirst {
						first, second = second, first
					}
					if err := first.Commit(ctx); err != nil {
						t.Fatal(err)
					}
					if err := second.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
						t.Errorf("%s, %v, %s, counts first %v: %v", name, level, card, countsFirst, err)
					}
					wantSound(t, g)
				}
			}
		}
	}
}

// TestIncrement_Overflow: sums go on from the other end, as Java's.
func TestIncrement_Overflow(t *testing.T) {
	g, v, _ := counted(t, blueprints.Options{})
	update(t, g, func(tx *blueprints.Tx) error {
		setProperty(t, tx, v, "age", 1)
		increment(t, tx, v, "n", math.MaxInt64)
		return nil
	})
	update(t, g, func(tx *blueprints.Tx) error { increment(t, tx, v, "n", 2); return nil })
	view(t, g, func(tx *blueprints.Tx) {
		if got := valueOf(t, tx, v, "n"); got != "-9223372036854775807L" {
			t.Error(got)
		}
	})
}

// TestCounter_Older: a property that was there before its key became a counter stays what it
// is until it is given a number.
func TestCounter_Older(t *testing.T) {
	g, v, e := counted(t, blueprints.Options{})
	var other blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		other = addVertex(t, tx, "person")
		increment(t, tx, other, "age", 1)
		for _, x := range []any{1, "x"} {
			if _, err := tx.SetVertexProperty(other, "list", "old", value.Of(x), value.Null, nil); err != nil {
				return err
			}
		}
		if err := tx.SetEdgeProperty(e, "old", value.String("x")); err != nil {
			return err
		}
		e2, err := tx.AddEdge("knows", v, v, value.Null)
		if err != nil {
			return err
		}
		increment(t, tx, v, "old", 1)
		return tx.Increment(blueprints.EdgeClass, uint64(e2), "old", 1)
	})
	wantSound(t, g)
	update(t, g, func(tx *blueprints.Tx) error {
		wantText(t, tx.Increment(blueprints.VertexClass, uint64(v), "age", 1), "key age of vertex 0 is no counter: it is an Integer")
		setProperty(t, tx, v, "age", 30)
		setProperty(t, tx, other, "old", 3)
		if err := tx.SetEdgeProperty(e, "old", value.Byte(4)); err != nil {
			return err
		}
		increment(t, tx, v, "age", 1)
		increment(t, tx, other, "old", 1)
		return tx.Increment(blueprints.EdgeClass, uint64(e), "old", 1)
	})
	view(t, g, func(tx *blueprints.Tx) {
		old, _ := tx.Symbol("old")
		val, _, _ := tx.EdgeValue(e, old)
		if a, b := valueOf(t, tx, v, "age"), valueOf(t, tx, other, "old"); a != "31L" || b != "4L" || javaText(val) != "5L" {
			t.Error(a, b, javaText(val))
		}
	})
	wantSound(t, g)
}

// TestCounter_Read: every way of reading properties has the counters, with and without the
// row cache, and each has an id.
func TestCounter_Read(t *testing.T) {
	for _, cached := range []int64{0, -1} {
		s := must[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))
		db := must[*blueprints.Database](t)(blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: cached}))
		defer db.Close()
		g, v, e := countedIn(t, db, blueprints.Options{})
		var more []blueprints.VertexID
		update(t, g, func(tx *blueprints.Tx) error {
			increment(t, tx, v, "views", 3)
			for i := range 100 {
				w := addVertex(t, tx, []string{"person", "software"}[i%2])
				if more = append(more, w); i%2 == 0 && i%3 == 0 {
					increment(t, tx, w, "views", int64(i))
				}
			}
			return tx.Increment(blueprints.EdgeClass, uint64(e), "a", 4)
		})
		for range 2 {
			view(t, g, func(tx *blueprints.Tx) {
				views, _ := tx.Symbol("views")
				age, _ := tx.Symbol("age")
				a, _ := tx.Symbol("a")
				text := func(ps []blueprints.PropertyEntry, err error) string {
					var all []string
					for _, p := range ps {
						all = append(all, tx.Name(p.Key)+"="+javaText(p.Value))
					}
					if err != nil {
						t.Error(err)
					}
					return strings.Join(all, " ")
				}
				for want, got := range map[string]string{
					"age=29 views=3L":  text(tx.VertexProperties(nil, v, nil)),
					"views=3L":         text(tx.VertexProperties(nil, v, []blueprints.Symbol{views})),
					"age=29 views=3L ": text(tx.VertexProperties(nil, v, []blueprints.Symbol{views, age})) + " ",
					"a=4L":             text(tx.EdgeProperties(nil, e, nil)),
					"a=4L ":            text(tx.EdgeProperties(nil, e, []blueprints.Symbol{a})) + " ",
				} {
					if got != want {
						t.Errorf("%q, want %q", got, want)
					}
				}
				vals, ends, err := tx.VertexValues(nil, nil, more, views)
				if err != nil || len(vals) != 17 || ends[0] != 1 || ends[1] != 1 || ends[6] != 2 || javaText(vals[1]) != "6L" {
					t.Error(len(vals), ends, err)
				}
				x, err := tx.ResolveVertex(uint64(v), true, nil)
				if err != nil || len(x.Properties) != 2 || x.Properties[1].VertexProperty().Value.JavaString() != "3" {
					t.Error(x, err)
				}
				y, err := tx.ResolveEdge(uint64(e), true)
				if err != nil || len(y.Properties) != 1 {
					t.Error(y, err)
				}
			})
		}
	}
}

// TestCounter_Shown: who counts and is shown what he counted conflicts with nobody who does
// so too, and is shown his own.
func TestCounter_Shown(t *testing.T) {
	g, v, e := counted(t, blueprints.Options{})
	add := func(tx *blueprints.Tx) {
		increment(t, tx, v, "views", 1)
		if err := tx.Increment(blueprints.EdgeClass, uint64(e), "views", 1); err != nil {
			t.Fatal(err)
		}
		if x, err := tx.ResolveVertex(uint64(v), true, nil); err != nil || len(x.Properties) != 2 {
			t.Error(x, err)
		}
		if x, err := tx.ResolveEdge(uint64(e), true); err != nil || len(x.Properties) != 1 {
			t.Error(x, err)
		}
	}
	update(t, g, func(tx *blueprints.Tx) error { add(tx); return nil })
	a, b := begin(t, g), begin(t, g)
	add(a)
	add(b)
	if err := errors.Join(a.Commit(ctx), b.Commit(ctx)); err != nil {
		t.Error(err)
	}
	a, b = begin(t, g), begin(t, g)
	if _, err := a.ResolveVertex(uint64(v), true, nil); err != nil {
		t.Fatal(err)
	}
	addVertex(t, a, "person")
	add(b)
	if err := b.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if err := a.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("who only reads it is not validated: %v", err)
	}
}

// TestCounter_PropertyIDs: the ids of counters are of the graph's form, and each has its own.
func TestCounter_PropertyIDs(t *testing.T) {
	for m, kind := range map[string]value.Kind{"LONG": value.KindLong, "INTEGER": value.KindInt, "UUID": value.KindUUID, "STRING": value.KindString, "ANY": value.KindLong} {
		g := newGraph(t, blueprints.Options{VertexPropertyIDs: ids.Manager(m)})
		seen := map[string]bool{}
		update(t, g, func(tx *blueprints.Tx) error {
			for range 10 {
				v := addVertex(t, tx, "person", "name", "x")
				increment(t, tx, v, "a", 1)
				increment(t, tx, v, "b", 1)
				for _, p := range must[[]blueprints.PropertyEntry](t)(tx.VertexProperties(nil, v, nil)) {
					if id := p.ID(); id.Kind() != kind || seen[id.GoString()] {
						t.Errorf("%s: id %#v", m, id)
					} else {
						seen[id.GoString()] = true
					}
				}
			}
			return nil
		})
	}
}

// TestCounter_Schema: a counter and rules that it cannot keep to do not go together.
func TestCounter_Schema(t *testing.T) {
	g, v, _ := counted(t, blueprints.Options{})
	set := func(label, key, rules string, to any) error {
		_, err := g.ChangeSchema(ctx, rule(map[string]any{"vertex": label, "keys": map[string]any{key: map[string]any{rules: to}}}))
		return err
	}
	if err := errors.Join(set("person", "age", "min", 0), set("person", "rank", "type", "Integer"), set("person", "n", "type", "Long")); err != nil {
		t.Fatal(err)
	}
	var old blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error { old = addVertex(t, tx, "person"); return nil })
	tx := begin(t, g)
	wantText(t, tx.Increment(blueprints.VertexClass, uint64(old), "age", 1), "Label person: key age is a counter: it can be neither required nor bounded")
	wantText(t, tx.Increment(blueprints.VertexClass, uint64(old), "rank", 1), "Label person: key rank wants an Integer, got Long")
	tx.Close()
	update(t, g, func(tx *blueprints.Tx) error {
		increment(t, tx, v, "n", 1)
		increment(t, tx, v, "views", 1)
		return nil
	})
	wantText(t, set("person", "views", "max", 9), "Label person: key views is a counter: it can be neither required nor bounded")
	wantText(t, set("person", "views", "type", "String"), "Label person: key views wants a String, got Long")
	wantText(t, set("person", "n", "required", true), "Label person: key n is a counter: it can be neither required nor bounded")
	if err := set("person", "views", "type", "Number"); err != nil {
		t.Error(err)
	}
	wantSound(t, g)
}

// TestCountedIn: what is counted in an interval is counted in the sum, in the row of its
// time, and goes with the counter.
func TestCountedIn(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 59, 59, 0, time.FixedZone("", 3600)) // a Saturday in UTC
	for unit, want := range map[blueprints.Unit]string{
		blueprints.Minute: "2026-02-28T23:59:00Z", blueprints.Hour: "2026-02-28T23:00:00Z", blueprints.Day: "2026-02-28T00:00:00Z",
		blueprints.Week: "2026-02-23T00:00:00Z", blueprints.Month: "2026-02-01T00:00:00Z", blueprints.Year: "2026-01-01T00:00:00Z",
	} {
		if got := unit.At(at).Start.Format(time.RFC3339); got != want {
			t.Errorf("%s: %s, want %s", unit, got, want)
		}
	}
	for _, level := range levels {
		g, v, _ := counted(t, blueprints.Options{Isolation: level})
		hours := func(from, to, max int) string {
			var all []string
			view(t, g, func(tx *blueprints.Tx) {
				views, _ := tx.Symbol("views")
				base := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
				found, err := tx.CountedIn(nil, blueprints.VertexClass, uint64(v), views, blueprints.Hour,
					base.Add(time.Duration(from)*time.Hour), base.Add(time.Duration(to)*time.Hour), max)
				if err != nil {
					t.Error(err)
				}
				for _, c := range found {
					all = append(all, fmt.Sprint(c.Start.Sub(base).Hours(), ":", c.N))
				}
			})
			return strings.Join(all, " ")
		}
		count := func(hour int, by int64) {
			update(t, g, func(tx *blueprints.Tx) error {
				at := time.Date(1970, 1, 1, hour, 30, 0, 0, time.UTC)
				return tx.Increment(blueprints.VertexClass, uint64(v), "views", by, blueprints.Hour.At(at), blueprints.Day.At(at))
			})
		}
		for hour, by := range map[int]int64{-2: 1, 0: 2, 1: 3, 5: 4} {
			count(hour, by)
			count(hour, 10)
		}
		if a, b, c := hours(-9, 9, 99), hours(0, 5, 99), hours(-9, 9, 2); a != "-2:11 0:12 1:13 5:14" || b != "0:12 1:13" || c != "-2:11 0:12" {
			t.Error(a, "|", b, "|", c)
		}
		view(t, g, func(tx *blueprints.Tx) {
			if got := valueOf(t, tx, v, "views"); got != "50L" {
				t.Error(got)
			}
		})
		wantSound(t, g)
		a, b := begin(t, g), begin(t, g)
		removeKey(t, a, v, "views")
		if err := b.Increment(blueprints.VertexClass, uint64(v), "views", 1, blueprints.Hour.At(at)); err != nil {
			t.Fatal(err)
		}
		if err := a.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		if err := b.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("counted in an interval of a counter that is gone: %v", err)
		}
		if got := hours(-9, 9, 99); got != "" {
			t.Error(got)
		}
		wantSound(t, g)
	}
	if _, err := blueprints.ParseUnit("eon"); err == nil {
		t.Error("eons are counted")
	}
}
