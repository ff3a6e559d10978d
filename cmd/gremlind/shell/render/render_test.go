package render

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
	"github.com/gremlind/gremlind/traversal"
)

func object(entries ...any) value.Value {
	m := value.NewMap()
	for i := 0; i < len(entries); i += 2 {
		m.Put(value.Of(entries[i]), value.Of(entries[i+1]))
	}
	return m.Value()
}

func vertex(id int32, label string, properties ...any) value.Value {
	e := &value.Element{ID: value.Int(id), Label: label, Properties: []value.Value{}}
	for i := 0; i < len(properties); i += 2 {
		e.Properties = append(e.Properties, value.OfVertexProperty(&value.VertexProperty{Key: properties[i].(string), Value: value.Of(properties[i+1])}))
	}
	return value.DetachedVertex(e)
}

func edge(id int32, label string, out, in value.Value) value.Value {
	return value.DetachedEdge(&value.Element{ID: value.Int(id), Label: label, Out: out, In: in, Properties: []value.Value{}})
}

func write(t rapid.TB, f Format, o Options, rows ...value.Value) string {
	t.Helper()
	var b strings.Builder
	w := New(f, &b, o)
	if err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTable(t *testing.T) {
	a, b := vertex(1, "a"), vertex(2, "b")
	tree := &value.Tree{Keys: []value.Value{value.Of("x")}, Children: []*value.Tree{{}}}
	for name, c := range map[string]struct {
		rows []value.Value
		want string
	}{
		"nothing":    {nil, ""},
		"plain":      {[]value.Value{value.Of("a"), value.Null, value.Of(1.5)}, "a\nnull\n1.5\n"},
		"mixed":      {[]value.Value{a, value.Of(1)}, "v[1]\n1\n"},
		"empty maps": {[]value.Value{object(), object()}, "{}\n{}\n"},
		"maps": {[]value.Value{object("k", 1, "long", "x"), object("k", 22)},
			"  k │ long\n────┼──────\n  1 │ x\n 22 │ \n"},
		"a map":       {[]value.Value{object("k", "v")}, " key │ value\n─────┼───────\n k   │ v\n"},
		"entries":     {[]value.Value{object(1, "x"), object("日本", "y")}, " key  │ value\n──────┼───────\n 1    │ x\n 日本 │ y\n"},
		"same names":  {[]value.Value{vertex(1, "a", "id", 7), vertex(2, "a")}, " id │ label │ property id\n────┼───────┼─────────────\n  1 │ a     │           7\n  2 │ a     │            \n"},
		"many values": {[]value.Value{vertex(1, "a", "k", 1, "k", 2), vertex(1, "a")}, " id │ label │ k\n────┼───────┼────────\n  1 │ a     │ [1, 2]\n  1 │ a     │ \n"},
		"a path":      {[]value.Value{(&value.Path{Objects: []value.Value{a, edge(3, "e", a, b), b, edge(3, "e", a, b), a, value.Of("x")}}).Value()}, "v[1] -e-> v[2] <-e- v[1] -> x\n"},
		"trees":       {[]value.Value{tree.Value(), (&value.Tree{}).Value()}, "x\n(an empty tree)\n"},
		"controls":    {[]value.Value{value.Of("\x1b[2J\u009b\u202e\t\x00é")}, `\u001b[2J\u009b\u202e\t\u0000é` + "\n"},
	} {
		if got := write(t, Table, Options{}, c.rows...); got != c.want {
			t.Errorf("%s:\n%s\nwanted\n%s", name, got, c.want)
		}
	}
}

// TestTable_Chunks goes on with its columns, and begins anew where they do not fit.
func TestTable_Chunks(t *testing.T) {
	var b strings.Builder
	w := New(Table, &b, Options{})
	for i := range chunkRows {
		w.Write([]value.Value{object("a", i, "b", "x")})
	}
	w.Write([]value.Value{object("a", 1)})
	w.Flush()
	w.Write([]value.Value{object("c", 1), object("c", 2)})
	w.Close()
	if got := b.String(); strings.Count(got, "a │ b") != 1 || !strings.HasSuffix(got, " 1 │ \n\n c\n───\n 1\n 2\n") {
		t.Errorf("%.200s ... %s", got, got[max(len(got)-100, 0):])
	}
}

func TestCSV_Fails(t *testing.T) {
	late := make([]value.Value, chunkRows, chunkRows+1)
	for i := range late {
		late[i] = object("a", 1, "b", 2)
	}
	for name, c := range map[string]struct {
		last value.Value
		o    Options
		want string
	}{
		"another column": {object("z", 1), Options{}, `the key "z"`},
		"no columns":     {value.Of(1), Options{}, "--format json"},
		"chosen":         {object("z", 1, "a", 3), Options{Columns: []string{"a"}}, ""},
	} {
		var b strings.Builder
		w := New(CSV, &b, c.o)
		err := w.Write(late[:chunkRows:chunkRows])
		if err == nil {
			err = w.Write([]value.Value{c.last})
		}
		switch {
		case c.want == "" && (err != nil || !strings.HasSuffix(b.String(), "\n1\n3\n")):
			t.Errorf("%s: %v %s", name, err, b.String()[len(b.String())-10:])
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Readers of CSV take an empty line for none.
func TestCSV_NoLineIsEmpty(t *testing.T) {
	for _, c := range []struct {
		o    Options
		rows []value.Value
		want string
	}{
		{Options{}, []value.Value{object("a", nil), object("a", 1)}, "a\n\"\"\n1\n"},
		{Options{Columns: []string{"b"}}, []value.Value{object("a", 1, "b", 2), object("a", 1, "c", 2)}, "b\n2\n\"\"\n"},
		{Options{}, []value.Value{value.Null, value.Of(1)}, "value\n\"\"\n1\n"},
		{Options{NoHeader: true}, []value.Value{value.Null}, "\"\"\n"},
	} {
		if got := write(t, CSV, c.o, c.rows...); got != c.want {
			t.Errorf("%v: %q, want %q", c.rows, got, c.want)
		}
	}
}

func TestProfile(t *testing.T) {
	m := &traversal.TraversalMetrics{DurationNS: 4_000_000, Metrics: []*traversal.Metrics{
		{Name: "GraphStep(vertex,[])", DurationNS: 3_000_000, Counts: map[string]int64{"elementCount": 6, "traverserCount": 3}},
		{Name: "A step with a name that is rather long", DurationNS: 1_000_000, Nested: []*traversal.Metrics{{Name: "inner", DurationNS: 5}},
			Annotations: []traversal.Annotation{{Key: "percentDur", Value: value.Of(25.0)}, {Key: "index", Value: value.Of("name")}}},
	}}
	v := value.Object(value.KindTraversalMetrics, m)
	got := write(t, Table, Options{}, v)
	for _, want := range []string{"75.0% ███████████████\n", "25.0% █████\n", "    index: name\n", "  inner", "total"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, width := range []int{24, 33, 40, 51, 52, 60, 80} {
		for _, line := range strings.Split(write(t, Table, Options{Width: width}, v), "\n") {
			if Width(line) > width {
				t.Errorf("%d columns: %s", width, line)
			}
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"e\u0301e\u0301e\u0301", 2, "e\u0301…"}} {
		if got := Clip(c.text, c.width); got != c.want || Width(got) > c.width {
			t.Errorf("Clip(%q, %d) = %q", c.text, c.width, got)
		}
	}
}

// TestFormats_Everything writes values of every kind in every format: JSON that is read
// again, CSV of as many records, and nothing that a terminal would obey.
func TestFormats_Everything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.OneOf(valuetest.Storable(2), rapid.Custom(func(t *rapid.T) value.Value {
			m := value.NewMap()
			for range rapid.IntRange(0, 3).Draw(t, "entries") {
				m.Put(valuetest.Scalar().Draw(t, "key"), valuetest.Storable(1).Draw(t, "value"))
			}
			return m.Value()
		})), 1, 5).Draw(t, "rows")
		for _, width := range []int{0, 40} {
			for _, c := range write(t, Table, Options{Width: width}, rows...) {
				if c != '\n' && unsafe(c) {
					t.Fatalf("%q reaches the terminal", c)
				}
			}
		}
		for _, f := range []Format{JSON, GraphSON} {
			lines := strings.Split(strings.TrimSuffix(write(t, f, Options{}, rows...), "\n"), "\n")
			if len(lines) != len(rows) {
				t.Fatalf("%s: %d lines of %d values", f, len(lines), len(rows))
			}
			for _, l := range lines {
				if !json.Valid([]byte(l)) {
					t.Fatalf("%s: %s", f, l)
				}
			}
		}
		var b strings.Builder
		w := New(CSV, &b, Options{})
		if w.Write(rows) != nil || w.Close() != nil {
			return // results of several shapes have no CSV
		}
		records, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil || len(records) != len(rows)+1 {
			t.Fatalf("%d records of %d values, %v:\n%s", len(records), len(rows), err, b.String())
		}
	})
}

// TestProperty: whatever kind of property it is, it has a key and a value; what is none has neither.
func TestProperty(t *testing.T) {
	one := value.Of(1)
	for _, c := range []struct {
		v    value.Value
		key  string
		want value.Value
	}{
		{value.OfVertexProperty(&value.VertexProperty{Key: "a", Value: one}), "a", one},
		{value.OfProperty(&value.Property{Key: "b", Value: one}), "b", one},
		{value.String("c"), "", value.Null},
	} {
		if key, got := property(c.v); key != c.key || got.JavaString() != c.want.JavaString() {
			t.Errorf("%v: %q, %v", c.v, key, got)
		}
	}
}
