//go:build unix

package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The bars of the shell. Each benchmark reports what it measured and, beside it, its bar.
const (
	readyBar    = 100     // ms until the prompt of gremlind console stands
	completeBar = 50      // ms from the tabulator to the proposal, on 10^6 edges
	csvBar      = 300_000 // rows a second of gremlind query --format csv
)

// BenchmarkConsole_Ready starts the console at a running server, in a terminal, and waits
// for its prompt.
func BenchmarkConsole_Ready(b *testing.B) {
	url := queryURL(serve(b, "--sample", "modern"))
	worst := time.Duration(0)
	for b.Loop() {
		began := time.Now()
		p := terminalAt(b, 80, 24, "console", url)
		p.soon("gremlin>")
		worst = max(worst, time.Since(began))
		b.StopTimer()
		p.types(":quit\r")
		p.ends(exitDone)
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1e3/float64(b.N), "ms/ready")
	b.ReportMetric(readyBar, "ms-bar")
	b.ReportMetric(float64(worst.Milliseconds()), "ms-worst")
}

// BenchmarkCompletion presses the tabulator in a console at a server with 10^6 edges.
func BenchmarkCompletion(b *testing.B) {
	p := terminalAt(b, 100, 40, "console", queryURL(serve(b, "--data-dir", millionEdges(b))))
	p.soon("gremlin>")
	p.asks(":schema", "knows") // what is proposed is there
	for _, x := range []struct{ name, typed, whole string }{
		{"step", "g.V().hasLa", "g.V().hasLabel"},
		{"label", "g.V().out('kn", "g.V().out('knows"},
		{"key", "g.V().values('na", "g.V().values('name"},
	} {
		b.Run(x.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				p.types(x.typed)
				p.soon("gremlin> " + x.typed)
				b.StartTimer()
				p.types("\t")
				p.soon("gremlin> " + x.whole)
				b.StopTimer()
				p.types("\x15")
				p.shows("nothing", "gremlin>")
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1e3/float64(b.N), "ms/proposal")
			b.ReportMetric(completeBar, "ms-bar")
		})
	}
}

// BenchmarkQuery_CSV writes 10^6 values of a graph as CSV. Values of edges cost the server
// the reading of each edge. TestQuery_ConstantMemory holds the memory that this takes.
func BenchmarkQuery_CSV(b *testing.B) {
	url := queryURL(serve(b, "--data-dir", millionEdges(b)))
	const rows = 1_000_000
	for _, x := range []struct{ name, query string }{
		{"values", "g.V().out().values('name').limit(1000000)"}, {"edge-values", "g.E().values('since')"},
	} {
		b.Run(x.name, func(b *testing.B) {
			memory := int64(0)
			for b.Loop() {
				cmd := exec.Command(binary, "query", "--timeout", "5m", "--format", "csv", "--no-header", url, x.query)
				lines := &lineCounter{each: func() { memory = max(memory, highWater(cmd.Process.Pid)) }}
				var errs bytes.Buffer
				cmd.Stdout, cmd.Stderr = lines, &errs
				if err := cmd.Run(); err != nil || lines.n != rows {
					b.Fatalf("%d rows, %v: %s", lines.n, err, errs.String())
				}
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(csvBar, "rows/s-bar")
			b.ReportMetric(float64(memory>>20), "MiB")
		})
	}
}

// millionEdges is a data directory with 10^6 edges.
func millionEdges(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	vertices, edges, data := filepath.Join(dir, "vertices.csv"), filepath.Join(dir, "edges.csv"), filepath.Join(dir, "data")
	for _, args := range [][]string{
		{"generate", "--edges", "1000000", "--vertex-file", vertices, "--edge-file", edges, "--edge-properties"},
		{"import", "--data-dir", data, vertices, edges},
	} {
		if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return data
}
