package main

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"runtime/debug"
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

// loadPercent is that while a graph is loaded: nearly all that is in use then are numbers,
// which the collector need not look at.
const loadPercent = 20

func tuneCollector() { collectAt(gcPercent) }

func collectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
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
