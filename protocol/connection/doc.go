// Package connection serves WebSocket connections.
//
// One goroutine reads a connection, message by message (conn.go, incoming.go). A message
// that asks for little is evaluated by that goroutine, which is quickest as long as it is
// quick: when it takes longer than request.HandoverAfter, another goroutine goes on
// reading (inline.go). Other requests have goroutines of their own, those of a session one
// for all.
//
// Whoever finishes a frame appends it to the outbox, and one goroutine at a time writes
// all that is pending to the socket (outbox.go, sending.go). Until its user is known, a
// connection's requests wait at the gate (gate.go).
package connection
