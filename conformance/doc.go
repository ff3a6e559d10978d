// Package conformance holds what proves that gremlind behaves as Gremlin Server
// does. Its packages talk to a running server over the wire and import nothing of
// the engine but the shared nouns and the codecs:
//
//	artifact    fetches TinkerPop's released jars, sources and drivers into .cache
//	server      builds gremlind, starts it with tinkerpop.yaml, stops it
//	client      a WebSocket client that sends raw requests and decodes the answers
//	gosuite     make conformance, first half: the unmodified Go suite of gremlin-go
//	features    make conformance, second half: every scenario as text and as bytecode, and the bytecode as gremlin-go sends it
//	integration make integration: the own integration tests of gremlin-go and gremlinpython
//	drivers     make drivers: the released drivers and the console
//	bench       make bench: side by side with the servers of others
//
// The style test of the whole repository lives here too.
package conformance
