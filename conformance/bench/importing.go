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

// importRow names in -rows what is no request: a binary imports the generated graph into an
// empty directory and indexes the names.
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
