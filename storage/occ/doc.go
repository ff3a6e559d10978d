// Package occ makes transactions over an engine that has none: optimistic concurrency
// control. An engine (Base) shows states of ordered bytes and makes groups of commits
// durable; a Store over it hands out the transactions of package storage, on every
// isolation level.
//
// A transaction reads the newest published state, which it shares with all that began
// between the same two commits (shared.go), keeps its writes in an overlay of its own
// (overlay.go), and notes which ranges it read (readset.go). Nobody waits for anybody
// until it commits. Commit hands a request (request.go) to the committer, one goroutine
// that takes all waiting requests as a group (committer.go) and for that group
//
//	validates   each request against what was committed since its transaction began
//	            (validate.go): the newest commits in fresh.go, those before in recent.go
//	writes      the group through the Base, which returns when it is durable
//	tells       the listeners, in the order of the commits
//	publishes   the new state
//	answers
//
// Nothing is read but what was published, and so nobody sees what a crash could take
// back. A transaction that lost too often asks to be alone within a prefix of the keys:
// the committer holds the commits of others back until it is done, or its time is up
// (alone.go).
//
// What a Base may rely on, and what it must do, stands at Base. Of the keys a Store knows
// what storage.Layout says.
package occ
