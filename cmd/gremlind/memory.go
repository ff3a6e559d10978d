package main

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

// The caches. What is read often is kept decoded; blocks matter to what is not.
const (
	rowCacheDefault   = 256 << 20
	blockCacheDefault = 64 << 20
)

// gcPercent is how much garbage may gather, relative to what is in use, unless GOGC
// says it: most of what is in use are caches, which a user wants to stay small.
const gcPercent = 50

// While a graph is loaded nearly all that is in use are numbers, which the collector need not
// look at: it may come often once there is much. So loadGarbage bytes gather, which is what
// gcPercent would allow to what is small, and a tenth of what is large.
const (
	loadGarbage = 40 << 20
	loadPercent = 10
)

func tuneCollector() { collectAt(gcPercent) }

func collectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// loadPercentOf is how much garbage may gather beside so many bytes while a graph is loaded.
func loadPercentOf(inUse uint64) int {
	return int(min(gcPercent, max(loadPercent, 100*loadGarbage/max(inUse, 1))))
}

// loadTuneEvery is how many records are loaded between two looks at what is in use.
const loadTuneEvery = 1 << 18

// tuneLoad is tuneCollector while a graph is loaded, for what is in use now.
func tuneLoad() {
	inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(inUse)
	collectAt(loadPercentOf(inUse[0].Value.Uint64()))
}

// queryMemoryMax is what one request may keep by default, however much there is.
const queryMemoryMax = 1 << 30

// defaultMemory returns what requests may keep by default, all together and each: half
// of what the process may have, because what a request keeps is not all it takes.
func defaultMemory() (all, each int64) {
	all = availableMemory() / 2
	return all, min(all/2, queryMemoryMax)
}

// availableMemory is GOMEMLIMIT when it is set, else the machine's or the container's
// memory, else 4 GiB.
func availableMemory() int64 {
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		return limit
	}
	total := int64(4 << 30)
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		lines := bufio.NewScanner(bytes.NewReader(b))
		for lines.Scan() {
			if f := strings.Fields(lines.Text()); len(f) == 3 && f[0] == "MemTotal:" {
				if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil {
					total = kb << 10
				}
			}
		}
	}
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		b, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && n > 0 {
			total = min(total, n)
		}
	}
	return total
}
