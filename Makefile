# gremlind. Every target is one command on a clean machine with Go; conformance,
# drivers and bench also want Maven with Java 17, Python 3 and Node, and fetch what
# they test from the public registries.

GO      ?= go
SEED    ?= 1
SEEDS   ?= 1
TIME    ?= 15s
CROSS   ?= windows/amd64 darwin/arm64 freebsd/amd64
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  = -s -w -X main.version=$(VERSION)

# As releases are built. The race detector needs C.
export CGO_ENABLED = 0

.PHONY: build run test whole race fmt vet crash isolation time fuzz conformance conformance-go \
	conformance-own integration scripts differential drivers explorer hostile mutants bench unslowed counted profile cross dist clean

# The profile that the command is compiled with (make profile) makes it faster and nothing else:
# what only looks for faults does not wait for all packages to be compiled once more.
test whole race vet crash isolation time fuzz differential explorer hostile mutants cross: export GOFLAGS := $(GOFLAGS) -pgo=off

build:
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/gremlind ./cmd/gremlind

run: build
	bin/gremlind serve --sample modern

# What vet looks at, it has looked at. Of many cases that look for the same fault some are tried in
# turn, and properties that rapid draws a third as often as by make whole. Garbage is collected
# rarely; the servers that tests start collect theirs as always.
test: vet
	GOGC=400 RAPID_CHECKS=33 $(GO) test -vet=off -timeout 15m ./...

# All cases of the tests of which make test tries some.
whole:
	WHOLE=1 $(GO) test -vet=off -count=1 -timeout 60m ./...

# The race detector watches all code but gremlin-go's: that driver reads the state of a
# connection without a lock while its reader writes it, which shows when a server ends.
# Properties that rapid draws are tried a fourth as often there: most have nothing beside them.
# The style tests, which read the source one file behind the other, are left to make test.
RACE  = CGO_ENABLED=1 $(GO) test -race -gcflags=github.com/apache/tinkerpop/gremlin-go/v3/driver=-race=false \
	  -tags invariants -vet=off -timeout 40m
RAPID = $(GO) list -f '{{join .TestImports " "}} {{join .XTestImports " "}} {{.ImportPath}}' ./... | grep

race:
	$(RACE) $$($(RAPID) -v 'pgregory.net/rapid ' | awk '{print $$NF}' | grep -v '/conformance$$')
	$(RACE) $$($(RAPID) 'pgregory.net/rapid ' | awk '{print $$NF}') -rapid.checks=25

fmt:
	gofmt -l -w $$(git ls-files '*.go')

vet:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...

# Kill -9 of the real binary, and crashes of the file system, from one seed.
crash:
	WHOLE=1 SEED=$(SEED) $(GO) test -tags invariants -count=1 -timeout 20m -run Crash ./storage/... ./blueprints/... ./cmd/...

# Histories of concurrent transactions, judged for strict serializability.
isolation:
	SEED=$(SEED) $(GO) test -tags invariants -count=1 -timeout 20m -run Isolation ./storage/... ./blueprints/...

# What a graph was after each of many random changes, read again later; then TinkerPop's own
# scenarios as of a version, while writers change its graphs.
time:
	WHOLE=1 SEED=$(SEED) $(GO) test -tags invariants -count=1 -timeout 20m -run 'Time_|TestReads|AsOf|FullDisk_Past' ./storage/past ./storage/pebble ./blueprints ./protocol/engine ./cmd/gremlind
	$(GO) run ./conformance/features -past -short

# Every fuzz target for TIME.
fuzz:
	@for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p 2>/dev/null | grep '^Fuzz'); do \
	    echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(TIME) $$p || exit 1; \
	  done; done

conformance: conformance-go conformance-own

conformance-go:
	$(GO) run ./conformance/gosuite

conformance-own:
	$(GO) run ./conformance/features -form text,bytecode,driver -variants
	$(GO) run ./conformance/features -users -short

# The own integration tests of gremlin-go and gremlinpython, unmodified.
integration:
	$(GO) run ./conformance/integration

# The statements of TinkerPop's documentation and of Practical Gremlin, beside what the real
# server answered to them.
scripts:
	$(GO) run ./conformance/scripts

# Random traversals in all ways to run them, from one seed; with REFERENCE=ws://host:port/gremlin
# beside a real Gremlin Server too, whose source g is filled and emptied.
differential:
	WHOLE=1 SEED=$(SEED) $(GO) test -count=1 -timeout 60m -v ./conformance/differential $(if $(REFERENCE),-args -reference $(REFERENCE))

drivers:
	$(GO) test -tags drivers -count=1 -timeout 30m -v ./conformance/drivers/...

# The page for people in a real browser; PICTURES=folder keeps a PNG of each view. Needs Chromium;
# Firefox is tried where it is installed.
explorer:
	$(GO) test -tags explorer -count=1 -timeout 10m ./conformance/explorer $(if $(PICTURES),-args -pictures $(abspath $(PICTURES)))

# What is meant to take too much, in all forms: all cases that tests try in turn, then sent
# to the real server.
hostile:
	WHOLE=1 $(GO) test -count=1 -timeout 20m -run 'Hostile|Metered|Charged|Linear|Stops|Codecs' ./steps ./traversal/script ./protocol/engine ./conformance/hostile/corpus
	$(GO) run ./conformance/hostile -seed $(SEED)

# What do the tests see? Small changes of the code at random places: nine of ten must turn
# the tests of their package red. SEEDS=10 draws ten times, from SEED on.
mutants:
	$(GO) run ./conformance/mutants -seed $(SEED) -seeds $(SEEDS)

# Beside Gremlin Server on 10^6 edges, then beside JanusGraph on a graph that it can load.
bench:
	$(GO) run ./conformance/bench -out conformance/.cache/bench-gremlin-server.md -summary conformance/.cache/bench-summary.md
	$(GO) run ./conformance/bench -gremlin-server=false -janusgraph -edges 100000 -heap 4g -references=false \
	  -rounds 2 -round 400ms -rows 1,2,3,4,5,8,9,10,12,15,16 -out conformance/.cache/bench-janusgraph.md

# Is anything slower than with an earlier binary? OLD=path names it.
unslowed:
	$(GO) run ./conformance/bench -old $(OLD) -rounds 10 -round 250ms -out conformance/.cache/unslowed.md

# What does a small request take? Callgrind counts it, which no other load disturbs.
counted:
	$(GO) run ./conformance/bench -counted $(if $(OLD),-old $(OLD)) -round 4s -rows $(or $(ROWS),1,2,3,12) -out conformance/.cache/counted.md

# Where the command spends its time, for the compiler: cmd/gremlind/default.pgo. Ten minutes on a
# machine that does nothing else.
profile:
	cmd/gremlind/packaging/profile.sh

# What is tested on Linux compiles elsewhere too, tests included.
cross:
	@for t in $(CROSS); do \
	  echo "$$t"; GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) vet ./... || exit 1; \
	done

# Static binaries, the Debian package and checksums, in dist/.
dist: cross
	VERSION=$(VERSION) cmd/gremlind/packaging/dist.sh

clean:
	rm -rf bin dist conformance/.cache
