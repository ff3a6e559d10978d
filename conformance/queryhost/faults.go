package queryhost

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/scriptfiles"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// faultsMax is how many calls of one query fail, one a run: of more, as many as that, with
// the same distance between them.
const faultsMax = 8

// Cache is how many bytes of decoded rows are kept.
type Cache int64

// The caches keep nothing, and next to nothing.
const (
	Uncached Cache = -1
	Cached   Cache = 1
)

// Faults runs the queries of a folder's scripts over a store whose calls fail, one at a
// time: whoever asked hears of it, unless the results are the same without the call, which a
// limit may make and not need. Nothing stays open. The caches are of decoded rows: without
// one each row is read alone, with one many at a time.
func Faults(t *testing.T, folder string, caches ...Cache) {
	t.Helper()
	for _, cache := range caches {
		t.Run(map[Cache]string{Uncached: "Uncached", Cached: "Cached"}[cache], func(t *testing.T) {
			scriptfiles.Walk(t, folder, func(t *testing.T, path string) {
				s := Script{Graphs: open(t, int64(cache)), Order: "exact"}
				datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
					if d.Cmd == "index" {
						return declare(t, s.Graphs, d)
					}
					s.Graph = "modern"
					d.MaybeScanArgs(t, "graph", &s.Graph)
					for query := range strings.SplitSeq(d.Input, "\n") {
						if err := s.faults(t.Context(), query); err != nil {
							d.Fatalf(t, "%s: %v", query, err)
						}
					}
					return d.Expected
				})
			})
		})
	}
}

// FaultsAlone is Faults where Run would be RunAlone.
func FaultsAlone(t *testing.T, folder string, caches ...Cache) {
	t.Helper()
	leaveToSteps(t)
	Faults(t, folder, caches...)
}

// faults runs a query with each of its calls failing, and then as it is. What becomes of it
// then is what Run looks at.
func (s *Script) faults(ctx context.Context, query string) error {
	q, err := lang.Parse(query, lang.Options{})
	if err != nil {
		return nil
	}
	for i := range q.Statements {
		plan, err := s.prepare(ctx, q.Statements[i].Bytecode)
		if err != nil {
			continue
		}
		if err := s.faultsOf(ctx, plan); err != nil {
			return err
		}
		s.execute(ctx, plan, 0)
	}
	return nil
}

// errUndo keeps a query that writes from writing.
var errUndo = errors.New("nothing is kept")

func (s *Script) faultsOf(ctx context.Context, plan *traversal.Plan) error {
	f := s.Graphs.store
	var got *value.BulkSet
	run := func() error {
		got = value.NewBulkSet()
		return s.each(storagetest.Asking(ctx), plan, 0,
			func(t *traversal.Traverser, _ *blueprints.Tx) { got.Add(t.Value, t.Bulk) },
			func(*blueprints.Tx) error { return errUndo })
	}
	calls, err := f.Calls(run)
	if !errors.Is(err, errUndo) {
		return nil // it fails by itself, maybe before the call
	}
	want := got
	for call := int64(0); call < calls; call += max(1, calls/faultsMax) {
		fault := f.At(call, run)
		switch {
		case fault.Open != 0:
			return fmt.Errorf("call %d of %d fails: %d iterators stay open", call, calls, fault.Open)
		case !fault.Happened || errors.Is(fault.Err, storagetest.ErrDisk):
		case !errors.Is(fault.Err, errUndo):
			return fmt.Errorf("call %d of %d fails, and what is said is: %v", call, calls, fault.Err)
		case plan.Effects()&traversal.WritesGraph != 0 || !value.Equal(got.Value(), want.Value()):
			return fmt.Errorf("call %d of %d fails, nobody says so, and the results are %v in place of %v", call, calls, got.Value(), want.Value())
		}
	}
	return nil
}
