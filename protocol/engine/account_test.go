package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// TestWriteSets charges what a transaction has yet to write: to its session, which may
// leave it open, or to its request.
func TestWriteSets(t *testing.T) {
	const limit = 4 << 20
	e := open(t)
	const add = "gtx.inject(1).repeat(addV('a').property('name', 'somebody')).emit().times(2000).count()"
	session := account.New(nil, "sessionMemory", limit)
	w := e.Open(contract.WorkOptions{Session: true, Account: session, Identity: traversal.Anyone})
	var err error
	for range 100 {
		q := query(languageLang, add)
		q.Account = account.New(nil, "queryMemory", account.Unlimited)
		if _, err = results(w, q); err != nil {
			break
		}
	}
	if !errors.Is(err, account.ErrLimit) || !strings.Contains(err.Error(), "sessionMemory") {
		t.Errorf("a session that writes without end: %v", err)
	}
	if err := w.GraphOp(context.Background(), &contract.Query{Source: "gtx"}, "rollback"); err != nil || session.Used() != 0 {
		t.Errorf("rollback: %v, %d bytes are charged", err, session.Used())
	}
	if _, err := results(w, query(languageLang, "gtx.addV('a').count()")); err != nil {
		t.Errorf("after that: %v", err)
	}
	w.Close()
	if session.Used() != 0 {
		t.Errorf("%d bytes are charged to a session that has ended", session.Used())
	}
	request := account.New(nil, "queryMemory", limit)
	w = e.Open(contract.WorkOptions{Identity: traversal.Anyone})
	q := query(languageLang, strings.Replace(add, "2000", "200000", 1))
	q.Account = request
	if _, err := results(w, q); !errors.Is(err, account.ErrLimit) || !strings.Contains(err.Error(), "queryMemory") {
		t.Errorf("a request that writes without end: %v", err)
	}
	w.Close()
}

// TestTerminals_Account has scripts take results of traversals in every way that keeps
// them: what they keep is charged to the request.
func TestTerminals_Account(t *testing.T) {
	e := open(t)
	const many = "g.inject(1).repeat(math('_ + 1')).emit()"
	for _, terminal := range []string{"toList()", "toSet()", "toBulkSet()", "next(1000000)", "fill([])", "toStream()", "collect { it }", "collectEntries { [it, it] }", "fold().next()"} {
		q := query("gremlin-groovy", "x = "+many+"."+terminal+"; 1")
		q.Account = account.New(nil, "queryMemory", 1<<20)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		it, err := w.Run(ctx, q)
		if err == nil {
			it.Close()
		}
		if !errors.Is(err, account.ErrLimit) {
			t.Errorf("%s: got %v, want its memory to be exceeded", terminal, err)
		}
		w.Close()
		cancel()
	}
}
