// Command bench measures gremlind side by side with other Gremlin servers.
//
//	go run ./conformance/bench                          gremlind and Gremlin Server 3.8.1 with TinkerGraph
//	go run ./conformance/bench -janusgraph              and JanusGraph 1.1.0 on BerkeleyJE
//	go run ./conformance/bench -target x=ws://host/gremlin    and any other server that is filled already
//	go run ./conformance/bench -old bin/earlier -rounds 10 -round 250ms    is anything slower than it was?
//	go run ./conformance/bench -denied -rounds 10 -starts 2 -round 250ms    is who is denied something slower?
//	go run ./conformance/bench -profiles folder         where does gremlind spend its time meanwhile? See make profile
//	go run ./conformance/bench -rows 1,2,4 -edges 100000 -rounds 3 -round 1s
//
// Every server holds the same R-MAT graph from seed 42, made by gremlind generate.
// Before a query is timed its answers are compared between all servers; a difference
// ends the run. Then the servers take turns, one idle while the other works, and the
// ratio is the median over the rounds. With -old each round has processes of its own: two
// of the same binary differ. Two clients ask: raw, which writes frames
// encoded beforehand, one at a time or eight at once, and looks at nothing but the
// status of the answers, and gremlin-go as published. On Linux all raw clients share
// one thread, which sleeps in epoll_wait when no answer is there, because the client
// works on the same processors as the server; elsewhere each has a goroutine and the
// client takes more. Three references that need no other software are always there:
// ref-canned, the ceiling of the wire, ref-commit, which commits as many keys as gremlind
// does to a bare Pebble store before each answer, and ref-naive, the obvious server; and the
// floors of this machine without any server.
//
// Row 19 compares gremlind with itself: writes with an index, a schema or a counter beside
// those without, many clients who add the same, and indexes that are built beside writers; a kind of
// index that misses a bar there is measured twice more, and the median counts.
// Row import is how much memory the import of ten times the edges takes; with -old it compares the
// imports of the two binaries.
// What single look-ups may take stands with the benchmarks of steps and blueprints.
//
// gremlind runs with its defaults: every commit is on disk before its answer is sent.
package main
