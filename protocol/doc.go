// Package protocol is the endpoint: Gremlin over WebSocket and HTTP on one port.
//
// Its parts are packages in the folders of this one. Each imports only what stands below it
// in this list:
//
//	protocol     Server: accepts what connects, answers administrators, shuts down
//	listening    who may connect, and which web pages may send requests
//	connection   WebSocket: messages in, frames out, login
//	web          HTTP: a request, a response
//	session      requests that share variables and a transaction, one after the other
//	request      a request.Task: checks, evaluation, another try after a lost conflict
//	answer       makes responses of results and errors
//	metrics      what is counted, for /metrics
//	contract     the interfaces Engine, which evaluates, and Authenticator, which knows users
//	quota        quota.Limits: every bound, and who holds how much of what is bounded
//	message      requests and responses as values, whatever their format; status codes
//
// Four more packages implement those interfaces, and none of the above imports them
// (cmd/gremlind/wire.go puts them in): engine evaluates on graphs, graphbinary and graphson
// read and write bytes, auth knows users and passwords.
//
// One request: a connection reads a message and makes it a request.Task. Its arguments
// are checked. It waits for a slot, of which there are as many as requests may be evaluated
// at once. The Engine yields results, an answer.Reply puts them into frames (WebSocket
// messages), and the connection sends those. The last frame of a request, and no other, has
// a status that ends it; a message that cannot be served gets a status too, and the
// connection goes on. A task knows its connection only as a request.Client: that interface
// is the one way back up this list.
package protocol
