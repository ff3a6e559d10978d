//go:build unix

package main

import (
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// TestQuery_ConstantMemory writes 10^6 results in no more memory than a few take.
func TestQuery_ConstantMemory(t *testing.T) {
	const results, megabytesMax = 1_000_000, 128
	p := serve(t, "--memory")
	cmd := exec.Command(binary, "query", "--timeout", "5m", "--format", "csv", "--no-header", queryURL(p),
		"g.inject(1).repeat(__.union(__.identity(), __.identity())).times(20).limit(1000000).constant('marko')")
	lines := &lineCounter{}
	cmd.Stdout = lines
	began := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	if lines.n != results {
		t.Errorf("%d results", lines.n)
	}
	used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Skip("the memory of a process is not known here")
	}
	megabytes := used.Maxrss >> 10 // in KiB, but for macOS
	if runtime.GOOS == "darwin" {
		megabytes >>= 10
	}
	t.Logf("%.0f results a second, %d MB, %s of processor time", results/took.Seconds(), megabytes, cmd.ProcessState.UserTime())
	if megabytes > megabytesMax {
		t.Errorf("%d MB", megabytes)
	}
}

// lineCounter counts lines.
type lineCounter struct{ n int }

func (c *lineCounter) Write(p []byte) (int, error) {
	for _, b := range p {
		if b == '\n' {
			c.n++
		}
	}
	return len(p), nil
}
