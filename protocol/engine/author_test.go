package engine

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// authors are those of all commits that history knows, the oldest first.
func authors(t *testing.T, g *blueprints.Graph) (list []string) {
	snap, err := g.Store().Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	from := table.AppendTable(nil, g.Number(), table.Commits)
	it := snap.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	for it.Next() {
		changed := table.DecodeChanged(it.Value())
		a, err := table.DecodeAuthor(changed.Note)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s/%s/%x", a.User, a.By, a.Request[0]))
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestAuthor: history says whose request made each commit; of a session's transaction the one
// that committed, and of the server's own work what that was.
func TestAuthor(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	transactional, err := e.o.Database.Graph("tx")
	if err != nil {
		t.Fatal(err)
	}
	modern, err := e.o.Database.Graph("modern")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*blueprints.Graph{transactional, modern} {
		if err := g.KeepHistory(ctx, blueprints.Forever); err != nil {
			t.Fatal(err)
		}
	}
	ann := &traversal.Identity{Name: "ann", Roles: []traversal.Role{traversal.AdminRole}}
	by := func(id byte, text string) *contract.Query {
		q := query(languageLang, text)
		q.Request = uuid.UUID{id}
		return q
	}
	w := e.Open(contract.WorkOptions{Identity: ann})
	if _, err := results(w, by(1, "g.addV('a')")); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(ctx, true); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if got := authors(t, modern); !slices.Equal(got, []string{"ann//1"}) {
		t.Errorf("a request: %q", got)
	}

	s := e.Open(contract.WorkOptions{Session: true, Identity: ann})
	defer s.Close()
	for id := range byte(2) {
		if _, err := results(s, by(2+id, "gtx.addV('a')")); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.GraphOp(ctx, &contract.Query{Source: "gtx", Request: uuid.UUID{4}}, "commit"); err != nil {
		t.Fatal(err)
	}
	if _, err := results(s, by(5, "gtx.addV('never')")); err != nil {
		t.Fatal(err)
	}
	if err := s.GraphOp(ctx, &contract.Query{Source: "gtx", Request: uuid.UUID{6}}, "rollback"); err != nil {
		t.Fatal(err)
	}
	own := &blueprints.Author{By: "expiry"}
	if err := transactional.UpdateBy(ctx, own, func(tx *blueprints.Tx) error { _, err := tx.AddVertex("a", value.Null); return err }); err != nil {
		t.Fatal(err)
	}
	if got := authors(t, transactional); !slices.Equal(got, []string{"ann//4", "/expiry/0"}) {
		t.Errorf("a session, and the server: %q", got)
	}
}
