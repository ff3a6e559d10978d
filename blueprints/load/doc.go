// Package load fills an empty graph with records, all or nothing, many times faster than
// transactions.
//
// What the source gives is kept in columns, in the order in which it came, which is the
// order of internal ids (collect.go, props.go, ids.go, edgeids.go). Then the keys of each
// table are emitted in ascending order (emit.go, index.go, declared.go), and the store takes
// the tables in whole. What does not fit into memory waits in temporary files (package
// spool). blueprints.Loading is the graph as seen from here.
package load
