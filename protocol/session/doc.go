// Package session runs the requests of a session one after the other, on the variables
// and the transaction that the session keeps, and ends sessions that nobody uses.
package session
