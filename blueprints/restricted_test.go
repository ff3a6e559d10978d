package blueprints

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/value"
)

// deny takes away from a graph what is denied. The numbers of all else stay what they were.
func deny(t *testing.T, g *Graph, d Denied) {
	t.Helper()
	commit(t, g, func(tx *Tx) error {
		for v := VertexID(1); v <= readVertices; v++ {
			if slices.Contains(d.VertexLabels, tx.Name(ok[Symbol](t)(tx.VertexLabel(v)))) {
				if err := tx.RemoveVertex(v); err != nil {
					return err
				}
				continue
			}
			for _, p := range ok[[]PropertyEntry](t)(tx.VertexProperties(nil, v, nil)) {
				if slices.Contains(d.Keys, tx.Name(p.Key)) {
					if err := tx.RemoveVertexProperty(v, p); err != nil {
						return err
					}
					continue
				}
				for _, m := range slices.Clone(p.Meta()) {
					if slices.Contains(d.Keys, m.Key) {
						if err := tx.RemoveMetaProperty(v, p, m.Key); err != nil {
							return err
						}
					}
				}
			}
		}
		for e := EdgeID(1); e <= readEdges; e++ {
			if !ok[bool](t)(tx.EdgeExists(e)) {
				continue
			}
			if slices.Contains(d.EdgeLabels, tx.Name(ok[EdgeHeader](t)(tx.Edge(e)).Label)) {
				if err := tx.RemoveEdge(e); err != nil {
					return err
				}
				continue
			}
			for _, k := range d.Keys {
				if err := tx.RemoveEdgeProperty(e, k); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// TestRestricted_IsWithout reads, in every way that there is, a graph of which something is
// denied, and one from which that was taken away: they give the same, before and behind changes.
func TestRestricted_IsWithout(t *testing.T) {
	store := readStore(t)
	db := ok[*Database](t)(Open(store, DatabaseOptions{CacheBytes: 16 << 20}))
	defer db.Close()
	whole := ok[*Graph](t)(db.Graph("g"))
	for i, d := range []Denied{
		{},
		{Keys: []string{"age", "since", "weight", "nobody's"}},
		{EdgeLabels: []string{"created"}},
		{VertexLabels: []string{"software"}},
		{Keys: []string{"name", "until"}, EdgeLabels: []string{"knows"}, VertexLabels: []string{"software"}},
		{EdgeLabels: []string{"knows", "created"}, VertexLabels: []string{"person"}},
	} {
		if raced.Skips(i, 4) {
			continue
		}
		g := ok[*Graph](t)(db.CreateGraph(fmt.Sprint("without", i), Options{}))
		indexRead(t, g)
		fillRead(t, g)
		deny(t, g, d)
		for _, changed := range []bool{false, true} {
			if changed && slices.Contains(d.EdgeLabels, "knows") {
				continue // which is added
			}
			in := func(g *Graph) *Tx {
				tx := ok[*Tx](t)(g.Begin(t.Context(), TxOptions{}))
				t.Cleanup(func() { tx.Close() })
				return tx
			}
			plain := in(g)
			restricted := in(whole).Restrict(&Restriction{Denied: d, Refuse: func(what, name string) error { return errors.New(what + " " + name) }})
			if changed {
				d := d
				d.Keys = slices.DeleteFunc(slices.Clone(d.Keys), func(k string) bool { return k == "age" })
				edge := EdgeID(4)
				for !ok[bool](t)(plain.EdgeExists(edge)) {
					edge++
				}
				changeRead(t, plain, edge)
				changeRead(t, restricted.tx.Restrict(&Restriction{Denied: d}), edge)
			}
			if changed && slices.Contains(d.Keys, "age") {
				for _, p := range ok[[]PropertyEntry](t)(plain.VertexProperties(nil, 211, nil)) {
					if plain.Name(p.Key) == "age" {
						if err := plain.RemoveVertexProperty(211, p); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			for _, r := range readings() {
				if strings.HasPrefix(r.name, "of an age") || strings.HasPrefix(r.name, "heavy") || strings.HasPrefix(r.name, "weights") {
					if !d.Empty() {
						continue // these indexes are not there
					}
				}
				want, got := sumOf(t, r, plain), sumOf(t, r, restricted)
				if want != got {
					t.Errorf("%+v, changed %t: %s is not what it is without", d, changed, r.name)
				}
			}
		}
	}
}

// sumOf is a sum of what reading gives.
func sumOf(t *testing.T, r reading, in View) uint64 {
	t.Helper()
	sum := fnv.New64a()
	if err := r.read(in, func(x ...any) { fmt.Fprintln(sum, x...) }); err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	return sum.Sum64()
}

// TestRestricted_Indexes lists the indexes that are about nothing that is denied.
func TestRestricted_Indexes(t *testing.T) {
	db := ok[*Database](t)(Open(readStore(t), DatabaseOptions{CacheBytes: 1 << 20}))
	defer db.Close()
	tx := reader(t, ok[*Graph](t)(db.Graph("g")))
	for _, x := range []struct {
		denied Denied
		want   string
	}{
		{Denied{}, "[age] [weight] [both words] [heavy]"},
		{Denied{Keys: []string{"age"}}, "[] [weight] [words] [heavy]"},
		{Denied{Keys: []string{"weight"}}, "[age] [] [both words] []"},
		{Denied{Keys: []string{"name", "text"}}, "[age] [weight] [] [heavy]"},
		{Denied{VertexLabels: []string{"person", "knows"}}, "[age] [weight] [words] [heavy]"},
		{Denied{EdgeLabels: []string{"knows", "person"}}, "[age] [weight] [both words] []"},
	} {
		r := tx.Restrict(&Restriction{Denied: x.denied})
		for range 2 { // the second time from what is kept
			var named [2][]string
			for i, c := range []ElementClass{VertexClass, EdgeClass} {
				for _, d := range r.DeclaredIndexes(c) {
					named[i] = append(named[i], d.Name)
				}
				slices.Sort(named[i])
			}
			if got := fmt.Sprint(r.VertexIndexes(), r.EdgeIndexes(), named[0], named[1]); got != x.want {
				t.Errorf("%+v: %s, want %s", x.denied, got, x.want)
			}
		}
	}
}

// TestRestricted_Writes: who is denied a key or a label cannot write it, and changes nothing
// that is not there for him.
func TestRestricted_Writes(t *testing.T) {
	_, g := openCached(t, 1<<20)
	var shown, hidden VertexID
	var known, secret, toHidden EdgeID
	commit(t, g, func(tx *Tx) error {
		shown, hidden = ok[VertexID](t)(tx.AddVertex("person", value.Null)), ok[VertexID](t)(tx.AddVertex("spy", value.Null))
		known, secret = ok[EdgeID](t)(tx.AddEdge("knows", shown, shown, value.Null)), ok[EdgeID](t)(tx.AddEdge("pays", shown, shown, value.Null))
		toHidden = ok[EdgeID](t)(tx.AddEdge("knows", shown, hidden, value.Null))
		for _, v := range []VertexID{shown, hidden} {
			for _, k := range []string{"name", "wage"} {
				ok[PropertyEntry](t)(tx.SetVertexProperty(v, "single", k, value.Int(1), value.Null, []value.Property{{Key: "note", Value: value.Int(1)}, {Key: "wage", Value: value.Int(1)}}))
			}
		}
		for _, e := range []EdgeID{known, secret, toHidden} {
			for _, k := range []string{"since", "wage"} {
				if err := tx.SetEdgeProperty(e, k, value.Int(1)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	d := Denied{Keys: []string{"wage"}, EdgeLabels: []string{"pays"}, VertexLabels: []string{"spy"}}
	entry := func(r *Restricted, v VertexID, key string) PropertyEntry {
		s, _ := r.Symbol(key)
		all := ok[[]PropertyEntry](t)(r.tx.VertexProperties(nil, v, []Symbol{s}))
		return all[0]
	}
	set := func(v VertexID, key string, meta ...string) func(r *Restricted) error {
		return func(r *Restricted) error {
			var ps []value.Property
			for _, m := range meta {
				ps = append(ps, value.Property{Key: m, Value: value.Int(2)})
			}
			_, err := r.SetVertexProperty(v, "single", key, value.Int(2), value.Null, ps)
			return err
		}
	}
	const refused, none = "refused", "none"
	for name, x := range map[string]struct {
		write func(r *Restricted) error
		want  string
	}{
		"a person":                   {func(r *Restricted) error { _, err := r.AddVertex("person", value.Null); return err }, ""},
		"a spy":                      {func(r *Restricted) error { _, err := r.AddVertex("spy", value.Null); return err }, refused},
		"an edge":                    {func(r *Restricted) error { _, err := r.AddEdge("knows", shown, shown, value.Null); return err }, ""},
		"a vertex called as an edge": {func(r *Restricted) error { _, err := r.AddVertex("pays", value.Null); return err }, ""},
		"an edge that pays":          {func(r *Restricted) error { _, err := r.AddEdge("pays", shown, shown, value.Null); return err }, refused},
		"an edge to a spy":           {func(r *Restricted) error { _, err := r.AddEdge("knows", shown, hidden, value.Null); return err }, none},
		"an edge from a spy":         {func(r *Restricted) error { _, err := r.AddEdge("knows", hidden, shown, value.Null); return err }, none},
		"a name":                     {set(shown, "name", "note"), ""},
		"a wage":                     {set(shown, "wage"), refused},
		"a wage of a name":           {set(shown, "name", "note", "wage"), refused},
		"the name of a spy":          {set(hidden, "name"), none},
		"a note of a name": {func(r *Restricted) error {
			return r.SetMetaProperty(shown, entry(r, shown, "name"), "note", value.Int(2))
		}, ""},
		"the wage of a name": {func(r *Restricted) error {
			return r.SetMetaProperty(shown, entry(r, shown, "name"), "wage", value.Int(2))
		}, refused},
		"a note of a wage": {func(r *Restricted) error {
			return r.SetMetaProperty(shown, entry(r, shown, "wage"), "note", value.Int(2))
		}, refused},
		"a note of a spy's name": {func(r *Restricted) error {
			return r.SetMetaProperty(hidden, entry(r, hidden, "name"), "note", value.Int(2))
		}, none},
		"since":                         {func(r *Restricted) error { return r.SetEdgeProperty(known, "since", value.Int(2)) }, ""},
		"an edge's wage":                {func(r *Restricted) error { return r.SetEdgeProperty(known, "wage", value.Int(2)) }, refused},
		"since of a hidden edge":        {func(r *Restricted) error { return r.SetEdgeProperty(secret, "since", value.Int(2)) }, none},
		"since of an edge to a spy":     {func(r *Restricted) error { return r.SetEdgeProperty(toHidden, "since", value.Int(2)) }, none},
		"a person is gone":              {func(r *Restricted) error { return r.RemoveVertex(shown) }, ""},
		"a spy is gone":                 {func(r *Restricted) error { return r.RemoveVertex(hidden) }, none},
		"an edge is gone":               {func(r *Restricted) error { return r.RemoveEdge(known) }, ""},
		"a hidden edge is gone":         {func(r *Restricted) error { return r.RemoveEdge(secret) }, none},
		"an edge to a spy is gone":      {func(r *Restricted) error { return r.RemoveEdge(toHidden) }, none},
		"a name is gone":                {func(r *Restricted) error { return r.RemoveVertexProperty(shown, entry(r, shown, "name")) }, ""},
		"a wage is gone":                {func(r *Restricted) error { return r.RemoveVertexProperty(shown, entry(r, shown, "wage")) }, refused},
		"a spy's name is gone":          {func(r *Restricted) error { return r.RemoveVertexProperty(hidden, entry(r, hidden, "name")) }, none},
		"a note is gone":                {func(r *Restricted) error { return r.RemoveMetaProperty(shown, entry(r, shown, "name"), "note") }, ""},
		"the wage of a name is gone":    {func(r *Restricted) error { return r.RemoveMetaProperty(shown, entry(r, shown, "name"), "wage") }, refused},
		"the note of a spy is gone":     {func(r *Restricted) error { return r.RemoveMetaProperty(hidden, entry(r, hidden, "name"), "note") }, none},
		"since is gone":                 {func(r *Restricted) error { return r.RemoveEdgeProperty(known, "since") }, ""},
		"an edge's wage is gone":        {func(r *Restricted) error { return r.RemoveEdgeProperty(known, "wage") }, refused},
		"since of a hidden one is gone": {func(r *Restricted) error { return r.RemoveEdgeProperty(secret, "since") }, none},
	} {
		tx := ok[*Tx](t)(g.Begin(t.Context(), TxOptions{}))
		r := tx.Restrict(&Restriction{Denied: d, Refuse: func(what, name string) error { return errors.New(refused + " " + what + " " + name) }})
		err := x.write(r)
		switch {
		case x.want == "" && err != nil, x.want == none && !errors.Is(err, ErrNoElement),
			x.want == refused && (err == nil || !strings.HasPrefix(err.Error(), refused)):
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
		if wrote := tx.Pending(); wrote != (x.want == "") {
			t.Errorf("%s: wrote %t", name, wrote)
		}
		tx.Close()
	}
}

// TestDenied_And: what two deny is what either does, once and in order.
func TestDenied_And(t *testing.T) {
	a := Denied{Keys: []string{"d", "b"}, EdgeLabels: []string{"x"}}
	b := Denied{Keys: []string{"c", "b", "a"}, VertexLabels: []string{"z", "y"}}
	got := a.And(&b)
	if want := (Denied{Keys: []string{"a", "b", "c", "d"}, EdgeLabels: []string{"x"}, VertexLabels: []string{"y", "z"}}); !got.Equal(&want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.Equal(&a) || a.Empty() || !(&Denied{}).Empty() || !a.Equal(&Denied{Keys: []string{"d", "b"}, EdgeLabels: []string{"x"}}) {
		t.Error("what is denied is taken for something else")
	}
	if n := len(a.Keys); n != 2 || a.Keys[0] != "d" {
		t.Errorf("%v was changed", a.Keys)
	}
}
