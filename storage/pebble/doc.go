// Package pebble is the storage.Store over one Pebble database.
//
// A transaction reads a shared snapshot of the last durable commit and keeps its
// writes in an overlay of its own (tx.go, overlay.go). Commit hands a request to the
// committer, one goroutine that takes all waiting requests as a group (committer.go),
// validates each against what was committed since it began (validate.go; the newest
// commits in fresh.go, those before in recent.go), writes them as one batch (batch.go),
// waits for the sync of the log (logfile.go), tells the listeners, publishes a new
// shared snapshot (shared.go), and only then answers.
//
// Nothing reads the database except through a shared snapshot, because Pebble shows a
// write before it is durable. When the log cannot be written Pebble calls Fatalf, and
// the process ends (fatal.go): a failed sync is never retried.
//
// The data directory holds
//
//	FORMAT     the version of the layout, as text
//	WATERMARK  a commit number known to be durable: opening with less is refused
//	BALLAST    space given back to the log when the disk is full
//	db/        Pebble's own files
//	ingest/    tables on their way into the database
//
// Goroutines: the committer, and the keeper, which once a second writes the
// watermark, looks at the free space and drops idle iterators.
package pebble
