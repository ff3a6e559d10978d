package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// schemaRow is a request as a driver sends it and as text, and a part of its answer, or of
// the error when it begins with "!".
type schemaRow struct {
	code func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal
	text string
	want string
}

type dict = map[interface{}]interface{}

func setSchema(rules dict) func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
	return func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.Call("gremlind.schema", dict{"set": rules})
	}
}

var tt = gremlingo.T__

// schemaRows run in order on TinkerPop's modern graph.
var schemaRows = []schemaRow{
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.With("schema", 1).V().Count()
	}, "g.with('schema',1).V().count()", "! has no schema"},
	{setSchema(dict{"vertex": "person", "keys": dict{"age": dict{"type": "Integer", "min": int32(0)}}}),
		"g.call('gremlind.schema',[set:[vertex:'person',keys:[age:[type:'Integer',min:0]]]])", "version:1"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.V(int32(1)).Property("age", "x")
	},
		"g.V(1).property('age','x')", "! Label person: key age wants an Integer, got String"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.V(int32(1)).Property("age", int32(-1))
	}, "g.V(1).property('age',-1)", "! Label person: key age wants at least 0, got -1"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.V(int32(1)).Property("age", int32(31)).Values("age")
	}, "g.V(1).property('age',31).values('age')", "31"},
	{setSchema(dict{"vertex": "person", "keys": dict{"name": dict{"required": true}}}),
		"g.call('gremlind.schema',[set:[vertex:'person',keys:[name:[required:true]]]])", "version:2"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.AddV("person").Property(gremlingo.T.Id, int32(77))
	}, "g.addV('person').property(T.id,77)", "! Label person: key name is required (vertex 77)"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.AddV("person").Property("name", "q").Values("name")
	}, "g.addV('person').property('name','q').values('name')", "q"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.V(int32(2)).Properties("name").Drop()
	}, "g.V(2).properties('name').drop()", "! Label person: key name is required (vertex 2)"},
	{setSchema(dict{"edge": "created", "from": "person", "to": "software"}),
		"g.call('gremlind.schema',[set:[edge:'created',from:'person',to:'software']])", "version:3"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.V(int32(3)).AddE("created").To(tt.V(int32(1)))
	}, "g.V(3).addE('created').to(__.V(1))", "! Edge created goes from person to software, not from software to person"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.V(int32(2)).AddE("created").To(tt.V(int32(3))).Label()
	}, "g.V(2).addE('created').to(__.V(3)).label()", "created"},
	{setSchema(dict{"edge": "knows", "multiplicity": "ONE2ONE"}),
		"g.call('gremlind.schema',[set:[edge:'knows',multiplicity:'ONE2ONE']])", "! Edge knows: vertex 1 has 2 (and 0 more): cannot be ONE2ONE"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.With("schema", 3).V().HasLabel("software").Count()
	}, "g.with('schema',3).V().hasLabel('software').count()", "2"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.With("schema", 1).V().Count()
	}, "g.with('schema',1).V().count()", "! the schema of graph graph is at version 3, the client expects 1"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.Call("gremlind.schema", dict{"set": dict{"vertex": "software", "keys": dict{"lang": "Integer"}}, "dryRun": true})
	}, "g.call('gremlind.schema',[set:[vertex:'software',keys:[lang:'Integer']],dryRun:true])", "Label software: key lang wants an Integer, got String (vertex 3)"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.WithStrategies(gremlingo.ReadOnlyStrategy()).Call("gremlind.schema", dict{"get": true})
	}, "g.withStrategies(ReadOnlyStrategy).call('gremlind.schema',[get:true])", "version:3"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.WithStrategies(gremlingo.ReadOnlyStrategy()).Call("gremlind.schema", dict{"drop": dict{"vertex": "person"}})
	}, "g.withStrategies(ReadOnlyStrategy).call('gremlind.schema',[drop:[vertex:'person']])", "! is not read only"},
	{setSchema(dict{"vertex": "person", "keys": dict{"age": dict{"typ": "Integer"}}}),
		"g.call('gremlind.schema',[set:[vertex:'person',keys:[age:[typ:'Integer']]]])", "! schema: vertex person: keys: age: typ is unknown: want type, required, min, max, maxLength"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.Call("gremlind.feature", dict{"off": "schema"})
	}, "g.call('gremlind.feature',[off:'schema'])", "version 3"},
	{func(g *gremlingo.GraphTraversalSource) *gremlingo.GraphTraversal {
		return g.V(int32(1)).Property("age", "x").Count()
	}, "g.V(1).property('age','x').count()", "1"},
}

// TestSchemaOverTheWire: an unmodified driver is told what does not fit, as bytecode and as
// text, and the schema is there after a kill.
func TestSchemaOverTheWire(t *testing.T) {
	for _, form := range []string{"bytecode", "text"} {
		dir := t.TempDir()
		p := serve(t, "--data-dir", dir, "--sample", "modern")
		for i, row := range schemaRows {
			if i == len(schemaRows)/2 {
				p.kill()
				p = serve(t, "--data-dir", dir)
			}
			got := p.answer(t, form, row)
			want, fails := strings.CutPrefix(row.want, "! ")
			if strings.HasPrefix(got, "error: ") != fails || !strings.Contains(got, want) {
				t.Errorf("%s: %s:\ngot  %s\nwant %s", form, row.text, got, row.want)
			}
		}
		if code := p.stop(syscall.SIGTERM); code != exitDone {
			t.Errorf("exit code %d", code)
		}
		if _, stderr, code := run(t, "check", "--data-dir", dir); code != 0 {
			t.Error(stderr)
		}
	}
}

// answer sends a row in one of its forms.
func (p *process) answer(t *testing.T, form string, row schemaRow) string {
	t.Helper()
	if form == "text" {
		code, body := p.post(t, row.text)
		if code != 200 {
			return "error: " + body
		}
		return strings.ReplaceAll(body, "=", ":")
	}
	conn, g := p.connect("g")
	defer conn.Close()
	all, err := row.code(g).ToList()
	if err != nil {
		return "error: " + err.Error()
	}
	var texts []string
	for _, r := range all {
		texts = append(texts, fmt.Sprint(r.GetInterface()))
	}
	return strings.Join(texts, "\n")
}

const schemaFile = `labels:
  - vertex: person
    keys:
      age: {type: Integer, min: 0}
      name: {type: String, required: true}
      born: {type: LocalDate, min: 1900-01-01}
  - {edge: knows, from: person, to: [person], multiplicity: SIMPLE}
`

const schemaShown = `# version 1
open: true
labels:
  - vertex: person
    open: true
    keys:
      age:
        type: Integer
        min: 0
      born:
        type: LocalDate
        min: "1900-01-01"
      name:
        type: String
        required: true
  - edge: knows
    open: true
    from: person
    to: person
    multiplicity: SIMPLE
`

// TestSchemaCommands: a schema goes from a file into a graph that is served, is shown as a
// file again, goes into another graph, and with its feature off an older gremlind would
// open the directory.
func TestSchemaCommands(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--sample", "modern")
	url := "ws://" + p.addr + "/gremlin"
	do := func(want string, wantCode int, args ...string) {
		t.Helper()
		out, errs, code := run(t, args...)
		if code != wantCode || !strings.Contains(out+errs, want) {
			t.Errorf("%q: %d\n%s%s\nwant %s", args, code, out, errs, want)
		}
	}
	file := writeFile(t, "schema.yaml", schemaFile)
	do("everything fits; it would be version 1", exitDone, "schema", "apply", file, "--dry-run", url)
	do("version 1\n", exitDone, "schema", "apply", file, url)
	out, errs, code := run(t, "schema", "show", url)
	if code != exitDone || out != schemaShown {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
	do("version 1\n", exitDone, "schema", "apply", writeFile(t, "again.yaml", out), url)
	wrong := writeFile(t, "wrong.json", `{"labels": [{"vertex": "person", "keys": {"name": {"maxLength": 4}}}]}`)
	do("Label person: key name wants at most 4 characters, got 5 (vertex 1)", exitRejected, "schema", "apply", wrong, "--dry-run", url)
	do("Label person: key name wants at most 4 characters, got 5 (vertex 1 and 2 more)", exitFailed, "schema", "apply", wrong, url)
	do("wrong.yaml: line 2: aliases", exitUsage, "schema", "apply", writeFile(t, "wrong.yaml", "b: &b 1\na: *b"), url)
	p.stop(syscall.SIGTERM)

	do("version 2\n", exitDone, "schema", "drop", "vertex", "person", "born", "--data-dir", dir)
	do("schema: the schema, at version 2", exitDone, "graph", "feature", "list", "--data-dir", dir)
	do("schema would be lost: the schema, at version 2 (labels with rules: 2); --yes does it", exitUsage, "graph", "feature", "off", "schema", "--data-dir", dir)
	do("gone: the schema, at version 2", exitDone, "graph", "feature", "off", "schema", "--yes", "--data-dir", dir)
	do("the graph does not use the feature schema", exitFailed, "graph", "feature", "off", "schema", "--data-dir", dir)
	if text, err := os.ReadFile(filepath.Join(dir, "FORMAT")); err != nil || !strings.Contains(string(text), "format 1\n") {
		t.Errorf("%s %v", text, err)
	}
	do("no problems", exitDone, "check", "--data-dir", dir)
}

// TestImport_KeepsToTheSchema: what does not fit is refused, by a load and in batches.
func TestImport_KeepsToTheSchema(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	if code, text := p.post(t, "g.call('gremlind.schema', [set: [vertex: 'person', keys: [age: 'Integer']]])"); code != 200 {
		t.Fatal(text)
	}
	p.stop(syscall.SIGTERM)
	file := writeFile(t, "people.csv", "~id,~label,age:String\n1,person,old\n")
	good := writeFile(t, "good.csv", "~id,~label,age:Int\n2,person,3\n")
	const want = "Label person: key age wants an Integer, got String"
	for _, when := range []string{"empty", "filled"} {
		if _, errs, code := run(t, "import", "--data-dir", dir, file); code == exitDone || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", when, code, errs)
		}
		if _, errs, code := run(t, "import", "--forget", "--data-dir", dir, good); code != exitDone {
			t.Fatalf("%s: %s", when, errs)
		}
		good = writeFile(t, "more.csv", "~id,~label,age:Int\n3,person,3\n")
	}
	mixed := writeFile(t, "mixed.csv", "~id,~label,age:Int\n5,person,3\n6,person,4\n")
	edges := writeFile(t, "edges.csv", "~id,~from,~to,~label\n1,5,6,knows\n2,5,6,knows\n3,6,5,knows\n")
	rejects := filepath.Join(t.TempDir(), "rejects.csv")
	do := func(want string, args ...string) {
		t.Helper()
		if out, errs, code := run(t, args...); code != exitRejected && code != exitDone || !strings.Contains(out+errs, want) {
			t.Errorf("%q: %d %s%s", args, code, out, errs)
		}
	}
	do("version 2", "schema", "apply", writeFile(t, "simple.yaml", "edge: knows\nmultiplicity: SIMPLE\n"), "--data-dir", dir)
	do("1 records were rejected", "import", "--data-dir", dir, "--rejects", rejects, mixed, edges)
	if text, err := os.ReadFile(rejects); err != nil || !strings.Contains(string(text), "Edge knows: vertex 5 has 2: cannot be SIMPLE") {
		t.Errorf("%s %v", text, err)
	}
	if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone || !strings.Contains(out, "4 vertices, 2 edges") {
		t.Errorf("%s%s", out, errs)
	}
}
