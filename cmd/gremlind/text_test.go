package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// sendRows sends rows as text and as bytecode, each time to a fresh graph of the modern sample.
func sendRows(t *testing.T, rows []indexRow) {
	for _, form := range []string{"text", "bytecode"} {
		t.Run(form, func(t *testing.T) {
			p := serve(t, "--sample", "modern")
			conn, g := p.connect("g")
			defer conn.Close()
			for _, r := range rows {
				got := p.asked(t, r, g, form)
				if !strings.HasPrefix(r.want, "!") && got != r.want || strings.HasPrefix(r.want, "!") && !strings.Contains(got, r.want[1:]) {
					t.Errorf("%s: %s, want %s", r.text, got, r.want)
				}
			}
		})
	}
}

// names asks for the names of vertices whose name a predicate is true of.
func names(p func() gremlingo.TextPredicate) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal { return g.V().Has("name", p()).Values("name") }
}

// adults is a source that shows persons older than 30.
func adults(g source) source {
	return g.WithStrategies(gremlingo.SubgraphStrategy(gremlingo.SubgraphStrategyConfig{Vertices: gremlingo.T__.Has("age", gremlingo.P.Gt(30))}))
}

// inPartition is a source that reads and writes one partition.
func inPartition(g source, name string) source {
	return g.WithStrategies(gremlingo.PartitionStrategy(gremlingo.PartitionStrategyConfig{PartitionKey: "part", WritePartition: name, ReadPartitions: gremlingo.NewSimpleSet(name)}))
}

const (
	adultsText = "g.withStrategies(new SubgraphStrategy(vertices: __.has('age', gt(30))))"
	partText   = "g.withStrategies(new PartitionStrategy(partitionKey: 'part', writePartition: 'a', readPartitions: {'a'}))"
)

// filteredRows ask indexes of texts and points, and counters, behind strategies that hide elements.
var filteredRows = []indexRow{
	{"g.V().hasLabel('person').property('job', 'mends old cables').property('where', [0, 0]).count()", func(g source) *gremlingo.GraphTraversal {
		return g.V().HasLabel("person").Property("job", "mends old cables").Property("where", []int{0, 0}).Count()
	}, "4"},
	{"g.call('gremlind.index.create', [name:'w', class:'vertex', keys:['job'], analyzer:'words']).select('state')", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "w", "class", "vertex", "keys", []string{"job"}, "analyzer", "words").Select("state")
	}, "ACTIVE"},
	{"g.call('gremlind.index.create', [name:'g', class:'vertex', keys:['where'], analyzer:'geo']).select('state')", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "g", "class", "vertex", "keys", []string{"where"}, "analyzer", "geo").Select("state")
	}, "ACTIVE"},
	{adultsText + ".call('gremlind.text', [index:'w', query:'cable*']).id().order()", func(g source) *gremlingo.GraphTraversal {
		return adults(g).Call("gremlind.text", params("index", "w", "query", "cable*")).Id().Order()
	}, "4 6"},
	{adultsText + ".call('gremlind.text', [index:'w', query:'old', limit:1]).count()", func(g source) *gremlingo.GraphTraversal {
		return adults(g).Call("gremlind.text", params("index", "w", "query", "old", "limit", 1)).Count()
	}, "1"},
	{adultsText + ".call('gremlind.near', [index:'g', lat:0, lon:0, limit:2]).id().order()", func(g source) *gremlingo.GraphTraversal {
		return adults(g).Call("gremlind.near", params("index", "g", "lat", 0, "lon", 0, "limit", 2)).Id().Order()
	}, "4 6"},
	{adultsText + ".call('gremlind.within', [index:'g', box:[-1, -1, 1, 1]]).count()", func(g source) *gremlingo.GraphTraversal {
		return adults(g).Call("gremlind.within", params("index", "g", "box", []int{-1, -1, 1, 1})).Count()
	}, "2"},
	{partText + ".addV('person').property('job', 'old').property('where', [0, 0]).count()", func(g source) *gremlingo.GraphTraversal {
		return inPartition(g, "a").AddV("person").Property("job", "old").Property("where", []int{0, 0}).Count()
	}, "1"},
	{partText + ".call('gremlind.text', [index:'w', query:'old']).values('job')", func(g source) *gremlingo.GraphTraversal {
		return inPartition(g, "a").Call("gremlind.text", params("index", "w", "query", "old")).Values("job")
	}, "old"},
	{partText + ".call('gremlind.near', [index:'g', lat:0, lon:0, limit:5]).values('job')", func(g source) *gremlingo.GraphTraversal {
		return inPartition(g, "a").Call("gremlind.near", params("index", "g", "lat", 0, "lon", 0, "limit", 5)).Values("job")
	}, "old"},
	{partText + ".V().call('gremlind.increment', [key:'views', by:3]).values('views')", func(g source) *gremlingo.GraphTraversal {
		return inPartition(g, "a").V().Call("gremlind.increment", params("key", "views", "by", 3)).Values("views")
	}, "3"},
	{"g.V().values('views')", func(g source) *gremlingo.GraphTraversal { return g.V().Values("views") }, "3"},
	{"g.V(1).call('gremlind.increment', [key:'views', by:2]).id()", counting(1, "key", "views", "by", 2), "1"},
	{partText + ".V().values('views')", func(g source) *gremlingo.GraphTraversal { return inPartition(g, "a").V().Values("views") }, "3"},
	{"g.withStrategies(new SubgraphStrategy(vertexProperties: __.hasNot('x'))).call('gremlind.text', [index:'w', query:'old'])", func(g source) *gremlingo.GraphTraversal {
		return g.WithStrategies(gremlingo.SubgraphStrategy(gremlingo.SubgraphStrategyConfig{VertexProperties: gremlingo.T__.HasNot("x")})).
			Call("gremlind.text", params("index", "w", "query", "old"))
	}, "!an index cannot be searched beside a strategy that hides properties"},
	{adultsText + ".call('gremlind.index.list')", func(g source) *gremlingo.GraphTraversal { return adults(g).Call("gremlind.index.list") }, "!indexes and names cannot be reached through a filtered view"},
}

// TestFiltered: what indexes find, and counters, show as strategies let elements show.
func TestFiltered(t *testing.T) { sendRows(t, filteredRows) }

var textRows = []indexRow{
	{"g.call('gremlind.index.create', [name:'t', class:'vertex', keys:['name'], analyzer:'trigram']).select('state')", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "t", "class", "vertex", "keys", []string{"name"}, "analyzer", "trigram").Select("state")
	}, "ACTIVE"},
	{"g.V().has('name', containing('ark')).values('name')", names(func() gremlingo.TextPredicate { return gremlingo.TextP.Containing("ark") }), "marko"},
	{"g.V().has('name', endingWith('das')).values('name')", names(func() gremlingo.TextPredicate { return gremlingo.TextP.EndingWith("das") }), "vadas"},
	{"g.V().has('name', startingWith('pet')).values('name')", names(func() gremlingo.TextPredicate { return gremlingo.TextP.StartingWith("pet") }), "peter"},
	{"g.V().has('name', regex('^ri.*le$')).values('name')", names(func() gremlingo.TextPredicate { return gremlingo.TextP.Regex("^ri.*le$") }), "ripple"},
	{"g.V().has('name', regex('^rip(ple|s)$')).values('name')", names(func() gremlingo.TextPredicate { return gremlingo.TextP.Regex("^rip(ple|s)$") }), "ripple"},
	{"g.V().has('name', notContaining('ark')).count()", func(g source) *gremlingo.GraphTraversal {
		return g.V().Has("name", gremlingo.TextP.NotContaining("ark")).Count()
	}, "5"},
	{"g.V().has('name', containing('ar')).count()", func(g source) *gremlingo.GraphTraversal {
		return g.V().Has("name", gremlingo.TextP.Containing("ar")).Count()
	}, "1"},
	{"g.V(1).property('name', 'mårk').values('name')", func(g source) *gremlingo.GraphTraversal { return g.V(1).Property("name", "mårk").Values("name") }, "mårk"},
	{"g.V().has('name', containing('år')).id()", func(g source) *gremlingo.GraphTraversal {
		return g.V().Has("name", gremlingo.TextP.Containing("år")).Id()
	}, "1"},
	{"g.V().has('name', containing('ark')).count()", func(g source) *gremlingo.GraphTraversal {
		return g.V().Has("name", gremlingo.TextP.Containing("ark")).Count()
	}, "0"},
	{"g.call('gremlind.index.verify', [name:'t']).unfold()", func(g source) *gremlingo.GraphTraversal { return nameOnly("verify", "t")(g).Unfold() }, "entries=16 missing=0 stale=0"},
	{"g.call('gremlind.index.create', [name:'u', class:'vertex', keys:['name'], analyzer:'soundex'])", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "u", "class", "vertex", "keys", []string{"name"}, "analyzer", "soundex")
	}, `!Index u: the analyzer is trigram, words or geo, not`},
	{"g.call('gremlind.index.create', [name:'u', class:'vertex', keys:['name'], analyzer:'trigram', unique:true])", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "u", "class", "vertex", "keys", []string{"name"}, "analyzer", "trigram", "unique", true)
	}, "!Index u: an index of texts cannot be unique"},
	{"g.call('gremlind.feature', [off: 'index:text']).select('keeps')", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.feature", params("off", "index:text")).Select("keeps")
	}, "1 text index: t"},
	{"g.call('gremlind.index.list').count()", func(g source) *gremlingo.GraphTraversal { return g.Call("gremlind.index.list").Count() }, "0"},
}

func TestText(t *testing.T) { sendRows(t, textRows) }

// search asks an index of words for titles.
func search(kv ...any) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.text", params(kv...)).Values("title")
	}
}

var wordRows = []indexRow{
	{"g.V(1).property('title', 'A Tale of Two Cities').values('title')", func(g source) *gremlingo.GraphTraversal {
		return g.V(1).Property("title", "A Tale of Two Cities").Values("title")
	}, "A Tale of Two Cities"},
	{"g.call('gremlind.index.create', [name:'b', class:'vertex', keys:['title'], analyzer:'words']).select('state')", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "b", "class", "vertex", "keys", []string{"title"}, "analyzer", "words").Select("state")
	}, "ACTIVE"},
	{"g.V(2).property('title', 'Tale, tale, TALE').values('title')", func(g source) *gremlingo.GraphTraversal {
		return g.V(2).Property("title", "Tale, tale, TALE").Values("title")
	}, "Tale, tale, TALE"},
	{"g.call('gremlind.text', [index:'b', query:'tale', limit:1]).values('title')", search("index", "b", "query", "tale", "limit", 1), "Tale, tale, TALE"},
	{"g.call('gremlind.text', [index:'b', query:'ta* of']).values('title')", search("index", "b", "query", "ta* of"), "A Tale of Two Cities"},
	{"g.call('gremlind.text', [index:'b', query:'cities tale']).values('title')", search("index", "b", "query", "cities tale"), "A Tale of Two Cities"},
	{"g.call('gremlind.text', [index:'b', query:'tal']).values('title')", search("index", "b", "query", "tal"), ""},
	{"g.call('gremlind.text', [index:'b', query:'tale']).with('score').select('element').id()", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.text", params("index", "b", "query", "tale")).With("score").Select("element").Id()
	}, "2 1"},
	{"g.call('gremlind.text', [index:'b', query:'tale']).with('score').select('score').is(gt(0.0)).count()", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.text", params("index", "b", "query", "tale")).With("score").Select("score").Is(gremlingo.P.Gt(0.0)).Count()
	}, "2"},
	{"g.call('gremlind.text', [index:'b', query:'?'])", search("index", "b", "query", "?"), "!a query has 1 to 64 words, not 0"},
	{"g.call('gremlind.text', [index:'none', query:'x'])", search("index", "none", "query", "x"), `!there is no complete index`},
	{"g.V(1).properties('title').drop()", func(g source) *gremlingo.GraphTraversal { return g.V(1).Properties("title").Drop() }, ""},
	{"g.call('gremlind.text', [index:'b', query:'cit*']).values('title')", search("index", "b", "query", "cit*"), ""},
	{"g.call('gremlind.index.verify', [name:'b']).unfold()", func(g source) *gremlingo.GraphTraversal { return nameOnly("verify", "b")(g).Unfold() }, "entries=1 missing=0 stale=0"},
}

// TestWords: gremlind.text finds elements by their words, the best first.
func TestWords(t *testing.T) { sendRows(t, wordRows) }

// TestText_Explained: explain() says what is looked up, and why nothing is.
func TestText_Explained(t *testing.T) {
	p := serve(t, "--sample", "modern")
	if code, text := p.post(t, textRows[0].text); code != 200 {
		t.Fatal(text)
	}
	for text, want := range map[string]string{
		"g.V().has('name', containing('ark'))":                                  "by text t [ark]",
		"g.V().has('name', regex('^mar.*kos?|peter$'))":                         "by text t [mar], [peter]",
		"g.V().has('name', 'marko')":                                            "by text t [marko]",
		"g.V().has('name', containing('ar'))":                                   "not by text t: fewer than 3 letters",
		"g.V().has('name', startingWith('mar').or(endingWith('das')))":          "by text t [mar], [das]",
		"g.V().has('person', 'name', containing('rko').and(neq('x')))":          "by text t [rko]",
		"g.V().has('name', notContaining('ark'))":                               "name.notContaining(ark)])",
		"g.V().has('name', containing('ark').or(notContaining('x')))":           "notContaining(x))])",
		"g.withoutStrategies(TinkerGraphStepStrategy).V().has('name', 'marko')": "HasStep",
	} {
		code, got := p.post(t, text+".explain()")
		if code != 200 || !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
	_, list := p.post(t, "g.call('gremlind.index.list')")
	contains(t, list, "name=t", "analyzer=trigram", "state=ACTIVE", "entries=16", "exact=true")
	_, params := p.post(t, "g.call('--list', [service: 'gremlind.index.create', verbose: true])")
	contains(t, params, `"keys":"List of Strings: The property keys`, `"unique":"Boolean: `)
}

// TestText_Kill kills the server while an index of texts is built: that goes on when it
// starts again, and every answer is right meanwhile.
func TestText_Kill(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	const many = 8_000 // more than one transaction of the builder covers
	if code, text := p.groovy(t, fmt.Sprintf("%d.times { g.addV('p').property('t', 'no ' + it + ' of all').iterate() }; g.V().count()", many)); code != 200 {
		t.Fatal(text)
	}
	if code, text := p.post(t, "g.call('gremlind.index.create', [name: 't', class: 'vertex', keys: ['t'], analyzer: 'trigram', wait: false])"); code != 200 {
		t.Fatal(text)
	}
	p.kill()
	p = serve(t, "--data-dir", dir)
	built := make(chan string, 1)
	go func() { // which waits for the one that is being built
		defer close(built) // also when there is no answer
		_, text := p.post(t, "g.with('evaluationTimeout', 300000L).call('gremlind.index.create', [name: 't', class: 'vertex', keys: ['t'], analyzer: 'trigram'])")
		built <- text
	}()
	for state := ""; state == ""; {
		select {
		case answer, ok := <-built:
			if state = answer; !ok {
				t.FailNow()
			}
			contains(t, state, "state=ACTIVE")
		default:
		}
		if _, text := p.post(t, "g.V().has('t', containing(' 777')).count()"); text != "==>11" {
			t.Fatal(text)
		}
	}
	_, text := p.post(t, "g.with('evaluationTimeout', 300000L).call('gremlind.index.verify', [name: 't'])")
	contains(t, text, "missing=0", "stale=0")
	p.stop(syscall.SIGTERM)
	if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone || !strings.Contains(out, "no problems") {
		t.Errorf("%s%s", out, errs)
	}
	if out, errs, code := run(t, "graph", "feature", "off", "index:text", "--yes", "--data-dir", dir); code != exitDone {
		t.Errorf("%s%s", out, errs)
	}
	if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone || !strings.Contains(out, "no problems") {
		t.Errorf("%s%s", out, errs)
	}
}
