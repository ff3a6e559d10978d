package indexhost

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/value"
)

// EveryKind are declared indexes of every kind, on the keys a and b of vertices, w of edges, u
// whose values are unique and at whose values are points.
var EveryKind = []blueprints.IndexSpec{
	{Name: "ab", Class: blueprints.VertexClass, Label: "p", Keys: []string{"a", "b"}},
	{Name: "ba", Class: blueprints.VertexClass, Keys: []string{"b", "a"}},
	{Name: "u", Class: blueprints.VertexClass, Label: "p", Keys: []string{"u"}, Unique: true},
	{Name: "ua", Class: blueprints.VertexClass, Keys: []string{"u", "a"}, Unique: true},
	{Name: "t", Class: blueprints.VertexClass, Keys: []string{"a", "b"}, Analyzer: "trigram"},
	{Name: "words", Class: blueprints.VertexClass, Keys: []string{"a"}, Analyzer: "words"},
	{Name: "at", Class: blueprints.VertexClass, Keys: []string{"at"}, Analyzer: "geo"},
	{Name: "w", Class: blueprints.EdgeClass, Keys: []string{"w"}},
	{Name: "out", Class: blueprints.EdgeClass, Label: "e", Keys: []string{"w"}, Direction: "OUT"},
	{Name: "both", Class: blueprints.EdgeClass, Label: "f", Keys: []string{"w"}, Direction: "BOTH"},
}

// SampleValues are values of several kinds, equal ones and such that an index cuts among them.
var SampleValues = []value.Value{
	value.Int(1), value.Long(1), value.Double(1), value.Int(-7), value.String("a"), value.String("ab"), value.String(""),
	value.Double(-0.5), value.Bool(true), value.String(fmt.Sprintf("%0400d", 1)), value.String(fmt.Sprintf("%0400d", 2)),
	value.Of([]any{1, "x"}), value.Long(1 << 60), value.Double(1 << 60), value.String("a cable car"),
}

// seen is an element as a scan finds it.
type seen struct {
	id, out, in uint64
	label       blueprints.Symbol
	values      map[string][]value.Value
}

// scanAll reads all elements of a class without an index.
func scanAll(tx *blueprints.Tx, c blueprints.ElementClass) (all []seen, err error) {
	if c == blueprints.EdgeClass {
		it := tx.Edges()
		defer it.Close()
		buf := make([]blueprints.EdgeID, 64)
		for n := it.Next(buf); n > 0; n = it.Next(buf) {
			for _, e := range buf[:n] {
				s := seen{id: uint64(e), values: map[string][]value.Value{}}
				h, err := tx.Edge(e)
				s.label, s.out, s.in = h.Label, uint64(h.Out), uint64(h.In)
				props, perr := tx.EdgeProperties(nil, e, nil)
				if err != nil || perr != nil {
					return nil, fmt.Errorf("edge %d: %w, %w", e, err, perr)
				}
				for _, p := range props {
					s.values[tx.Name(p.Key)] = []value.Value{p.Value}
				}
				all = append(all, s)
			}
		}
		return all, it.Err()
	}
	it := tx.Vertices()
	defer it.Close()
	buf := make([]blueprints.VertexID, 64)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		for _, v := range buf[:n] {
			s := seen{id: uint64(v), values: map[string][]value.Value{}}
			if s.label, err = tx.VertexLabel(v); err != nil {
				return nil, err
			}
			props, err := tx.VertexProperties(nil, v, nil)
			if err != nil {
				return nil, err
			}
			for _, p := range props {
				k := tx.Name(p.Key)
				s.values[k] = append(s.values[k], p.Value)
			}
			all = append(all, s)
		}
	}
	return all, it.Err()
}

// Agree returns an error unless every complete index that tx sees, of a key or declared, finds
// what a scan finds.
func Agree(tx *blueprints.Tx) error {
	for _, c := range []blueprints.ElementClass{blueprints.VertexClass, blueprints.EdgeClass} {
		defs, keys := tx.DeclaredIndexes(c), tx.VertexIndexes()
		if c == blueprints.EdgeClass {
			keys = tx.EdgeIndexes()
		}
		if len(defs) == 0 && len(keys) == 0 {
			continue
		}
		all, err := scanAll(tx, c)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := agreeOnKeys(tx, c, key, all); err != nil {
				return err
			}
		}
		for _, d := range defs {
			all := slices.DeleteFunc(slices.Clone(all), func(s seen) bool { return d.LabelSymbol != 0 && uint32(s.label) != d.LabelSymbol })
			for _, probe := range probes(d) {
				if err := agreeOn(tx, d, all, probe); err != nil {
					return fmt.Errorf("%s index %s: %w", d.Kind, d.Name, err)
				}
			}
		}
	}
	return nil
}

// probe is something to look up: the values of the first keys, a range of the next, or texts.
type probe struct {
	columns blueprints.IndexColumns
	passes  func(s seen) bool
}

func has(s seen, key string, test func(value.Value) bool) bool {
	return slices.ContainsFunc(s.values[key], test)
}

func equalTo(v value.Value) func(value.Value) bool {
	return func(w value.Value) bool { return value.Equal(v, w) }
}

func positive(w value.Value) bool {
	n, ok := value.Compare(w, value.Int(0))
	return ok && n > 0
}

// probes returns what is looked up in an index.
func probes(d *blueprints.IndexDefinition) (list []probe) {
	switch d.Kind {
	case keyindex.Geo:
		return []probe{{passes: func(s seen) bool { return len(s.values["at"]) > 0 }}}
	case keyindex.Text:
		for _, part := range []string{"0000", "cable", "car"} {
			p := probe{columns: blueprints.IndexColumns{Texts: []string{part}}}
			p.passes = func(s seen) bool {
				return slices.ContainsFunc(d.Keys, func(k string) bool {
					return has(s, k, func(v value.Value) bool { return v.Kind() == value.KindString && strings.Contains(v.Str(), part) })
				})
			}
			list = append(list, p)
		}
		return list
	}
	first, last := d.Keys[0], d.Keys[len(d.Keys)-1]
	above := blueprints.ValueRange{Min: value.Int(0), HasMin: true, MinOpen: true}
	if len(d.Keys) == 1 {
		list = append(list, probe{blueprints.IndexColumns{Range: above, Ranged: true}, func(s seen) bool { return has(s, first, positive) }})
	}
	for _, v := range SampleValues {
		if len(d.Keys) == 1 {
			list = append(list, probe{blueprints.IndexColumns{Equal: []value.Value{v}}, func(s seen) bool { return has(s, first, equalTo(v)) }})
			continue
		}
		for _, w := range SampleValues[:5] {
			both := func(s seen) bool { return has(s, first, equalTo(v)) && has(s, last, equalTo(w)) }
			list = append(list, probe{blueprints.IndexColumns{Equal: []value.Value{v, w}}, both})
		}
		list = append(list, probe{blueprints.IndexColumns{Equal: []value.Value{v}, Range: above, Ranged: true},
			func(s seen) bool { return has(s, first, equalTo(v)) && has(s, last, positive) }})
	}
	return list
}

// agreeOn compares what an index finds, tested again where it is not exact, with what passes.
func agreeOn(tx *blueprints.Tx, d *blueprints.IndexDefinition, all []seen, p probe) error {
	if d.Kind == keyindex.EdgeCentric {
		return agreeOnWalks(tx, d, all, p)
	}
	found, exact, err := find(tx, d, p)
	if err != nil {
		return err
	}
	return same(found, exact, all, p, "")
}

// same compares what was found with those of all that pass.
func same(found []uint64, exact bool, all []seen, p probe, of string) error {
	var want []uint64
	for _, s := range all {
		passes := p.passes(s)
		if passes {
			want = append(want, s.id)
		}
		if !passes && !exact {
			found = slices.DeleteFunc(found, func(id uint64) bool { return id == s.id })
		}
	}
	slices.Sort(found)
	if slices.Sort(want); !slices.Equal(found, want) {
		return fmt.Errorf("%+v%s: found %v, want %v", p.columns, of, found, want)
	}
	return nil
}

func find(tx *blueprints.Tx, d *blueprints.IndexDefinition, p probe) (found []uint64, exact bool, err error) {
	switch {
	case d.Kind == keyindex.Geo:
		whole, err := keyindex.Box(-90, -180, 90, 180)
		if err != nil {
			return nil, true, err
		}
		_, points, release, err := tx.SearchPoints(nil, d.Name, whole)
		defer release()
		for _, f := range points {
			found = append(found, f.Element)
		}
		return found, true, err
	case d.Analyzer == keyindex.Words:
		_, words, release, err := tx.SearchWords(nil, d.Name, p.columns.Texts[0]+"*")
		defer release()
		for _, f := range words {
			found = append(found, f.Element)
		}
		return found, false, err
	case d.Class == blueprints.EdgeClass:
		return edgesIn(tx.LookupEdgesBy(d, p.columns))
	}
	return verticesIn(tx.LookupVerticesBy(d, p.columns))
}

// agreeOnWalks looks up the edges of each vertex.
func agreeOnWalks(tx *blueprints.Tx, d *blueprints.IndexDefinition, all []seen, p probe) error {
	vertices, err := scanAll(tx, blueprints.VertexClass)
	if err != nil {
		return err
	}
	for _, dir := range []blueprints.Direction{blueprints.Out, blueprints.In} {
		if dir == blueprints.In && d.Direction == "OUT" {
			continue
		}
		for _, v := range vertices {
			var w walked
			x := blueprints.Expansion{Dir: dir, Want: blueprints.WantWalk, By: &blueprints.EdgeLookup{Index: d, Columns: p.columns}}
			if err := tx.Expand([]blueprints.VertexID{blueprints.VertexID(v.id)}, x, &w); err != nil {
				return err
			}
			own := slices.DeleteFunc(slices.Clone(all), func(s seen) bool {
				return dir == blueprints.Out && s.out != v.id || dir == blueprints.In && s.in != v.id
			})
			if err := same(w.found, w.exact, own, p, fmt.Sprintf(" of vertex %d", v.id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// walked takes what an edge-centric index finds.
type walked struct {
	found []uint64
	exact bool
}

func (w *walked) Take(int, blueprints.Expanded) error { return nil }

func (w *walked) TakeWalk(_ int, it blueprints.EdgeWalk) error {
	defer it.Close()
	buf := make([]blueprints.Adjacent, 8)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		for _, e := range buf[:n] {
			w.found = append(w.found, uint64(e.Edge))
		}
	}
	w.exact = it.Exact()
	return it.Err()
}
