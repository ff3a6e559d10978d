package blueprints_test

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// TestChanges_Stop: whoever is told of changes and has no more of them, or fails, at whichever it is,
// is told of no further one, and the error is handed on.
func TestChanges_Stop(t *testing.T) {
	g, floor := socialHistory(t)
	type teller = func(*blueprints.Change) (bool, error)
	view(t, g, func(tx *blueprints.Tx) {
		one := func(fn teller) func(c *blueprints.Commit) (bool, error) {
			return func(c *blueprints.Commit) (more bool, err error) {
				more = true
				err = c.Changes(func(ch *blueprints.Change) (bool, error) {
					var err error
					more, err = fn(ch)
					return more, err
				})
				return more, err
			}
		}
		v, _, err := tx.FindPast(blueprints.VertexClass, value.Long(1))
		if err != nil {
			t.Fatal(err)
		}
		for what, tell := range map[string]func(fn teller) error{
			"commits":               func(fn teller) error { return tx.EachCommit(0, 0, false, one(fn)) },
			"commits backwards":     func(fn teller) error { return tx.EachCommit(0, 0, true, one(fn)) },
			"commits of an element": func(fn teller) error { return tx.EachCommitOf(blueprints.VertexClass, v, 0, 0, one(fn)) },
			"difference":            func(fn teller) error { return tx.Diff(floor, 0, fn) },
		} {
			all := 0
			if err := tell(func(*blueprints.Change) (bool, error) { all++; return true, nil }); err != nil || all < 3 {
				t.Fatalf("%s: %d changes, %v", what, all, err)
			}
			for _, failed := range []error{nil, errors.New("enough")} {
				for at := range all {
					told := 0
					err := tell(func(*blueprints.Change) (bool, error) {
						told++
						if told <= at {
							return true, nil
						}
						return false, failed
					})
					if told != at+1 || !errors.Is(err, failed) {
						t.Errorf("%s: who has enough at the one behind %d with error %v is told of %d, and %v", what, at, failed, told, err)
					}
				}
			}
		}
	})
}
