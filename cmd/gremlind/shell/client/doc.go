// Package client speaks to any Gremlin server of TinkerPop 3.5 and later: scripts in,
// frames of results out, over a WebSocket, through the socket of a data directory, or to
// a server in this process.
//
// It is not gremlin-go, on purpose. A shell shows what a server may answer with, and
// gremlin-go has no reader for trees, subgraphs, characters and most times: one such
// result ends its connection. It keeps no connection to a Unix socket, names no language,
// folds status codes into a byte, and hands every value over a channel of its own, which
// is slower than the bar of gremlind query. The project's own codec reads all of
// GraphBinary, and is tested against drivers and servers of every language anyway.
//
// A Conn is one connection, opened when it is first needed and again when it was lost
// between two requests. It evaluates one request at a time. Its reader decodes ahead of
// whoever takes the results, up to Options.ReadAhead bytes, and then makes the server
// wait: however many results there are, they take no more memory than that.
//
// Threads: one goroutine submits and takes results; a goroutine per open connection
// reads. Cancelling the context of a request ends the connection, the one way to stop a
// query that every server knows.
package client
