// Package protocol is the endpoint: WebSocket and HTTP on one port.
//
// A message enters as bytes (conn.go), is decoded by the codec that its mime type names
// (codec.go), checked (args.go) and becomes a task (task.go): evaluated by the Engine,
// its results encoded in batches (reply.go) and sent as whole frames through the
// connection's outbox (outbox.go). Session requests queue in their session
// (session.go), the others run concurrently. HTTP requests take the same way from
// task.go on (http.go).
//
// Each connection has one goroutine that reads; each running request has one of its own.
// Whoever finishes a frame appends it to the outbox, and one of them at a time
// writes all that is pending. Every request gets exactly one terminal frame; a message
// that cannot be served gets a status and the connection lives on.
//
// Every bound is a field of Limits. The package knows the graph only through Engine.
package protocol
