// Package drivers runs the released drivers and the Gremlin Console against the
// built binary (make drivers): each is installed from its own registry into
// conformance/.cache, those of Python and JavaScript in two releases, fills a graph, reads every kind of value back, opens sessions
// and transactions, meets an error and a timeout, opens many connections at once and
// finds its data again after the server was killed.
//
// The programs are in testdata, one per language, and speak to the test over their
// standard streams. Everything is behind the build tag drivers, for it needs Maven
// with Java 17, Python 3 and Node beside Go.
package drivers
