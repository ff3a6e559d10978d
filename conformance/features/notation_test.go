package main

import (
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

func modern() *toyGraph {
	property := func(id int64, key string, v value.Value) value.Value {
		return value.OfVertexProperty(&value.VertexProperty{ID: value.Long(id), Key: key, Value: v})
	}
	vertex := func(id int32, name string, age int32) value.Value {
		return value.DetachedVertex(&value.Element{ID: value.Int(id), Label: "person",
			Properties: []value.Value{property(int64(id)*10, "name", value.String(name)), property(int64(id)*10+1, "age", value.Int(age))}})
	}
	marko, vadas := vertex(1, "marko", 29), vertex(2, "vadas", 27)
	knows := value.DetachedEdge(&value.Element{ID: value.Int(7), Label: "knows", Out: marko, In: vadas})
	return newToyGraph([]value.Value{marko, vadas}, []value.Value{knows})
}

func TestNotation_Parse(t *testing.T) {
	for text, want := range map[string]string{
		"marko":                              `String(marko)`,
		"null":                               `Null(null)`,
		"true":                               `Boolean(true)`,
		"str[ a]":                            `String( a)`,
		"d[1].b":                             `Byte(1)`,
		"d[1].s":                             `Short(1)`,
		"d[-1].i":                            `Integer(-1)`,
		"d[1].l":                             `Long(1)`,
		"d[0.5].f":                           `Float(0.5)`,
		"d[0.5].d":                           `Double(0.5)`,
		"d[12].n":                            `BigInteger(12)`,
		"d[1.50].m":                          `BigDecimal(1.50)`,
		"d[NaN]":                             `Double(NaN)`,
		"v[marko].id":                        `Integer(1)`,
		"v[marko].sid":                       `String(1)`,
		"v[marko]":                           `Vertex(v[1])`,
		"v[nobody]":                          `Vertex(v[nobody])`,
		"e[marko-knows->vadas].id":           `Integer(7)`,
		"vp[marko-age->d[29].i]":             `VertexProperty(vp[age->29])`,
		"l[]":                                `List([])`,
		"l[a,d[1].i]":                        `List([a, 1])`,
		"l[l[a,b],s[c]]":                     `List([[a, b], [c]])`,
		"s[a]":                               `Set([a])`,
		"t[label]":                           `T(label)`,
		"D[from]":                            `Direction(OUT)`,
		`m[{"t[id]":"d[1].i","k":[1, 0.5]}]`: `Map({id=1, k=[1, 0.5]})`,
	} {
		v, err := notation{modern()}.parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := v.GoString(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"d[x].i", "d[1].q", "e[marko-likes->vadas]", "t[nothing]", "m[{]"} {
		if v, err := (notation{modern()}).parse(text); err == nil {
			t.Errorf("%s: got %#v, want an error", text, v)
		}
	}
}

func TestNotation_Tree(t *testing.T) {
	tree, err := notation{modern()}.parseTree("|--marko\n   |--josh\n      |--lop\n   |--vadas\n|--peter\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tree.Value().String(), "{marko={josh={lop={}}, vadas={}}, peter={}}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := (notation{modern()}).parseTree("      |--lop"); err == nil {
		t.Error("a leaf without a branch is read")
	}
}

func TestSame(t *testing.T) {
	n := notation{modern()}
	must := func(text string) value.Value {
		v, err := n.parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		got, want string
		same      bool
	}{
		{"d[1].i", "d[1].i", true},
		{"d[1].i", "d[1].l", false},
		{"s[a,b]", "s[b,a]", true},
		{"l[a,b]", "l[b,a]", false},
		{`m[{"a":"b","c":"d"}]`, `m[{"c":"d","a":"b"}]`, true},
		{`m[{"a":"b"}]`, `m[{"a":"c"}]`, false},
		{"v[marko]", "v[marko]", true},
		{"v[marko]", "v[vadas]", false},
		{"p[v[marko],a]", "p[v[marko],a]", true},
	} {
		if got := same(must(c.got), must(c.want)); got != c.same {
			t.Errorf("same(%s, %s) is %t", c.got, c.want, got)
		}
	}
	if sameUnordered([]value.Value{value.Int(1), value.Int(1)}, []value.Value{value.Int(1), value.Int(2)}) {
		t.Error("one expectation is used twice")
	}
}
