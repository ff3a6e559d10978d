package engine

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// TestRest: what a request of a session made is in memory no longer than its request is
// charged for it, whatever becomes of it, though its transaction stays open.
func TestRest(t *testing.T) {
	e := open(t)
	committed(t, e, "v = (1..8).collect { gtx.addV('person').property('name', 'n' + it).next() }; v.each { a -> v.each { b -> gtx.V(a).addE('knows').to(b).iterate() } }; 1")
	for _, c := range []struct {
		name  string
		query *contract.Query
		stop  bool // before its results were read
	}{
		{"bytecode", coded(t, "g.V().as('a').both().both().aggregate('x').where(within('x')).path()"), false},
		{"bytecode that is stopped", coded(t, "g.V().as('a').both().order().by('name').both().path()"), true},
		{"gremlin-lang", query(languageLang, "gtx.V().both().group().by('name').by(both().fold())"), false},
		{"gremlin-lang that is stopped", query(languageLang, "gtx.V().hasLabel('person').both().out()"), true},
	} {
		c.query.Source = "gtx"
		c.query.Account = account.New(nil, "queryMemory", 64<<20)
		w := e.Open(contract.WorkOptions{Session: true, Account: account.New(nil, "sessionMemory", 1<<20), Identity: traversal.Anyone})
		made := runs(t, w, c.query, c.stop)
		if !w.Open() {
			t.Errorf("%s: no transaction is open, and nothing is tested", c.name)
		}
		w.Rest()
		for range 3 {
			runtime.GC()
		}
		if made.Value() != nil {
			t.Errorf("%s: what was made for it is in memory", c.name)
		}
		runtime.KeepAlive(w)
		w.Close()
	}
}

// runs has a query evaluated, and returns what nobody should reach then.
func runs(t *testing.T, w contract.Work, q *contract.Query, stop bool) weak.Pointer[run] {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	res, err := w.Run(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	for {
		got, err := res.Next(nil, 2)
		if stop && err == nil {
			cancel()
			stop = false
			continue
		}
		if err != nil || len(got) == 0 {
			break
		}
	}
	q.Ran = nil // as the request does when it has looked at it
	return weak.Make(res.(*run))
}

func coded(t *testing.T, text string) *contract.Query {
	return &contract.Query{Bytecode: bytecode(t, text, nil)}
}

// committed has a script evaluated by itself and commits.
func committed(t *testing.T, e *Engine, text string) {
	t.Helper()
	w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
	defer w.Close()
	q := query(languageGroovy, text)
	q.Account = account.New(nil, "queryMemory", account.Unlimited)
	if _, err := results(w, q); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(t.Context(), true); err != nil {
		t.Fatal(err)
	}
}

// TestKeptTraversals: what the traversals hold that a session keeps in variables is charged
// to it from the end of their query on, whoever uses the memory of the query behind it, and
// no longer than they are kept.
func TestKeptTraversals(t *testing.T) {
	const much = 1 << 20
	e := open(t)
	for _, begin := range []string{
		"x = g.inject(1).repeat(union(math('_ * 2'), math('_ * 2 + 1'))).times(15).as('a').barrier(40000).path()",
		"x = __.inject(1).repeat(union(math('_ * 2'), math('_ * 2 + 1'))).times(15).as('a').barrier(40000).path()",
		"x = gcrew.inject(1).repeat(union(math('_ * 2'), math('_ * 2 + 1'))).times(15).as('a').barrier(40000).path()",
	} {
		session := account.New(nil, "sessionMemory", account.Unlimited)
		w := e.Open(contract.WorkOptions{Session: true, Account: session, Identity: traversal.Anyone})
		memory := account.New(nil, "queryMemory", account.Unlimited)
		ask := func(text, want string) {
			t.Helper()
			q := query(languageGroovy, text)
			q.Account = memory
			if got, err := results(w, q); err != nil || got != want {
				t.Fatalf("%s: %s %v", text, got, err)
			}
			if q.Ran = nil; session.Used() > 64<<20 {
				t.Errorf("%s: %d bytes are charged to the session", text, session.Used())
			}
			w.Rest()
			memory.Clear()
		}
		ask(begin+"; x.next().size()", "16")
		kept := session.Used()
		if kept < much {
			t.Errorf("%s: the session is charged %d bytes", begin, kept)
		}
		ask("x.next(2).size()", "2")
		if used := memory.Used(); used != 0 {
			t.Errorf("%s: a query of another one is charged %d bytes", begin, used)
		}
		ask("x = 1; 1", "1")
		runtime.GC()
		if ask("2", "2"); session.Used() > kept/4 {
			t.Errorf("%s: %d bytes are charged to the session, of %d, behind the variable", begin, session.Used(), kept)
		}
		w.Close()
	}
}

// TestKeptTraversals_Refused: a traversal that a session has no room for ends, and says why.
func TestKeptTraversals_Refused(t *testing.T) {
	e := open(t)
	session := account.New(nil, "sessionMemory", 1<<20)
	w := e.Open(contract.WorkOptions{Session: true, Account: session, Identity: traversal.Anyone})
	defer w.Close()
	ask := func(text string) error {
		q := query(languageGroovy, text)
		q.Account = account.New(nil, "queryMemory", 64<<20)
		_, err := results(w, q)
		w.Rest()
		return err
	}
	if err := ask("x = g.inject(1).repeat(union(math('_ * 2'), math('_ * 2 + 1'))).times(15).as('a').barrier(40000).path(); x.next(); 1"); err != nil {
		t.Fatal(err)
	}
	if used := session.Used(); used > 1<<19 {
		t.Errorf("%d bytes are charged for what is gone", used)
	}
	if err := ask("x.toList().size()"); !errors.Is(err, account.ErrLimit) || !strings.Contains(err.Error(), "sessionMemory") {
		t.Errorf("the next result: %v", err)
	}
	if err := ask("x = g.V().count().next()"); err != nil {
		t.Errorf("the session behind it: %v", err)
	}
}

// TestRest_Opened: nor does a graph that a session opened keep what read it last.
func TestRest_Opened(t *testing.T) {
	const much = 4 << 20
	e := open(t)
	w := e.Open(contract.WorkOptions{Session: true, Account: account.New(nil, "sessionMemory", 64<<20), Identity: traversal.Anyone})
	ask := func(text string) {
		q := query(languageGroovy, text)
		q.Account = account.New(nil, "queryMemory", account.Unlimited)
		if _, err := results(w, q); err != nil {
			t.Fatal(err)
		}
	}
	ask("y = TinkerGraph.open().traversal(); 100.times { y.addV().iterate() }; 1")
	w.Rest()
	before := heap.InUse()
	ask("y.V().as('a').V().as('b').V().limit(100000).barrier(100000).where(neq('a')).next(); 1")
	if grown := heap.InUse() - before; grown < much {
		t.Fatalf("%d bytes are in use, and nothing is tested", grown)
	}
	w.Rest()
	if grown := heap.InUse() - before; grown > much/4 {
		t.Errorf("%d bytes are in use behind the request", grown)
	}
	runtime.KeepAlive(w)
	w.Close()
}
