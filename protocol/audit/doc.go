// Package audit writes down who was refused what, and what administrators changed.
//
// A Trail has two places for that: the server's log, and when one is configured a file of
// its own (File), which also gets the requests that failed. Whoever is refused decides how
// often; so the lines of a second are bounded, by kind, and the next line says how many had
// none. Texts of clients are cut, and escaped by the handlers of the log: one event is one line.
package audit
