// Package request takes one request through the server, by whatever transport it came.
//
// A Task is the request: its arguments are checked, it is evaluated in the transaction of
// its own that a request outside of sessions has, it runs again when it lost a conflict,
// and its answer is written. The Desk is what all requests share: it says how many there
// may be and how many of them may evaluate, and counts what becomes of them.
//
// Requests that come again and again with other constants are recognised by their form
// (forms.go) and not decoded.
package request
