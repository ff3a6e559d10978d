// Package blueprints is the graph: vertices, edges, vertex properties and their
// indexes over an ordered transactional store.
//
// A Database is what one data directory holds: graphs by name. A Graph hands out
// transactions; a Tx is a View (reads) and a Mutator (writes) of one consistent
// state, kept until Commit or Close. A Tx belongs to one goroutine at a time; a
// Graph and a Database may be used by many.
//
//	err := g.Update(ctx, func(tx *blueprints.Tx) error {
//		v, err := tx.AddVertex("person", value.Null)
//		...
//	})
//
// Elements have internal numbers, which never leave the server, and user-visible ids.
// Both come out of the graph's own small transactions, so that no key is written by
// everyone; a rollback leaves gaps. Labels and property keys are symbols, which a
// transaction that needs a new one stores itself.
//
// A serializable transaction is run again when another one won (storage.ErrConflict);
// Update does so by itself, and the third time it runs alone.
package blueprints
