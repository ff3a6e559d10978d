#!/bin/sh
# Makes cmd/gremlind/default.pgo, which tells the compiler where gremlind spends its time
# (https://go.dev/doc/pgo): in the queries of the comparison with other servers, asked by both
# clients, and in what those do not reach, from benchmarks: imports, texts, JSON and the
# building of indexes. Takes ten minutes, in which the machine should do nothing else.
set -eu
cd "$(dirname "$0")/../../.."
profiles=conformance/.cache/profiles

rm -rf "$profiles"
mkdir -p "$profiles"
go run ./conformance/bench -gremlin-server=false -references=false -rounds 3 -round 600ms -profiles "$profiles" \
	-rows 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
# benchmarks PACKAGE PATTERN
benchmarks() {
	go test -run '^$' -bench "$2" -benchtime 2s -cpuprofile "$profiles/$(echo "$1" | tr / -).pprof" \
		-o "$profiles/test" "./$1"
}
benchmarks blueprints 'Index_Build|BuildAlone|Text_Build|AsOf'
benchmarks blueprints/graphio 'Read|Load'
benchmarks protocol/engine 'Text|Shapes|Write'
benchmarks protocol/graphson 'DecodeRequest|AppendItem'
benchmarks traversal/lang Parse
benchmarks traversal/script 'Eval|Closure'
benchmarks steps Samples
go run ./conformance/profile -out cmd/gremlind/default.pgo "$profiles"/*.pprof
