//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestQuery_ConstantMemory writes 10^6 results in no more memory than a few take.
func TestQuery_ConstantMemory(t *testing.T) {
	const results, megabytesMax = 1_000_000, 128
	p := serve(t, "--memory")
	cmd := exec.Command(binary, "query", "--timeout", "5m", "--format", "csv", "--no-header", queryURL(p),
		"g.inject(1).repeat(__.union(__.identity(), __.identity())).times(20).limit(1000000).constant('marko')")
	megabytes := int64(0)
	lines := &lineCounter{each: func() { megabytes = max(megabytes, highWater(cmd.Process.Pid)>>20) }}
	cmd.Stdout = lines
	began := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	if lines.n != results {
		t.Errorf("%d results", lines.n)
	}
	if megabytes == 0 {
		t.Skip("the memory of a process is not known here")
	}
	t.Logf("%.0f results a second, %d MB, %s of processor time", results/took.Seconds(), megabytes, cmd.ProcessState.UserTime())
	if megabytes > megabytesMax {
		t.Errorf("%d MB", megabytes)
	}
}

// lineCounter counts lines, and calls each now and then.
type lineCounter struct {
	n, told int
	each    func()
}

func (c *lineCounter) Write(p []byte) (int, error) {
	c.n += bytes.Count(p, []byte("\n"))
	if c.n >= c.told {
		c.told += 50_000
		c.each()
	}
	return len(p), nil
}

// highWater is the most that a process had in memory, in bytes, 0 where that is not known.
// What wait tells begins with the memory of whoever started it.
func highWater(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
	return kilobytes << 10
}
