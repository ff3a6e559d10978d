package traversal

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// What a guard hides it knows of what there is now. Of the past it would have to be asked as of
// each time, so that through it there is none to be seen.

var errGuardedHistory = illegalArgument("a strategy hides part of this graph, and what is hidden of its history cannot be told: ask a source without SubgraphStrategy and PartitionStrategy")

// EachCommit refuses.
func (g *guardedView) EachCommit(storage.Stamp, storage.Stamp, bool, func(*blueprints.Commit) (bool, error)) error {
	return errGuardedHistory
}

// EachCommitOf refuses.
func (g *guardedView) EachCommitOf(blueprints.ElementClass, uint64, storage.Stamp, storage.Stamp, func(*blueprints.Commit) (bool, error)) error {
	return errGuardedHistory
}

// Diff refuses.
func (g *guardedView) Diff(storage.Stamp, storage.Stamp, func(*blueprints.Change) (bool, error)) error {
	return errGuardedHistory
}

// FindPast refuses.
func (g *guardedView) FindPast(blueprints.ElementClass, value.Value) (uint64, bool, error) {
	return 0, false, errGuardedHistory
}
