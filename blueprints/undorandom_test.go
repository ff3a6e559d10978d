package blueprints_test

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
)

// undo takes back one of the last commits, or has an element there again. Behind the last commit
// that is taken back all is as it was before that.
func (r *replay) undo() {
	r.Helper()
	var versions []storage.Stamp
	view(r, r.g, func(tx *blueprints.Tx) {
		r.must(tx.EachCommit(0, 0, true, func(c *blueprints.Commit) (bool, error) {
			versions = append(versions, c.Version)
			return len(versions) < 8, nil
		}))
	})
	if len(versions) == 0 || r.IntN(3) == 0 {
		class := []blueprints.ElementClass{blueprints.VertexClass, blueprints.EdgeClass}[r.IntN(2)]
		id := r.id()
		r.refused(r.g.Update(ctx, func(tx *blueprints.Tx) error { _, err := tx.Restore(class, id); return err }))
		return
	}
	i := r.IntN(len(versions))
	force := r.IntN(2) == 0
	err := r.g.Update(ctx, func(tx *blueprints.Tx) error { _, err := tx.Undo(versions[i], force); return err })
	if i > 0 {
		r.refused(err)
		return
	}
	r.must(err)
	was, err := r.g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: versions[0] - 1})
	r.must(err)
	defer was.Close()
	view(r, r.g, func(tx *blueprints.Tx) {
		if got, want := r.text(tx), r.text(was); got != want {
			r.Fatalf("behind the undoing of version %d it is\n%s\nand was\n%s", versions[0], got, want)
		}
	})
}

// refused accepts errors that a client is told.
func (r *replay) refused(err error) {
	r.Helper()
	var told *blueprints.Exception
	if err != nil && !errors.As(err, &told) {
		r.Fatal(err)
	}
}
