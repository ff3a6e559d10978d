package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDefinitions_ExportAndImport takes a graph with indexes of every kind and a schema to
// another directory and to a running server: both have the same definitions, of which none
// misses an element.
func TestDefinitions_ExportAndImport(t *testing.T) {
	dir, files := t.TempDir(), t.TempDir()
	p := serve(t, "--data-dir", dir)
	for _, query := range []string{
		"g.addV('person').property('name','marko').property('age',29).as('a').addV('person').property('name','josh').property('age',32).as('b')." +
			"addE('knows').from('a').to('b').property('weight',0.5d)",
		"g.call('gremlind.index.createKey', [class:'vertex', key:'age'])", "g.call('gremlind.index.createKey', [class:'edge', key:'weight'])",
		"g.call('gremlind.index.create', [name:'n', class:'vertex', label:'person', keys:['name'], unique:true])",
		"g.call('gremlind.index.create', [name:'na', class:'vertex', keys:['name', 'age']])",
		"g.call('gremlind.index.create', [name:'w', class:'edge', label:'knows', keys:['weight'], direction:'BOTH'])",
		"g.call('gremlind.index.create', [name:'t', class:'vertex', keys:['name'], analyzer:'trigram'])",
		"g.call('gremlind.index.create', [name:'b', class:'vertex', label:'person', keys:['name'], analyzer:'words'])",
		"g.V().has('name', 'josh').property('at', [40.0d, -86.9d])",
		"g.call('gremlind.index.create', [name:'at', class:'vertex', keys:['at'], analyzer:'geo'])",
		"g.call('gremlind.index.create', [name:'byHand', class:'vertex'])",
		"g.call('gremlind.index.hide', [name:'na'])",
		"g.call('gremlind.graph.set', [name: 'graph', history: '30d'])", "g.call('gremlind.feature', [on: 'ttl'])",
		"g.call('gremlind.ttl', [label: 'session', ttl: 'PT30M'])", "g.call('gremlind.ttl', [class: 'edge', label: 'saw', ttl: 'PT24H'])",
		"g.call('gremlind.schema', [set: [vertex:'person', keys: [age: [type:'Integer', min:0]]]])",
	} {
		if code, text := p.post(t, query); code != 200 {
			t.Fatal(query, text)
		}
	}
	served := filepath.Join(files, "served.json.gz")
	wantDone(t, "export", "--data-dir", dir, "--all", served)
	p.stop(syscall.SIGTERM)
	alone := filepath.Join(files, "alone.csv")
	wantDone(t, "export", "--data-dir", dir, "--all", alone)
	defined := readFile(t, filepath.Join(files, "served-definitions.json"))
	if !bytes.Equal(defined, readFile(t, filepath.Join(files, "alone-definitions.json"))) {
		t.Error("definitions are others through the server")
	}
	contains(t, string(defined), `"key": "age"`, `"name": "byHand"`, `"hidden": true`, `"analyzer": "trigram"`, `"direction": "BOTH"`, `"schema"`, `"history": "30d"`, `"ttl": "PT30M"`)

	for _, running := range []bool{false, true} {
		to := t.TempDir()
		var q *process
		if running {
			q = serve(t, "--data-dir", to)
		}
		args := []string{"import", "--data-dir", to, "--definitions", filepath.Join(files, "served-definitions.json"), served}
		wantDone(t, args...)
		if !running {
			q = serve(t, "--data-dir", to)
		}
		for _, name := range []string{"n", "na", "w", "t", "b", "at"} {
			_, text := q.post(t, "g.call('gremlind.index.verify', [name:'"+name+"']).select('entries', 'missing', 'stale').by().by().by().unfold()")
			if name != "na" && (!strings.Contains(text, "missing=0") || !strings.Contains(text, "stale=0") || strings.Contains(text, "entries=0")) {
				t.Errorf("running %v: %s: %s", running, name, text)
			}
		}
		if _, text := q.post(t, "g.addV('person').property('name','josh')"); !strings.Contains(text, "Index n: another vertex") {
			t.Errorf("running %v: %s", running, text)
		}
		if _, text := q.post(t, "g.addV('person').property('age',-1)"); !strings.Contains(text, "wants at least 0") {
			t.Errorf("running %v: %s", running, text)
		}
		again := filepath.Join(t.TempDir(), "again.json")
		wantDone(t, "export", "--data-dir", to, "--all", again)
		if got := readFile(t, strings.TrimSuffix(again, ".json")+"-definitions.json"); !bytes.Equal(got, defined) {
			t.Errorf("running %v: %s, want %s", running, got, defined)
		}
		q.post(t, "g.call('gremlind.index.drop', [name:'n'])")
		q.post(t, "g.call('gremlind.index.create', [name:'n', class:'vertex', keys:['age']])")
		_, errs, code := run(t, append(args, "--merge")...)
		if code == exitDone || !strings.Contains(errs, "Index n: the graph has another one of that name") {
			t.Errorf("running %v: exit %d: %s", running, code, errs)
		}
	}
	for text, want := range map[string]string{"{": "is no file of definitions", `{"indices":[]}`: "unknown field"} {
		_, errs, code := run(t, "import", "--data-dir", t.TempDir(), "--definitions", writeFile(t, "x.json", text), served)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d: %s", text, code, errs)
		}
	}
}

// TestDefinitions_Options: a graph that an import makes has the options of the file; wrong ones are
// told.
func TestDefinitions_Options(t *testing.T) {
	one := writeFile(t, "one.json", `{"id":{"@type":"g:Int64","@value":1},"label":"p"}`+"\n")
	for _, row := range []struct{ text, want string }{
		{`{"options":{"isolation":"snapshot","quota.vertices":"9","stamps":"true"}}`, `"options": {
    "isolation": "snapshot",
    "quota.vertices": "9",
    "stamps": "true"
  }`},
		{`{"ttl":[{"class":"vertex","label":"s","ttl":"PT2S"}]}`, `"ttl": "true"`},
		{`{"options":{"isolation":"none"}}`, `!options: isolation: "none" is not one of`},
		{`{"options":{"inMemory":"true"}}`, "!options: inMemory is no option that definitions have"},
		{`{"ttl":[{"class":"vertex","label":"s","ttl":"soon"}]}`, "!label s: ttl 'soon': want an ISO-8601 duration"},
		{`{"ttl":[{"class":"thing","label":"s","ttl":"PT2S"}]}`, "!thing"},
	} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out.json")
		_, errs, code := run(t, "import", "--data-dir", dir, "--graph", "made", "--definitions", writeFile(t, "x.json", row.text), one)
		if want, wrong := strings.CutPrefix(row.want, "!"); wrong {
			if code == exitDone || !strings.Contains(errs, want) {
				t.Errorf("%s: exit %d: %s", row.text, code, errs)
			}
			continue
		}
		if code != exitDone {
			t.Errorf("%s: exit %d: %s", row.text, code, errs)
			continue
		}
		wantDone(t, "export", "--data-dir", dir, "--graph", "made", "--all", out)
		contains(t, string(readFile(t, filepath.Join(dir, "out-definitions.json"))), row.want)
	}
}
