package blueprints_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// addLabels adds a vertex of each of the labels.
func addLabels(t *testing.T, g *blueprints.Graph, first, end int) {
	t.Helper()
	err := g.Update(t.Context(), func(tx *blueprints.Tx) error {
		for i := first; i < end; i++ {
			if _, err := tx.AddVertex(fmt.Sprint("label-", i), value.Value{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNames_Many: what new labels and keys cost does not depend on how many there are, and
// many of them in one transaction do not take a commit each. Times are of the processor.
func TestNames_Many(t *testing.T) {
	dir := t.TempDir()
	db := openNames(t, dir)
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const step = 3000
	var took []time.Duration
	for i := range 10 {
		began := cputime.Own()
		addLabels(t, g, i*step, (i+1)*step)
		took = append(took, cputime.Own()-began)
	}
	t.Logf("%v for %d labels each", took, step)
	began, commits := cputime.Own(), g.Store().Seq()
	addLabels(t, g, 10*step, 15*step)
	if n := g.Store().Seq() - commits; n > 10 { // some for blocks of ids
		t.Errorf("%d labels in one transaction took %d commits", 5*step, n)
	}
	if d := cputime.Own() - began; d > 40*max(took[0], took[1]) {
		t.Errorf("%d labels in one transaction took %v, %d %v", 5*step, d, step, took[0])
	}
	if last, first := min(took[8], took[9]), max(took[0], took[1]); last > 8*first {
		t.Errorf("the last %d labels took %v, the first %v", step, last, first)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openNames(t, dir)
	defer func() { _ = db.Close() }()
	if g, err = db.Graph("g"); err != nil {
		t.Fatal(err)
	}
	err = g.View(t.Context(), func(tx *blueprints.Tx) error {
		for _, name := range []string{"label-0", fmt.Sprint("label-", 10*step-1)} {
			if sym, ok := tx.Symbol(name); !ok || tx.Name(sym) != name {
				t.Errorf("%s is %d, %v", name, sym, ok)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func openNames(t *testing.T, dir string) *blueprints.Database {
	t.Helper()
	s, err := pebble.Open(dir, pebble.Options{Layout: table.Layout, BallastBytes: -1, DiskReserve: -1})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// TestNames_TwoTransactions: two that need the same new names at the same time both store
// them, under the same numbers, and neither loses.
func TestNames_TwoTransactions(t *testing.T) {
	for level, isolation := range isolations {
		t.Run(level, func(t *testing.T) {
			db := openNames(t, t.TempDir())
			defer func() { _ = db.Close() }()
			g, err := db.CreateGraph("g", blueprints.Options{Isolation: isolation})
			if err != nil {
				t.Fatal(err)
			}
			many, err := g.Begin(t.Context(), blueprints.TxOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = many.Close() }()
			for i := range 100 {
				if _, err := many.AddVertex(fmt.Sprint("label-", i), value.Value{}); err != nil {
					t.Fatal(err)
				}
			}
			addLabels(t, g, 90, 110)
			if err := many.Commit(t.Context()); err != nil {
				t.Errorf("two made the same names: %v", err)
			}
			addLabels(t, g, 0, 200)
			err = g.View(t.Context(), func(tx *blueprints.Tx) error {
				for i := range 200 {
					name := fmt.Sprint("label-", i)
					if sym, ok := tx.Symbol(name); !ok || tx.Name(sym) != name {
						t.Errorf("%s is %q", name, tx.Name(sym))
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if r := wantSound(t, g); r.Vertices != 320 {
				t.Errorf("%d vertices", r.Vertices)
			}
		})
	}
}

// TestNames_Bounded: names that nobody stores do not stay in memory without bound.
func TestNames_Bounded(t *testing.T) {
	db := openNames(t, t.TempDir())
	defer func() { _ = db.Close() }()
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := g.Begin(t.Context(), blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Close() }()
	long := strings.Repeat("x", 60<<10)
	for i := range 1000 {
		if _, ok := tx.Symbol(fmt.Sprint(i, long)); !ok {
			if i < 100 {
				t.Errorf("only %d names can be asked for", i)
			}
			return
		}
	}
	t.Error("60 MB of names that nobody stored are kept")
}
