package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// timed is the modern graph with history, and the versions of what was done to it.
type timed struct {
	*testing.T
	e        *Engine
	g        *blueprints.Graph
	versions []storage.Stamp
}

func openTimed(t *testing.T) *timed {
	e := open(t)
	g, err := e.o.Database.Graph("modern")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.CreateKeyIndex(t.Context(), blueprints.VertexClass, "name"); err != nil {
		t.Fatal(err)
	}
	if err := g.KeepHistory(t.Context(), blueprints.Forever); err != nil {
		t.Fatal(err)
	}
	x := &timed{T: t, e: e, g: g}
	x.note()
	for _, q := range []string{"g.V(1).property('age',30)", "g.V(4).drop()", "g.addV('person').property(T.id,20).property('name','ann')"} {
		x.do(q, "")
		x.note()
	}
	return x
}

// note takes note of the last version, and waits until it is of another millisecond than what
// comes next.
func (x *timed) note() {
	snap, err := x.g.Store().Snapshot()
	if err != nil {
		x.Fatal(err)
	}
	defer snap.Close()
	b, err := snap.Get(table.Layout.Stamp)
	if err != nil {
		x.Fatal(err)
	}
	n, _ := storage.Count(b)
	v := storage.Stamp(n)
	x.versions = append(x.versions, v)
	<-time.After(time.Until(v.Time().Add(2 * time.Millisecond)))
}

// text puts versions, and their times, in the place of v0 and t0.
func (x *timed) text(s string) string {
	for i, v := range x.versions {
		s = strings.ReplaceAll(s, fmt.Sprintf("<v%d>", i), fmt.Sprint(uint64(v)))
		s = strings.ReplaceAll(s, fmt.Sprintf("<t%d>", i), v.Time().UTC().Format("2006-01-02T15:04:05.000Z"))
		s = strings.ReplaceAll(s, fmt.Sprintf("<ms%d>", i), fmt.Sprint(v.Time().UnixMilli()))
	}
	return s
}

// do asks in both languages, unless want is empty: then once.
func (x *timed) do(q, want string) {
	x.Helper()
	languages := []string{languageLang, languageGroovy, languageLang, languageGroovy, languageLang}
	if want == "" {
		languages = languages[:1]
	}
	q, want = x.text(q), x.text(want)
	for _, language := range languages {
		if got := auto(x, x.e, query(language, q)); want != "" && got != want {
			x.Errorf("%s, %s: %s, want %s", language, q, got, want)
		}
	}
}

// TestAsOf asks for what there was, as examples have it.
func TestAsOf(t *testing.T) {
	x := openTimed(t)
	for _, c := range [][2]string{
		{"g.with('asOf',<v0>L).V(1).values('age')", "29"},
		{"g.with('asOf',<v1>L).V(1).values('age')", "30"},
		{"g.with('asOf',<v1>L).V(1).out('knows').values('name').order()", "josh vadas"},
		{"g.V(1).out('knows').values('name')", "vadas"},
		{"g.with('asOf',<v2>L).V().count()", "5"},
		{"g.with('asOf',<v2>L).E().count()", "3"},
		{"g.with('asOf',<v3>L).V(20).values('name')", "ann"},
		{"g.with('asOf',<v1>L).V(4).bothE().count()", "3"},
		{"g.with('asOf',<v1>L).V(20).hasNext()", "false"},
		{"g.with('asOf',<v1>L).V().has('name','josh').hasNext()", "true"},
		{"g.with('asOf',<v1>L).V().has('name','josh').out('created').count()", "2"},
		{"g.with('asOf',<v1>L).V().has('name','ann').hasNext()", "false"},
		{"g.with('asOf','<v1>').V().has('name','josh').hasNext()", "true"},
		{"g.V().has('name','josh').hasNext()", "false"},
		{"g.with('asOf',<v0>L).V().group().by(label).by(count()).unfold().order().by(keys)", "person=4 software=2"},
		{"g.with('asOf','<t1>').V(1).values('age')", "30"},
		{"g.with('asOf',<ms1>L).V(1).values('age')", "30"},
		{"g.with('asOf',datetime('<t1>')).V(1).values('age')", "30"},
		{"g.call('gremlind.version').select('version')", "<v3>"},
		{"g.with('asOf',<v1>L).call('gremlind.version').select('version')", "<v1>"},
		{"g.with('asOf','<t2>').call('gremlind.version').select('version')", "<v2>"},
		{"g.with('asOf',<v0>L).V(1).property('age',31)", "error: asOf reads the past, which cannot be changed: property() writes"},
		{"g.with('asOf',<v1>L).addV('x')", "error: asOf reads the past, which cannot be changed: addV() writes"},
		{"g.with('asOf',<v1>L).V().drop()", "error: asOf reads the past, which cannot be changed: drop() writes"},
		{"g.with('asOf',<v1>L).V().where(__.addV('x'))", "error: asOf reads the past, which cannot be changed: addV() writes"},
		{"g.with('asOf',<v1>L).call('gremlind.graph.truncate', ['name':'modern','confirm':'modern'])", "error: asOf reads the past, which cannot be changed: call() writes"},
		{"g.with('asOf','yesterday').V()", "error: asOf 'yesterday': want a date, an ISO-8601 text or a version"},
		{"g.with('asOf',1.5).V()", "error: asOf '1.5': want a date, an ISO-8601 text or a version"},
		{"g.addV('x').with('asOf',<v1>L)", "error: asOf belongs to the source, g.with('asOf', ...), and not behind addV()"},
		{"gcrew.with('asOf',<v0>L).V()", "error: graph crew keeps no history (setting: history)"},
		{"g.with('asOf',<v1>L).V(1).match(__.as('a').out('knows').as('b'), __.as('b').out('created').as('c')).select('c').by('name').order()", "lop ripple"},
		{"g.with('asOf',<v1>L).V(4).repeat(__.both()).times(2).dedup().count()", "5"},
		{"g.with('asOf',<v1>L).E().subgraph('s').cap('s').next()", "tinkergraph[vertices:6 edges:6]"},
		{"g.with('asOf',<v1>L).V().hasLabel('person').values('age').sum()", "124"},
	} {
		x.do(c[0], c[1])
	}
	if got := auto(t, x.e, query(languageLang, "g.with('asOf','2000-01-01').V()")); !strings.HasPrefix(got, "error: asOf 2000-01-01T00:00Z is before the history of graph modern, which begins at 20") || !strings.HasSuffix(got, "(setting: history)") {
		t.Error(got)
	}
	if got := auto(t, x.e, query(languageLang, "g.with('asOf','2400-01-01').V()")); !strings.HasPrefix(got, "error: asOf 2400-01-01T00:00Z lies in the future: the clock of the server says 20") {
		t.Error(got)
	}
}

// TestAsOf_Scripts: what a script and its closures reach from the past is the past.
func TestAsOf_Scripts(t *testing.T) {
	x := openTimed(t)
	for _, c := range [][2]string{
		{"g.with('asOf',<v0>L).V(1).map{it.get().value('age')}", "29"},
		{"g.with('asOf',<v1>L).V(1).map{it.get().edges(OUT,'knows').size()}", "2"},
		{"g.with('asOf',<v0>L).V(1).next().value('age')", "29"},
		{"a = g.with('asOf',<v0>L).V(1).values('age').next(); b = g.V(1).values('age').next(); c = g.with('asOf',<v1>L).V().count().next(); [a, b, c, g.V().count().next()]", "29 30 6 6"},
		{"g.with('asOf',<v1>L).withComputer().V().pageRank().count()", "6"},
		{"g.withComputer().V().pageRank().count()", "6"},
		{"g.with('asOf',<v2>L).withComputer().V().pageRank().count()", "5"},
		{"v = g.V(1).next(); g.with('asOf',<v0>L).V(v).values('age')", "29"},
		{"v = g.with('asOf',<v0>L).V(4).next(); g.V(v).hasNext()", "false"},
		{"g.addV('x').iterate(); [g.with('asOf',<v3>L).V().count().next(), g.V().count().next()]", "6 7"},
	} {
		q, want := x.text(c[0]), x.text(c[1])
		w := x.e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		got, err := results(w, query(languageGroovy, q))
		w.Close()
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
}

// TestAsOf_Session: a session that has written sees the past as it was.
func TestAsOf_Session(t *testing.T) {
	x := openTimed(t)
	w := x.e.Open(contract.WorkOptions{Identity: traversal.Anyone, Session: true})
	defer w.Close()
	for _, c := range [][2]string{
		{"g.addV('x').count()", "1"},
		{"g.with('asOf',<v3>L).V().count()", "6"},
		{"g.V().count()", "7"},
		{"g.with('asOf',<v0>L).V(1).values('age')", "29"},
	} {
		got, err := results(w, query(languageGroovy, x.text(c[0])))
		if err != nil || got != c[1] {
			t.Errorf("%s: %s, %v, want %s", c[0], got, err, c[1])
		}
	}
}

// TestAsOf_SessionRepeats: what a session's transaction has read of a time it reads again until it
// ends, though nobody else can any more; of many times, of those that it opened last.
func TestAsOf_SessionRepeats(t *testing.T) {
	e := open(t)
	g, err := e.o.Database.Graph("tx")
	if err == nil {
		err = g.KeepHistory(t.Context(), blueprints.Retention(time.Hour))
	}
	if err != nil {
		t.Fatal(err)
	}
	x := &timed{T: t, e: e, g: g}
	for range 20 {
		x.do("gtx.addV('a')", "")
		x.note()
	}
	w := e.Open(contract.WorkOptions{Identity: traversal.Anyone, Session: true})
	defer w.Close()
	ask := func(q, want string) {
		t.Helper()
		got, err := results(w, query(languageLang, x.text(q)))
		if err == nil {
			err = w.Commit(t.Context(), false) // as after each request
		}
		if err != nil {
			got = "error: " + err.Error()
		}
		if want = x.text(want); got != want && (err == nil || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
	for i := range 20 {
		ask(fmt.Sprintf("gtx.with('asOf',<v%d>L).V().count()", i), fmt.Sprint(i+1))
	}
	if !w.Open() {
		t.Error("nothing is open that an idle session would end")
	}
	if _, err := g.ForgetHistory(t.Context(), x.versions[19].Time().Add(time.Hour+time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	ask("gtx.with('asOf',<v19>L).V().count()", "20")
	ask("gtx.with('asOf',<v4>L).V().count()", "5")
	gone := "error: asOf version <v3> is before the history of graph tx"
	ask("gtx.with('asOf',<v3>L).V().count()", gone)
	ask("gtx.tx().commit()", "null")
	ask("gtx.with('asOf',<v4>L).V().count()", strings.Replace(gone, "v3", "v4", 1))
	if w.Open() {
		t.Error("something is open behind the commit")
	}
}

// TestAsOf_Bytecode: the same as drivers send it, more than once, so that plans are used again.
func TestAsOf_Bytecode(t *testing.T) {
	x := openTimed(t)
	for range 4 {
		for i, want := range []string{"29", "30", "30", "30"} {
			v := x.versions[i]
			for _, at := range []value.Value{value.Long(int64(v)), value.String(fmt.Sprint(uint64(v))), value.OffsetDateTime(v.Time()), value.Date(v.Time())} {
				code := &traversal.Bytecode{Source: []traversal.Instruction{withOption("asOf", at)},
					Steps: []traversal.Instruction{{Name: "V", Args: []value.Value{value.Int(1)}}, {Name: "values", Args: []value.Value{value.String("age")}}}}
				if got := auto(t, x.e, &contract.Query{Bytecode: code, Source: "g"}); got != want {
					t.Errorf("as of %s: %s, want %s", at.Brief(), got, want)
				}
			}
		}
	}
}

// TestAsOf_Indexes: an index that is newer than the time is not used, an older one is.
func TestAsOf_Indexes(t *testing.T) {
	x := openTimed(t)
	if err := x.g.CreateKeyIndex(t.Context(), blueprints.VertexClass, "lang"); err != nil {
		t.Fatal(err)
	}
	x.do("g.addV('software').property('name','late').property('lang','go')", "")
	x.note()
	x.do("g.with('asOf',<v2>L).V().has('lang','java').count()", "2")
	x.do("g.with('asOf',<v4>L).V().has('lang','go').count()", "1")
	x.do("g.with('asOf',<v3>L).V().has('lang','go').count()", "0")
	for q, uses := range map[string]bool{"g.with('asOf',<v2>L).V().has('lang','java').explain()": false, "g.with('asOf',<v4>L).V().has('lang','java').explain()": true,
		"g.with('asOf',<v3>L).V().has('name','josh').explain()": true} {
		got := auto(t, x.e, query(languageLang, x.text(q)))
		if strings.Contains(got, "index") != uses {
			t.Errorf("%s: %s", q, got)
		}
	}
}

// TestAsOf_Denied: what a role denies it denies of the past, too.
func TestAsOf_Denied(t *testing.T) {
	x := openTimed(t)
	denied := blueprints.Denied{Keys: []string{"age"}, EdgeLabels: []string{"created"}, VertexLabels: []string{"software"}}
	ann := &traversal.Identity{Name: "ann", Roles: []traversal.Role{{Name: "r", Allow: traversal.ReadRight, Denied: denied}}}
	for _, c := range [][2]string{
		{"V().count()", "4"},
		{"V().values('name').order()", "josh marko peter vadas"},
		{"V().values('age').count()", "0"},
		{"V(4).valueMap()", "{name=[josh]}"},
		{"V().has('age',32).count()", "0"},
		{"E().count()", "2"},
		{"V().both().count()", "4"},
		{"V(4).out().count()", "0"},
		{"V(3).count()", "0"},
		{"V().has('name','lop').count()", "0"},
		{"V().map{it.get().keys().size()}.sum()", "4"},
		{"E().subgraph('s').cap('s').next()", "tinkergraph[vertices:3 edges:2]"},
	} {
		q := x.text("g.with('asOf',<v1>L)." + c[0])
		w := x.e.Open(contract.WorkOptions{Identity: ann})
		got, err := results(w, query(languageGroovy, q))
		w.Close()
		if err != nil || got != c[1] {
			t.Errorf("%s: %s, %v, want %s", q, got, err, c[1])
		}
	}
}
