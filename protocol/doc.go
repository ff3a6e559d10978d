// Package protocol is the endpoint: Gremlin over WebSocket and HTTP on one port.
//
// It joins rooms that import one another in one direction, from the socket inwards:
//
//	protocol     Server: the entrance, administration, the janitor, the end
//	listening    who may connect, and which pages may ask
//	connection   WebSocket: messages in, frames out, login
//	web          HTTP: a request, a response
//	session      requests that follow one another on the same variables
//	request      what is asked, checked, evaluated and run again
//	answer       results and errors, in responses
//	metrics      what is counted
//	contract     the Engine that evaluates, the Authenticator that knows users
//	quota        how much anybody may take
//	message      requests and responses free of any wire format; status codes
//
// Beside them, and known to them by interfaces alone: engine evaluates on graphs,
// graphbinary and graphson read and write bytes, auth knows users and passwords.
//
// One request: a connection reads a message and makes it a request.Task. Its arguments
// are checked, and a slot is taken, of which there are as many as requests may evaluate at
// once. The Engine yields results, an answer.Reply makes frames of them, and the connection
// sends those. Every request gets exactly one terminal frame; a message that cannot be
// served gets a status, and the connection lives on. What answers a connection is a
// request.Client to the rooms beneath: that is the one way back, and it is an interface.
//
// Every bound is a field of quota.Limits.
package protocol
