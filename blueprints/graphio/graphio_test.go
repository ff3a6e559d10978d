package graphio

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// memory is a graph of records.
type memory struct {
	vs []blueprints.VertexRecord
	es []blueprints.EdgeRecord
}

func (g *memory) Vertex(v *blueprints.VertexRecord) error { g.vs = append(g.vs, *v); return nil }
func (g *memory) Edge(e *blueprints.EdgeRecord) error     { g.es = append(g.es, *e); return nil }

func (g *memory) EachVertex(fn func(*blueprints.VertexRecord) error) error {
	for i := range g.vs {
		if err := fn(&g.vs[i]); err != nil {
			return err
		}
	}
	return nil
}

func (g *memory) EachEdge(fn func(*blueprints.EdgeRecord) error) error {
	for i := range g.es {
		if err := fn(&g.es[i]); err != nil {
			return err
		}
	}
	return nil
}

func (g *memory) EachLoose(fn func(*blueprints.EdgeRecord) error) error { return g.EachEdge(fn) }

func (g *memory) EachStar(fn func(*blueprints.Star) error) error {
	for i := range g.vs {
		v := &g.vs[i]
		star := &blueprints.Star{Vertex: v, Edges: func(dir blueprints.Direction, fn func(*blueprints.EdgeRecord) error) error {
			var of []blueprints.EdgeRecord
			for _, e := range g.es {
				if dir == blueprints.Out && value.Identical(e.Out, v.ID) || dir == blueprints.In && value.Identical(e.In, v.ID) {
					of = append(of, e)
				}
			}
			slices.SortStableFunc(of, func(a, b blueprints.EdgeRecord) int { return strings.Compare(a.Label, b.Label) })
			for i := range of {
				if err := fn(&of[i]); err != nil {
					return err
				}
			}
			return nil
		}}
		if err := fn(star); err != nil {
			return err
		}
	}
	return nil
}

func property(key string, v value.Value) blueprints.PropertyRecord {
	return blueprints.PropertyRecord{Key: key, Value: v, ID: value.Long(1)}
}

// sample has what every format can hold, with text that needs escaping.
func sample() *memory {
	return &memory{
		vs: []blueprints.VertexRecord{
			{ID: value.Int(1), Label: "person", Properties: []blueprints.PropertyRecord{property("name", value.String(`ma<r>&"ko"`)), property("age", value.Int(29))}},
			{ID: value.Int(2), Label: "soft ware", Properties: []blueprints.PropertyRecord{property("big", value.Long(1<<40)), property("on", value.Bool(true))}},
		},
		es: []blueprints.EdgeRecord{{ID: value.Int(3), Label: "created", Out: value.Int(1), In: value.Int(2),
			Properties: []blueprints.PropertyRecord{property("weight", value.Double(0.4))}}},
	}
}

func TestRoundTrip(t *testing.T) {
	for _, f := range []Format{GraphML, GraphSON, Gryo} {
		t.Run(string(f), func(t *testing.T) {
			var file bytes.Buffer
			if err := Write(context.Background(), f, &file, sample()); err != nil {
				t.Fatal(err)
			}
			var got memory
			if err := Read(context.Background(), f, &file, &got); err != nil {
				t.Fatal(err)
			}
			want := sample()
			for i, v := range want.vs {
				if got.vs[i].Label != v.Label || got.vs[i].ID.JavaString() != v.ID.JavaString() {
					t.Errorf("vertex %d = %+v", i, got.vs[i])
				}
				for j, p := range v.Properties {
					if g := got.vs[i].Properties[j]; g.Key != p.Key || !value.Identical(g.Value, p.Value) {
						t.Errorf("vertex %d: property %v = %v, want %v", i, g.Key, g.Value, p.Value)
					}
				}
			}
			if len(got.es) != 1 || got.es[0].Label != "created" || got.es[0].Properties[0].Value.Float64() != 0.4 {
				t.Errorf("edges = %+v", got.es)
			}
		})
	}
}

func TestGraphMLKeepsNothingBack(t *testing.T) {
	g := sample()
	g.vs[0].Properties = append(g.vs[0].Properties, property("name", value.String("second")))
	if err := WriteGraphML(context.Background(), &bytes.Buffer{}, g); err == nil || !strings.Contains(err.Error(), "several values") {
		t.Errorf("err = %v", err)
	}
}

func TestReadErrorsSayWhere(t *testing.T) {
	tests := []struct {
		format      Format
		file, wants string
	}{
		{GraphML, "", "no graph element"},
		{GraphML, "<graphml>\n<graph><node id='1'", "line 2"},
		{GraphML, "<graphml><key id='a' attr.name='age' attr.type='int'/><graph><node id='1'><data key='a'>x</data></node></graph></graphml>", `"x" is no int`},
		{GraphSON, `{"id":`, "vertex 1"},
		{GraphSON, `{"id":{"@type":"g:Int32","@value":"x"},"label":"a"}`, "vertex 1"},
		{CSV, "", "needs a header"},
		{CSV, "~label,name\n", "~id"},
		{CSV, "~id,~from\n", "~to"},
		{CSV, "~id,age:Foo\n", `unknown type "foo"`},
		{CSV, "~id,~id\n", "stands twice"},
		{CSV, "~id,age:Int\n1,x\n", "csv line 2"},
		{CSV, "~id,age:Int\n1,2\n1\n", "csv line 3"},
	}
	for _, tt := range tests {
		err := Read(context.Background(), tt.format, strings.NewReader(tt.file), &memory{})
		if err == nil || !strings.Contains(err.Error(), tt.wants) {
			t.Errorf("%s %q: err = %v, want %q", tt.format, tt.file, err, tt.wants)
		}
	}
}

func TestCSV(t *testing.T) {
	var g memory
	vertices := "~id,~label,name:String,age:Int(single),tags:String[],born:Date\na,person,marko,29,x;y,1990-01-02\nb,,,,,\n"
	edges := "~id,~from,~to,~label,weight:Double\n,a,b,knows,0.5\n"
	for _, file := range []string{vertices, edges} {
		if err := ReadCSV(context.Background(), strings.NewReader(file), &g, Handler{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(g.vs) != 2 || len(g.vs[0].Properties) != 5 || g.vs[0].Properties[3].Value.Str() != "y" || g.vs[1].Label != "vertex" {
		t.Errorf("vertices = %+v", g.vs)
	}
	if len(g.es) != 1 || !g.es[0].ID.IsNull() || g.es[0].In.Str() != "b" || g.es[0].Properties[0].Value.Float64() != 0.5 {
		t.Errorf("edges = %+v", g.es)
	}
}

func TestCSVReject(t *testing.T) {
	var g memory
	var lines []int
	reject := func(line int, _ []string, _ error) error {
		lines = append(lines, line)
		if len(lines) == 3 {
			return errors.New("too many")
		}
		return nil
	}
	err := ReadCSV(context.Background(), strings.NewReader("~id,age:Int\n1,x\n2,3\n,4\n5,6\n7,y\n"), &g, Handler{Reject: reject})
	if err == nil || len(g.vs) != 2 || len(lines) != 3 || lines[2] != 6 {
		t.Errorf("err = %v, %d vertices, rejected lines %v", err, len(g.vs), lines)
	}
}

func FuzzGraphML(f *testing.F) {
	f.Add([]byte(`<graphml><graph><node id="1"/><edge source="1" target="1"/></graph></graphml>`))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_ = ReadGraphML(context.Background(), bytes.NewReader(b), &memory{}, Handler{})
	})
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("~id,~label,age:Int\n1,a,3\n"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_ = ReadCSV(context.Background(), bytes.NewReader(b), &memory{}, Handler{})
	})
}

func FuzzGraphSON(f *testing.F) {
	f.Add([]byte(`{"id":{"@type":"g:Int32","@value":1},"label":"a"}`))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_ = ReadGraphSON(context.Background(), bytes.NewReader(b), &memory{}, Handler{})
	})
}

// TestCSV_Neptune reads what Neptune's own documentation allows.
func TestCSV_Neptune(t *testing.T) {
	var g memory
	file := "~id,a\\:b:Int,~label,tags:String[],two:Int(list)[],c\\d\n" +
		"v1,1,Person;Actor;Person,x;y\\;z;x,2;2,q\n" +
		"v2,,a\\;b,,,\n"
	if err := ReadCSV(context.Background(), strings.NewReader(file), &g, Handler{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range g.vs[0].Properties {
		got = append(got, p.Key+"="+p.Value.JavaString())
	}
	if want := []string{"a:b=1", "tags=x", "tags=y;z", "two=2", "two=2", `c\d=q`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if g.vs[0].Label != "Person::Actor" || g.vs[1].Label != "a;b" {
		t.Errorf("labels %q and %q", g.vs[0].Label, g.vs[1].Label)
	}
}

// TestCSV_QuotedNames has quotes around names with spaces in all places.
func TestCSV_QuotedNames(t *testing.T) {
	for _, header := range []string{`~id,"first name":String,n:Int`, `~id, "first name":String, n:Int`, `~id,"first name:String",n:Int`, `"~id","first name","n":Int`} {
		var g memory
		if err := ReadCSV(context.Background(), strings.NewReader(header+"\r\n1,Ann,5\n"), &g, Handler{}); err != nil {
			t.Errorf("%s: %v", header, err)
			continue
		}
		if ps := g.vs[0].Properties; len(ps) != 2 || ps[0].Key != "first name" || ps[1].Value.Int64() != 5 {
			t.Errorf("%s: %+v", header, ps)
		}
	}
	if err := ReadCSV(context.Background(), strings.NewReader("~id,\"first\"x\"\n1,2\n"), &memory{}, Handler{}); err == nil {
		t.Error("a quote that is never closed was taken")
	}
}

// TestCSV_Gephi reads the two tables of Gephi's data laboratory.
func TestCSV_Gephi(t *testing.T) {
	var g memory
	for _, file := range []string{
		"Id,Label,timeset,modularity_class\n1,Myriel,,0\n2,Napoleon,,1\n",
		"Source,Target,Type,Id,Label,timeset,Weight\n1,2,Undirected,0,,,8.0\n2,1,Directed,1,knows,,1\n",
	} {
		if err := ReadCSV(context.Background(), strings.NewReader(file), &g, Handler{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(g.vs) != 2 || g.vs[0].Label != "vertex" || g.vs[0].Properties[0].Key != "Label" || g.vs[0].Properties[0].Value.Str() != "Myriel" {
		t.Errorf("vertices %+v", g.vs)
	}
	if len(g.es) != 2 || g.es[0].Label != "edge" || g.es[1].Label != "knows" || g.es[0].Properties[1].Value.Float64() != 8 || g.es[0].ID.Str() != "0" {
		t.Errorf("edges %+v", g.es)
	}
}

// TestCSV_NotUTF8 refuses a record, and only that, also where chunks end.
func TestCSV_NotUTF8(t *testing.T) {
	for pad := range 6 {
		file := "~id,name\n" + strings.Repeat("x", pad) + "1,größe\n2,a\xffb\n3,\xc3\n4,ü\n"
		var lines []int
		var g memory
		h := Handler{Reject: func(line int, _ []string, _ error) error { lines = append(lines, line); return nil }}
		if err := ReadCSV(context.Background(), iotest.OneByteReader(strings.NewReader(file)), &g, h); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(lines, []int{3, 4}) || len(g.vs) != 2 {
			t.Fatalf("rejected %v, %d vertices", lines, len(g.vs))
		}
	}
	err := ReadCSV(context.Background(), strings.NewReader("~id,na\xffme\n1,a\n"), &memory{}, Handler{})
	if err == nil || !strings.Contains(err.Error(), "csv header") {
		t.Errorf("a header that is not UTF-8: %v", err)
	}
}

// TestCSV_RoundTrip writes texts that are hard to say and reads them back.
func TestCSV_RoundTrip(t *testing.T) {
	texts := []string{`a`, `;`, `\`, `\;`, `a;b`, `::`, `a::b`, `a:b`, `\:`, `"`, `,`, "x\ny", `a::`, `a;b::c`, `a::a`, ` b`, `größe`}
	for _, label := range texts {
		for _, key := range texts {
			for _, second := range append(texts, "") {
				v := blueprints.VertexRecord{ID: value.String("1"), Label: label, Properties: []blueprints.PropertyRecord{property(key, value.String(label))}}
				if second != "" {
					v.Properties = append(v.Properties, property(key, value.String(second)))
				}
				var file bytes.Buffer
				if err := WriteVertexCSV(context.Background(), &file, &memory{vs: []blueprints.VertexRecord{v}}); err != nil {
					t.Fatal(err)
				}
				text := file.String()
				var got memory
				if err := ReadCSV(context.Background(), &file, &got, Handler{}); err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				if got.vs[0].Label != label || len(got.vs[0].Properties) != len(v.Properties) {
					t.Fatalf("%q came back as %+v", text, got.vs[0])
				}
				for i, p := range got.vs[0].Properties {
					if strings.TrimSpace(p.Key) != strings.TrimSpace(key) || p.Value.Str() != v.Properties[i].Value.Str() {
						t.Fatalf("%q came back as %+v", text, got.vs[0])
					}
				}
			}
		}
	}
}

func FuzzEachRecord(f *testing.F) {
	for i := range sample().vs {
		b, err := AppendVertexRecord(nil, &sample().vs[i])
		if err != nil {
			f.Fatal(err)
		}
		if b, err = AppendEdgeRecord(b, &sample().es[0]); err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var g, again memory
		if EachRecord(b, &g) != nil {
			return
		}
		var out []byte
		for i := range g.vs {
			out, _ = AppendVertexRecord(out, &g.vs[i])
		}
		for i := range g.es {
			out, _ = AppendEdgeRecord(out, &g.es[i])
		}
		if err := EachRecord(out, &again); err != nil || len(again.vs) != len(g.vs) || len(again.es) != len(g.es) {
			t.Fatalf("%d and %d records came back, want %d and %d: %v", len(again.vs), len(again.es), len(g.vs), len(g.es), err)
		}
	})
}

// TestCSV_Spreadsheets reads tables as spreadsheets, APOC and Neo4j's import have them.
func TestCSV_Spreadsheets(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"semicolons, quotes and CRLF": {"\ufeff~id;~label;name;age:Int;\"a;b\"\r\n1;Person;\"O'Neil; \"\"Ann\"\"\";7;x,y\r\n", []string{`v 1 Person name=O'Neil; "Ann":String age=7:Integer a;b=x,y:String`}},
		"the separator in a line":     {"sep=;\n~id;name\n1;a,b\n", []string{"v 1 vertex name=a,b:String"}},
		"tabs":                        {"~id\t~from\t~to\nx\t1\t2\n", []string{"e x 1 edge 2"}},
		"APOC":                        {"\"_id\",\"_labels\",\"name\",\"_start\",\"_end\",\"_type\",\"since\"\n\"0\",\":User:Admin\",\"Adam\",,,,\n\"1\",\":User\",\"Jim\",,,,\n,,,\"0\",\"1\",\"KNOWS\",\"1993\"\n", []string{"v 0 User::Admin name=Adam:String", "v 1 User name=Jim:String", "e null 0 KNOWS 1 since=1993:String"}},
		"Neo4j's vertices":            {"personId:ID,name,born:int,:LABEL\n1,Keanu,1964,Person;Actor\n", []string{"v 1 Person::Actor name=Keanu:String born=1964:Integer"}},
		"Neo4j's edges":               {":START_ID,role,:END_ID,:TYPE\n1,Neo,2,ACTED_IN\n", []string{"e null 1 ACTED_IN 2 role=Neo:String"}},
	} {
		g := &memory{}
		r, err := Opened(strings.NewReader(c.file))
		if err == nil {
			err = ReadCSV(context.Background(), r, g, Handler{})
		}
		if got := g.lines(); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	err := ReadCSV(context.Background(), strings.NewReader("name,age\nann,7\n"), &memory{}, Handler{})
	if err == nil || !strings.Contains(err.Error(), "the columns are name, age") {
		t.Errorf("a table without ids: %v", err)
	}
}

// TestOpened looks through what a file may be in.
func TestOpened(t *testing.T) {
	const text = "~id,name\n1,\u00e4\U0001F600\n"
	encode := func(order binary.ByteOrder, mark bool) string {
		units := utf16.Encode([]rune(text))
		if mark {
			units = append([]uint16{0xfeff}, units...)
		}
		b := make([]byte, 2*len(units))
		for i, u := range units {
			order.PutUint16(b[2*i:], u)
		}
		return string(b)
	}
	var gz, zs bytes.Buffer
	z := gzip.NewWriter(&gz)
	io.WriteString(z, "\xef\xbb\xbf"+text)
	z.Close()
	zw, _ := zstd.NewWriter(&zs)
	io.WriteString(zw, encode(binary.LittleEndian, true))
	zw.Close()
	for name, file := range map[string]string{
		"UTF-8": text, "UTF-8 with a mark": "\ufeff" + text, "little": encode(binary.LittleEndian, true), "big": encode(binary.BigEndian, true),
		"little without a mark": encode(binary.LittleEndian, false), "big without a mark": encode(binary.BigEndian, false),
		"gzip": gz.String(), "zstd of UTF-16": zs.String(),
	} {
		r, err := Opened(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for file, wants := range map[string]string{"PK\x03\x04...": "zip", "\xff\xfe\x00\x00x\x00\x00\x00": "UTF-32", gz.String()[:20]: "gzip stream is damaged or cut short"} {
		r, err := Opened(strings.NewReader(file))
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if err == nil || !strings.Contains(err.Error(), wants) {
			t.Errorf("%q: %v, want %s", file, err, wants)
		}
	}
	latin := "<?xml version='1.0' encoding='ISO-8859-1'?><graphml><graph><node id='\xe4'/></graph></graphml>"
	g := &memory{}
	if err := ReadGraphML(context.Background(), strings.NewReader(latin), g, Handler{}); err != nil || g.lines()[0] != "v \u00e4 vertex" {
		t.Errorf("Latin 1: %v, %v", g.lines(), err)
	}
}
