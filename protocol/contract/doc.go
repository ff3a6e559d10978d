// Package contract is what the endpoint asks of those it does not know: an Engine that
// evaluates requests on graphs, and an Authenticator that knows the users.
//
// The rooms of the endpoint know no graph but through an Engine; protocol/engine is the
// one of the running server, and a few lines in tests are another.
package contract
