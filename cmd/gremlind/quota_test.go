package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// quotaRow is a request to one of several sources, as text and as bytecode; a want that
// begins with ! is part of an error.
type quotaRow struct {
	source, text string
	code         func(g source) *gremlingo.GraphTraversal
	want         string
}

func (p *process) quotaAnswer(t *testing.T, r quotaRow, form string) string {
	t.Helper()
	if form != "bytecode" {
		language := map[string]string{"text": "gremlin-lang", "script": "gremlin-groovy"}[form]
		code, text := p.from(t, r.source, r.text, language)
		if text = strings.ReplaceAll(text, `\"`, `"`); code != 200 {
			return fmt.Sprintf("!%d %s", code, text)
		}
		return strings.Join(strings.Fields(strings.ReplaceAll(text, "==>", " ")), " ")
	}
	conn, g := p.connect(r.source)
	defer conn.Close()
	results, err := r.code(g).ToList()
	if err != nil {
		return "!" + err.Error()
	}
	var texts []string
	for _, x := range results {
		texts = append(texts, fmt.Sprint(x.GetInterface()))
	}
	return strings.Join(texts, " ")
}

// from posts a text whose g is a source.
func (p *process) from(t *testing.T, source, script, language string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, "http://"+p.addr+"/gremlin", strings.NewReader(
		fmt.Sprintf(`{"gremlin":%q,"language":%q,"aliases":{"g":%q}}`, script, language, source)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/plain")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func (p *process) quotaRows(t *testing.T, form string, rows []quotaRow) {
	t.Helper()
	for _, r := range rows {
		got := p.quotaAnswer(t, r, form)
		if !strings.HasPrefix(r.want, "!") && got != r.want || strings.HasPrefix(r.want, "!") && (!strings.HasPrefix(got, "!") || !strings.Contains(got, r.want[1:])) {
			t.Errorf("%s: %s: %s, want %s", r.source, r.text, got, r.want)
		}
	}
}

func vertexCount(g source) *gremlingo.GraphTraversal { return g.V().Count() }

var oneMore = func(g source) *gremlingo.GraphTraversal { return g.AddV("item").Count() }

// TestQuota_Rows: what a tenant may hold and ask for is said when his graph is made, and
// changed while it is used; he is told which setting it is, and others are not touched.
func TestQuota_Rows(t *testing.T) {
	for _, form := range []string{"text", "script", "bytecode"} {
		t.Run(form, func(t *testing.T) {
			dir := t.TempDir()
			p := serve(t, "--data-dir", dir)
			p.quotaRows(t, form, []quotaRow{
				{"g", "g.call('gremlind.graph.create', [name:'acme/shop', 'quota.vertices':10])", graphCall("create", "name", "acme/shop", "quota.vertices", 10), "acme/shop"},
				{"g", "g.call('gremlind.graph.create', [name:'x', 'quota.vertices':-1])", graphCall("create", "name", "x", "quota.vertices", -1), `!quota.vertices: "-1" is not a whole number from 0`},
				{"g", "g.call('gremlind.graph.create', [name:'zeta'])", graphCall("create", "name", "zeta"), "zeta"},
			})
			ten := make([]quotaRow, 10)
			for i := range ten {
				ten[i] = quotaRow{"acme/shop", "g.addV('item').count()", oneMore, "1"}
			}
			p.quotaRows(t, form, ten)
			p.quotaRows(t, form, []quotaRow{
				{"acme/shop", "g.addV('item').count()", oneMore, "!graph acme/shop is full: 10 of 10 vertices (quota.vertices)"},
				{"zeta", "g.addV('item').count()", oneMore, "1"},
				{"acme/shop", "g.V().count()", vertexCount, "10"},
				{"acme/shop", "g.V().limit(1).drop()", func(g source) *gremlingo.GraphTraversal { return g.V().Limit(1).Drop() }, ""},
				{"acme/shop", "g.addV('item').count()", oneMore, "1"},
				{"acme/shop", "g.call('gremlind.graph.set', [name:'acme/shop', 'quota.vertices':11]).select('quota.vertices')",
					func(g source) *gremlingo.GraphTraversal {
						return graphCall("set", "name", "acme/shop", "quota.vertices", 11)(g).Select("quota.vertices")
					}, "11"},
				{"acme/shop", "g.addV('item').count()", oneMore, "1"},
				{"acme/shop", "g.addV('item').count()", oneMore, "!graph acme/shop is full: 11 of 11 vertices (quota.vertices)"},
				{"g", "g.call('gremlind.graph.set', [name:'acme/shop', vertexIdManager:'LONG'])",
					graphCall("set", "name", "acme/shop", "vertexIdManager", "LONG"), "!gremlind.graph.set has no parameter vertexIdManager"},
			})
			p.kill()
			p = serve(t, "--data-dir", dir)
			p.quotaRows(t, form, []quotaRow{
				{"acme/shop", "g.addV('item').count()", oneMore, "!graph acme/shop is full: 11 of 11 vertices (quota.vertices)"},
			})
			p.quotaRows(t, form, readOnlyRows)
			p.quotaRows(t, form, boundRows)
			p.stop(syscall.SIGTERM)
			wantDone(t, "check", "--data-dir", dir)
		})
	}
}

func changed(kv ...any) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal { return graphCall("set", kv...)(g).Count() }
}

// readOnlyRows: nothing writes to a graph that is read-only, and everybody reads.
var readOnlyRows = []quotaRow{
	{"g", "g.call('gremlind.graph.set', [name:'acme/shop', readOnly:true]).count()", changed("name", "acme/shop", "readOnly", true), "1"},
	{"acme/shop", "g.V().count()", vertexCount, "11"},
	{"acme/shop", "g.addV('item').count()", oneMore, "!graph is read-only: acme/shop (readOnly)"},
	{"acme/shop", "g.V().limit(0).property('a', 1)", func(g source) *gremlingo.GraphTraversal { return g.V().Limit(0).Property("a", 1) }, "!graph is read-only"},
	{"acme/shop", "g.V().limit(0).drop()", func(g source) *gremlingo.GraphTraversal { return g.V().Limit(0).Drop() }, "!graph is read-only"},
	{"acme/shop", "g.call('gremlind.index.createKey', [class:'vertex', key:'name'])", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.index.createKey", params("class", "vertex", "key", "name"))
	}, "!graph is read-only"},
	{"g", "g.call('gremlind.graph.truncate', [name:'acme/shop', confirm:'acme/shop'])", graphCall("truncate", "name", "acme/shop", "confirm", "acme/shop"), "!graph is read-only"},
	{"g", "g.call('gremlind.graph.drop', [name:'acme/shop', confirm:'acme/shop'])", graphCall("drop", "name", "acme/shop", "confirm", "acme/shop"), "!graph is read-only"},
	{"acme/shop", "g.call('gremlind.graph.set', [name:'acme/shop', readOnly:false, 'quota.vertices':0]).count()",
		changed("name", "acme/shop", "readOnly", false, "quota.vertices", 0), "1"},
	{"acme/shop", "g.addV('item').count()", oneMore, "1"},
}

// boundRows: the time and the memory of a request, and of all.
var boundRows = []quotaRow{
	{"g", "g.call('gremlind.graph.set', [name:'acme/shop', 'limit.evaluationTimeout':50]).count()", changed("name", "acme/shop", "limit.evaluationTimeout", 50), "1"},
	{"acme/shop", "g.V().repeat(both().simplePath().or(identity())).times(1).count()", func(g source) *gremlingo.GraphTraversal { return g.V().Limit(0).Count() }, "0"},
	{"acme/shop", "g.inject(1).repeat(identity().map(identity())).until(is(2))", func(g source) *gremlingo.GraphTraversal {
		return g.Inject(1).Repeat(gremlingo.T__.Identity().Map(gremlingo.T__.Identity())).Until(gremlingo.T__.Is(2))
	}, "!limit.evaluationTimeout of graph acme/shop"},
	{"g", "g.call('gremlind.graph.set', [name:'acme/shop', 'limit.evaluationTimeout':0, 'limit.queryMemory':20000]).count()",
		changed("name", "acme/shop", "limit.evaluationTimeout", 0, "limit.queryMemory", 20000), "1"},
	{"acme/shop", "g.V().repeat(union(identity(), identity(), identity())).times(8).path().fold().count(local)", spread, "!limit.queryMemory of graph acme/shop is 20000"},
	{"g", "g.call('gremlind.graph.set', [name:'acme/shop', 'limit.queryMemory':0, 'quota.memory':20000]).count()",
		changed("name", "acme/shop", "limit.queryMemory", 0, "quota.memory", 20000), "1"},
	{"acme/shop", "g.V().repeat(union(identity(), identity(), identity())).times(8).path().fold().count(local)", spread, "!quota.memory of graph acme/shop is 20000"},
	{"g", "g.call('gremlind.graph.set', [name:'acme/shop', 'quota.memory':0]).count()", changed("name", "acme/shop", "quota.memory", 0), "1"},
	{"acme/shop", "g.V().repeat(union(identity(), identity(), identity())).times(8).path().fold().count(local)", spread, "78732"},
}

func spread(g source) *gremlingo.GraphTraversal {
	i := gremlingo.T__.Identity
	return g.V().Repeat(gremlingo.T__.Union(i(), i(), i())).Times(8).Path().Fold().Count(gremlingo.Scope.Local)
}

// TestQuota_Requests: more requests a second than are allowed, and more at once, are told
// to wait, by the name of the setting; other graphs answer.
func TestQuota_Requests(t *testing.T) {
	p := serve(t, "--memory")
	conn, g := p.connect("g")
	defer conn.Close()
	for _, kv := range [][]any{{"name", "acme/shop", "quota.requests", 5}, {"name", "acme/one", "limit.requests", 1}} {
		if _, err := graphCall("create", kv...)(g).ToList(); err != nil {
			t.Fatal(err)
		}
	}
	refused := ""
	for range 100 {
		if code, text := p.from(t, "acme/shop", "g.V().count()", "gremlin-lang"); code != 200 {
			refused = fmt.Sprint(code, " ", text)
			break
		}
	}
	contains(t, refused, "429 ", "graph acme/shop gets more than 5 requests a second (quota.requests)")
	if code, text := p.from(t, "g", "g.V().count()", "gremlin-lang"); code != 200 {
		t.Error(code, text)
	}
	conn2, shop := p.connect("acme/shop")
	defer conn2.Close()
	var err error
	for i := 0; i < 100 && err == nil; i++ {
		_, err = vertexCount(shop).ToList()
	}
	contains(t, fmt.Sprint(err), "Rate limiting: graph acme/shop gets more than 5 requests a second (quota.requests)")

	_, one := p.connect("acme/one")
	var all sync.WaitGroup
	errs := make(chan error, 8)
	for range cap(errs) {
		all.Go(func() {
			_, err := one.With("evaluationTimeout", 300).Inject(1).Repeat(gremlingo.T__.Identity()).Until(gremlingo.T__.V().Limit(0)).ToList()
			errs <- err
		})
	}
	all.Wait()
	close(errs)
	full := 0
	for err := range errs {
		if strings.Contains(fmt.Sprint(err), "graph acme/one evaluates 1 requests already (limit.requests)") {
			full++
		}
	}
	if full == 0 || full == 8 {
		t.Errorf("%d of 8 were refused", full)
	}
	if got, err := vertexCount(one).ToList(); err != nil || len(got) != 1 { // they count no longer
		t.Error(err)
	}
}

// TestQuota_Concurrent: sixteen clients fill a graph to the last place, and no further,
// over a kill.
func TestQuota_Concurrent(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	conn, g := p.connect("g")
	if _, err := graphCall("create", "name", "acme/shop", "quota.vertices", 500)(g).ToList(); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	for range 2 {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				conn, g := p.connect("acme/shop")
				defer conn.Close()
				for range 100 {
					if err := <-g.AddV("item").Iterate(); err != nil {
						if !strings.Contains(err.Error(), "(quota.vertices)") {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		all.Wait()
		p.kill()
		p = serve(t, "--data-dir", dir)
		p.quotaRows(t, "bytecode", []quotaRow{{"acme/shop", "", vertexCount, "500"}, {"acme/shop", "", oneMore, "!500 of 500 vertices"}})
	}
}

// TestQuota_OpenSession: a transaction that is open when its graph becomes read-only does not
// commit.
func TestQuota_OpenSession(t *testing.T) {
	p := serve(t, "--memory")
	conn, g := p.connect("g")
	defer conn.Close()
	if _, err := graphCall("create", "name", "acme/shop")(g).ToList(); err != nil {
		t.Fatal(err)
	}
	conn2, shop := p.connect("acme/shop")
	defer conn2.Close()
	tx := shop.Tx()
	s, err := tx.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := <-s.AddV("item").Iterate(); err != nil {
		t.Fatal(err)
	}
	if _, err := changed("name", "acme/shop", "readOnly", true)(g).ToList(); err != nil {
		t.Fatal(err)
	}
	if err := <-s.AddV("item").Iterate(); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Error("in the transaction:", err)
	}
	if err := tx.Commit(); err == nil {
		t.Error("committed")
	}
	if got, err := vertexCount(shop).ToList(); err != nil || got[0].GetString() != "0" {
		t.Error(got, err)
	}
}

// TestQuota_Commands: the same from the shell, with units, and an import keeps to it.
func TestQuota_Commands(t *testing.T) {
	dir := t.TempDir()
	csv := writeFile(t, "x-vertices.csv", "~id,~label\n1,a\n2,a\n3,a\n")
	p := serve(t, "--data-dir", dir)
	for _, running := range []bool{true, false} {
		if !running {
			p.stop(syscall.SIGTERM)
		}
		name := fmt.Sprintf("shop%v", running)
		for _, row := range []struct {
			args, want string
			code       int
		}{
			{"graph create NAME --option quota.vertices=2 --option quota.bytes=10MiB", "made NAME\n", exitDone},
			{"import --graph NAME " + csv, "of 2 vertices (quota.vertices)", exitFailed},
			{"graph set NAME quota.vertices=3 limit.evaluationTimeout=5s", "limit.evaluationTimeout  5000\n", exitDone},
			{"graph set NAME quota.vertices=many", `"many" is not a whole number from 0, which is for no limit`, exitUsage},
			{"graph set NAME quota.vertexes=1", `unknown option "quota.vertexes"; did you mean quota.vertices?`, exitUsage},
			{"graph set NAME vertexIdManager=LONG", "vertexIdManager stays as the graph was made", exitUsage},
			{"graph set NAME", "", exitUsage},
			{"graph set NAME readOnly=true", "readOnly                 true\n", exitDone},
			{"import --graph NAME " + csv, "graph is read-only: NAME (readOnly)", exitFailed},
			{"graph drop NAME --yes", "graph is read-only: NAME (readOnly)", exitFailed},
			{"graph set NAME readOnly=false", "quota.vertices           3\n", exitDone},
		} {
			args := strings.Fields(strings.ReplaceAll(row.args, "NAME", name))
			out, errs, code := run(t, append(args, "--data-dir", dir)...)
			if code != row.code || !strings.Contains(out+errs, strings.ReplaceAll(row.want, "NAME", name)) {
				t.Errorf("running %v: %s: %d %s%s", running, row.args, code, out, errs)
			}
		}
	}
}
