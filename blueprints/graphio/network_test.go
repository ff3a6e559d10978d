package graphio

import (
	"bufio"
	"context"
	"slices"
	"strings"
	"testing"
)

// networkFiles are files as the programs write them, and what is in them.
var networkFiles = map[string]struct {
	file string
	want []string
}{
	"node-link": {`{"directed": true, "multigraph": false, "graph": {"name": "g"}, "nodes": [
		{"label": "person", "age": 41, "height": 1.5, "ok": true, "none": null, "big": 123456789012345678901, "id": "ann"},
		{"tags": ["a", "b", "a"], "home": {"city": "Ulm", "at": [1, 2]}, "empty": [], "score": NaN, "text": "NaN \" Infinity", "low": -Infinity, "id": 2}],
		"links": [{"since": 2015, "label": "works at", "source": "ann", "target": 2}, {"w": [1], "source": 2, "target": 2}]}`,
		[]string{
			"v ann person age=41:Long height=1.5:Double ok=true:Boolean big=123456789012345678901:BigInteger",
			`v 2 vertex tags=a:String tags=b:String tags=a:String home={city=Ulm, at=[1, 2]}:LinkedHashMap empty=[]:ArrayList score=NaN:Double text=NaN " Infinity:String low=-Infinity:Double`,
			"e null ann works at 2 since=2015:Long",
			"e null 2 edge 2 w=[1]:ArrayList",
		}},
	"edges, keys sorted, multigraph": {`{"directed": false, "edges": [{"key": 0, "source": 1, "target": 2}, {"key": "owns", "source": 1, "target": 2}], "graph": {}, "multigraph": true, "nodes": [{"id": 1}, {"id": 2}]}`,
		[]string{"v 1 vertex", "v 2 vertex", "e null 1 edge 2", "e null 1 edge 2 key=owns:String"}},
	"a key that is an attribute": {`{"directed": true, "multigraph": false, "nodes": [{"id": 1}], "links": [{"key": 7, "source": 1, "target": 1}]}`,
		[]string{"v 1 vertex", "e null 1 edge 1 key=7:Long"}},
	"D3": {`{"nodes":[{"id":"Myriel","group":1},{"id":"Napoleon","group":1}],"links":[{"source":"Napoleon","target":"Myriel","value":1}]}`,
		[]string{"v Myriel vertex group=1:Long", "v Napoleon vertex group=1:Long", "e null Napoleon edge Myriel value=1:Long"}},
	"adjacency, directed": {`{"directed": true, "multigraph": false, "graph": [], "nodes": [{"id": "a"}, {"n": 1, "id": "b"}], "adjacency": [[{"w": 2, "id": "b"}], [{"id": "a"}]]}`,
		[]string{"v a vertex", "v b vertex n=1:Long", "e null a edge b w=2:Long", "e null b edge a"}},
	"adjacency, undirected, keys sorted": {`{"adjacency": [[{"id": 2, "label": "knows"}, {"id": 1}], [{"id": 1, "label": "knows"}]], "directed": false, "nodes": [{"id": 1}, {"id": 2}]}`,
		[]string{"v 1 vertex", "v 2 vertex", "e null 1 knows 2", "e null 1 edge 1"}},
	"Cytoscape of networkx": {`{"data": [], "directed": false, "multigraph": false, "elements": {"nodes": [{"data": {"id": "0", "value": 0, "name": "0"}}, {"data": {"id": "1", "label": "shown", "labelV": "dog"}}],
		"edges": [{"data": {"weight": 2.5, "source": 0, "target": 1}}]}}`,
		[]string{"v 0 vertex value=0:Long name=0:String", "v 1 dog label=shown:String", "e null 0 edge 1 weight=2.5:Double"}},
	"Cytoscape.js": {`{"elements": [{"group": "nodes", "data": {"id": "a"}}, {"data": {"id": "ab", "source": "a", "target": "a", "interaction": "pp"}}], "style": [{"selector": "node"}]}`,
		[]string{"v a vertex", "e ab a pp a"}},
	"APOC, a line each": {`{"type":"node","id":"0","labels":["User","Admin"],"properties":{"name":"Adam","kids":["Sam","Anna"]}}
{"type":"node","id":"1"}
{"id":"5","type":"relationship","label":"KNOWS","properties":{"since":1993},"start":{"id":"0","labels":["User"]},"end":{"id":"1","labels":["User"]}}
{"id":"6","type":"relationship","label":"KNOWS","start":{"id":"0"},"end":{"id":"0"}}`,
		[]string{"v 0 User::Admin name=Adam:String kids=Sam:String kids=Anna:String", "v 1 vertex", "e 5 0 KNOWS 1 since=1993:Long", "e 6 0 KNOWS 0"}},
	"APOC, one array": {`[{"type":"node","id":"0","labels":["A"],"properties":{}},{"id":"6","type":"relationship","label":"R","start":{"id":"0"},"end":{"id":"0"}}]`,
		[]string{"v 0 A", "e 6 0 R 0"}},
	"APOC, one object": {`{"nodes":[{"type":"node","id":"0","labels":["A"],"properties":{"x":1}}],"rels":[{"id":"6","type":"relationship","label":"R","start":{"id":"0"},"end":{"id":"0"}}]}`,
		[]string{"v 0 A x=1:Long", "e 6 0 R 0"}},
}

func TestNetwork_Programs(t *testing.T) {
	for name, c := range networkFiles {
		r := bufio.NewReaderSize(strings.NewReader(c.file), openedBytes)
		if f, err := FormatIn(r, GraphSON); f != Network || err != nil {
			t.Errorf("%s: taken for %q: %v", name, f, err)
		}
		g := &memory{}
		if err := ReadNetwork(context.Background(), r, g, Handler{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := g.lines(); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	g := &memory{}
	file := `{"nodes":[{"id":1,"kind":"dog","label":"Rex"}],"links":[]}`
	if err := ReadNetwork(context.Background(), strings.NewReader(file), g, Handler{VertexLabel: "kind"}); err != nil || g.lines()[0] != "v 1 dog label=Rex:String" {
		t.Errorf("with a key of the user's: %v, %v", g.lines(), err)
	}
}

// TestNetwork_Errors wants of each error what, where and of what.
func TestNetwork_Errors(t *testing.T) {
	for file, wants := range map[string]string{
		``:            "the file is empty",
		`{"nodes": [`: "cut short",
		`{"nodes": [{"id": 1}, {"name": "x"}], "links": []}`:                         "json record 2: a node needs an id: it has the keys name",
		`{"nodes": [{"id": 1}], "links": [{"source": 1}]}`:                           "json record 2: an edge needs a source and a target",
		`{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1}], "edges": []}`: `both in "links" and in "edges"`,
		`{"nodes": [{"id": 1}, 7]}`:                                                  "json record 2: a record is expected to be an object, not a number",
		`{"nodes": [{"id": tru}]}`:                                                   "json record 1: decode JSON",
		`{"nodes": {"1": {}}}`:                                                       `expected to begin with '['`,
		`[{"x": 1}]`:                                                                 `neither {"type": "node"}`,
		`{"directed": true, "nodes": [{"id": 1}], "adjacency": [[], [{"id": 1}]]}`:   "neighbours of node 2, and 1 nodes",
	} {
		err := ReadNetwork(context.Background(), strings.NewReader(file), &memory{}, Handler{})
		if err == nil || !strings.Contains(err.Error(), wants) {
			t.Errorf("%s: %v, want %s", file, err, wants)
		}
	}
}

// TestFormatIn tells formats by their content, and says of others what they are.
func TestFormatIn(t *testing.T) {
	for _, c := range []struct {
		named         Format
		content, want string
	}{
		{GraphSON, `{"id":{"@type":"g:Int32","@value":1},"label":"person","outE":{}}`, "graphson"},
		{GraphSON, `{"vertices":[]}`, "graphson"},
		{GraphSON, ` {"id":1,"label":"x"`, "graphson"},
		{"", `<?xml version="1.0"?><graphml>`, "graphml"},
		{"", "~id,~label\n", "csv"},
		{"", "gio\x00", "gryo"},
		{GraphSON, `{"id":1,"label":"x","outE":{},"nodes":[]}`, "may be GraphSON or JSON of another program"},
		{GraphSON, `{"type":"FeatureCollection","features":[]}`, "its first keys are type, features"},
		{"", `<?xml version="1.0"?><gexf version="1.3">`, "GEXF"},
		{"", "", "empty"},
		{"", "hello", `begins with "hello"`},
	} {
		f, err := FormatIn(bufio.NewReaderSize(strings.NewReader(c.content), openedBytes), c.named)
		if got := string(f); got != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %q, %v, want %s", c.content, f, err, c.want)
		}
	}
}
