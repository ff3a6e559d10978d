package engine

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// TestStarted_Account has scripts start traversals without end, and keep them: what runs
// is charged, until it has ended.
func TestStarted_Account(t *testing.T) {
	const limit = 4 << 20
	e := open(t)
	for _, text := range []string{
		"l = []; while (true) { t = g.V().out(); t.next(); l << t }",
		"l = []; while (true) { t = g.V().both().both(); t.hasNext(); l << t }",
		"l = []; while (true) { l << g.V().out().tryNext() }",
		"l = []; while (true) { t = g.V(); t.next(); l << t }",
		"l = []; while (true) { t = g.V().out().in().out().in().out().path(); t.next(); l << t }",
		"l = []; while (true) { t = g.V().has('name').has('age').out().has('name').values('name'); t.next(); l << t }",
		"l = []; while (true) { t = g.V().match(__.as('a').out().as('b'), __.as('b').in().as('c')); t.next(); l << t }",
		"l = []; while (true) { t = g.V().group().by(label).unfold(); t.next(); l << t }",
		"x = TinkerFactory.createModern().traversal(); l = []; while (true) { t = x.V().out(); t.next(); l << t }",
	} {
		for _, session := range []bool{false, true} {
			memory := account.New(nil, "queryMemory", limit)
			w := e.Open(contract.WorkOptions{Session: session, Account: memory, Identity: traversal.Anyone})
			q := query("gremlin-groovy", text)
			q.Account = memory
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			before := heap.InUse()
			_, err := w.Run(ctx, q)
			if grown := heap.InUse() - before; !errors.Is(err, account.ErrLimit) || grown > limit+limit/4 {
				t.Errorf("%s: %v, and %d bytes are in use, %d were charged", text, err, grown, memory.Used())
			}
			runtime.KeepAlive(w)
			w.Close()
			cancel()
		}
	}
	memory := account.New(nil, "queryMemory", 2*limit)
	w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
	q := query("gremlin-groovy", "5000.times { g.V().out().iterate(); g.V().next() }; 1")
	q.Account = memory
	if _, err := w.Run(t.Context(), q); err != nil {
		t.Errorf("many that end: %v", err)
	}
	w.Close()
}
