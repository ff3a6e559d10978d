// Package pebble is the storage.Store over one Pebble database. Its transactions are those
// of package occ; here is what lies beneath them, and everything about files.
//
// The transactions see Pebble as an engine (engine.go): states to read (state.go), and
// groups of commits, each of which becomes one batch (prepare.go, batch.go, counters.go)
// and one sync of the log (logfile.go). Nothing else reads the database, because Pebble
// shows a write before it is durable; the transactions take a state when the sync is
// over. When the log cannot be written Pebble calls Fatalf, and the process ends
// (fatal.go): a failed sync is never retried.
//
// The data directory holds
//
//	FORMAT     the version of the layout, as text
//	WATERMARK  a commit number known to be durable: opening with less is refused
//	BALLAST    space given back to the log when the disk is full
//	db/        Pebble's own files
//	ingest/    tables on their way into the database
//
// Of the keys the package knows what storage.Layout says: the rows, which its Bloom filters
// hold, and which keys belong into files of their own.
//
// Goroutines: the committer of the transactions, and the keeper, which once a second
// writes the watermark, looks at the free space and drops idle cursors.
package pebble
