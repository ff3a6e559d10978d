package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// importRow names in -rows what is no request. Of two binaries, each imports the generated graph
// into an empty directory and indexes the names.
const importRow = "import"

var importQuery = &query{row: importRow, name: "import and index"}

// measureImports compares two binaries' imports, in turn, and once more when the first looks
// slower.
func measureImports(ctx context.Context, o options, d *dataset, targets []*target, w io.Writer) ([]line, error) {
	l := line{query: importQuery, kind: "processes", clients: 1}
	for again := range 2 {
		l.samples = make([][]sample, len(targets))
		for r := range o.rounds {
			for k := range targets {
				i := (k + r) % len(targets)
				s, err := importOnce(ctx, o, d, targets[i])
				if err != nil {
					return nil, err
				}
				l.samples[i] = append(l.samples[i], s)
			}
		}
		if again == 0 {
			printHeading(w, targets)
		}
		l.print(w)
		if !l.slower(lineBar) {
			break
		}
	}
	return []line{l}, nil
}

func importOnce(ctx context.Context, o options, d *dataset, t *target) (sample, error) {
	dir := filepath.Join(o.work, "imported")
	if err := os.RemoveAll(dir); err != nil {
		return sample{}, fmt.Errorf("clear data: %w", err)
	}
	defer os.RemoveAll(dir)
	begin := time.Now()
	out, err := exec.CommandContext(ctx, t.binary, "import", "--data-dir", dir, "--index", "vertex:name", d.vertexFile, d.edgeFile).CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("%s import: %w\n%s", t.name, err, out)
	}
	took := time.Since(begin)
	return sample{requests: d.vertices + int(d.edges), elapsed: took, latencies: []time.Duration{took}}, nil
}

// A large import must not need more memory than there is for what it serves.
const (
	largeTimes    = 10 // the edges of the graph
	largeBarBytes = 40 // of memory for each edge
)

// measureLargeImport imports a graph of many more edges and tells what memory that takes.
func measureLargeImport(ctx context.Context, o options, w io.Writer) ([]floorBar, error) {
	edges := o.edges * largeTimes
	dir := filepath.Join(o.work, "large")
	d := dataset{vertexFile: filepath.Join(dir, "vertices.csv"), edgeFile: filepath.Join(dir, "edges.csv"), edges: edges}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := d.write(ctx, o.binary); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, o.binary, "import", "--data-dir", filepath.Join(dir, "data"), d.vertexFile, d.edgeFile)
	begin := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gremlind import: %w\n%s", err, out)
	}
	took, most := time.Since(begin), mostMemory(cmd.ProcessState)
	if most == 0 {
		return nil, nil
	}
	each := float64(most) / float64(edges)
	fmt.Fprintf(w, "\nAn import of %s edges: %s a second, %d MB at most, %.1f bytes an edge\n", thousands(edges), rate(float64(edges)/took.Seconds()), most>>20, each)
	return []floorBar{{"import of " + thousands(edges) + " edges, bytes of memory an edge", fmt.Sprintf("%.0f", each), fmt.Sprint(largeBarBytes), each <= largeBarBytes}}, nil
}
