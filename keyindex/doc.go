// Package keyindex keeps the indexes of a graph: which there are (metadata.go), their
// entries (entries.go), the changes that keep them in step with the elements
// (maintain.go), their building and removal in the background (build.go), look-ups
// (lookup.go) and the named indexes that clients fill by hand (named.go).
//
// It knows element class, id, key and value, never a vertex: whoever owns elements
// tells it what changed, in the same transaction, so that index and element cannot
// disagree.
//
// The life of a key index: BUILDING from the commit that defines it, when every
// transaction that begins later maintains it and none reads it; ACTIVE once the
// builder has been everywhere; DROPPING while its entries are removed, when nobody
// maintains or reads it; then gone. A transaction guards the version of the
// definitions it worked under, and defining or dropping writes that version: of two
// that overlap, one runs again, and so no write can be missed.
package keyindex
