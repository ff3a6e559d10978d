package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// TestSummary_Whole reads a summary as it goes into the README.
func TestSummary_Whole(t *testing.T) {
	o := options{summary: filepath.Join(t.TempDir(), "summary.md")}
	rounds := func(requests int) []sample { return []sample{{requests: requests, elapsed: time.Second}} }
	read := &query{row: "1", name: "a read", barRaw: 3, clients: []int{1}}
	write := &query{row: "2", name: "a write", clients: []int{1}, write: true, times: 7}
	lines := []line{
		{query: read, kind: rawClient, clients: 1, samples: [][]sample{rounds(4000), rounds(1000)}},
		{query: read, kind: driverClient, clients: 1, samples: [][]sample{rounds(1500), rounds(1000)}},
		{query: write, kind: rawClient, clients: 1, samples: [][]sample{rounds(500), rounds(1000)}},
	}
	targets := []*target{{name: "gremlind", startEmpty: 20 * time.Millisecond, startLoaded: 200 * time.Millisecond, load: time.Second, emptyMB: 20, cachedMB: 200}, {name: peerName}}
	if err := o.summarize(&dataset{vertices: 131_072, edges: 1_000_000}, targets, lines, floorBars(targets, lines), 800*time.Microsecond); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(o.summary)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`R-MAT graph of 131,072 vertices and 1,000,000 edges, seed 42, on %s.

| | measured | bar |
|---|---|---|
| start to first answer, nothing stored | 20ms | 100 ms |
| start to first answer, graph loaded | 200ms | 100 ms, **missed** |
| resident memory, nothing stored | 20 MB | 40 MB |
| resident memory, graph loaded and cached | 200 MB | 300 MB |
| import and index, edges a second | 1000000 | 400,000 |
| 4 KiB appended to a file and synced, which every commit waits for | 800µs | - |

| query | gremlind req/s | Gremlin Server req/s | ratio, raw | ratio, gremlin-go | bar |
|---|---|---|---|---|---|
| a read | 4000 | 1000 | 4.00 | 1.50 | 3; 1 |
| a write | 500 | 1000 | **0.50** | - | 1, **missed** |
%s`, processors(runtime.NumCPU()), notes)
	if string(b) != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
}

// TestFloorBars compares with syncs, bare commits and a constant.
func TestFloorBars(t *testing.T) {
	const us = time.Microsecond
	rounds := func(requests int, p50s ...time.Duration) (all []sample) {
		for _, p50 := range p50s {
			all = append(all, sample{requests: requests, elapsed: time.Second, latencies: []time.Duration{p50}})
		}
		return all
	}
	read := &query{row: "1", name: "a read", canned: true, point: true}
	other := &query{row: "3", name: "another read", canned: true}
	write := &query{row: "12", name: "a write", committed: true}
	lines := []line{
		{query: read, kind: rawClient, clients: 1, samples: [][]sample{rounds(80, 1), rounds(100, 1), nil}},
		{query: read, kind: deepClient, clients: 16, samples: [][]sample{rounds(70, 1), rounds(100, 1), nil}},
		{query: read, kind: driverClient, clients: 1, samples: [][]sample{rounds(1, 1), nil, nil}},
		{query: other, kind: rawClient, clients: 1, samples: [][]sample{rounds(1, 1), rounds(100, 1), nil}},
		{query: write, kind: rawClient, clients: 1, syncs: []time.Duration{100 * us, 300 * us, 200 * us},
			samples: [][]sample{rounds(1, 219*us, 420*us, 321*us), nil, rounds(1, 1, 1, 1)}},
		{query: write, kind: rawClient, clients: 16, syncs: []time.Duration{100 * us}, samples: [][]sample{rounds(1, 501*us), nil, rounds(1, 1)}},
		{query: write, kind: rawClient, clients: 64, samples: [][]sample{rounds(1, time.Second), nil, rounds(1, 1)}},
		{query: write, kind: deepClient, clients: 16, samples: [][]sample{rounds(89, 1), nil, rounds(100, 1)}},
	}
	targets := []*target{{name: "gremlind"}, {name: cannedName}, {name: committedName}}
	want := []floorBar{
		{"a write, 1 at once: median time", "321µs, a synced append and 120µs", "a synced append (200µs) and 120µs", true},
		{"a write, 16 at once: median time", "501µs, a synced append and 401µs", "a synced append (100µs) and 400µs", false},
		{"a read, of the rate of a server that answers a constant", "0.80 / 0.70", "0.75", false},
		{"a write, of the rate of bare Pebble commits", "0.89", "0.9", false},
	}
	if got := floorBars(targets, lines); !slices.Equal(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

// TestSummary_Judged holds writes to Gremlin Server's rate where many are under way.
func TestSummary_Judged(t *testing.T) {
	read, write := &query{}, &query{committed: true}
	for l, want := range map[*line]bool{
		{query: read, kind: rawClient, clients: 1}: true, {query: read, kind: driverClient, clients: 1}: true,
		{query: write, kind: rawClient, clients: 16}: false, {query: write, kind: driverClient, clients: 1}: false,
		{query: write, kind: deepClient, clients: 16}: true,
	} {
		if l.judged() != want {
			t.Errorf("%+v: judged is %v", l, !want)
		}
	}
	if got := write.bars(); got != "1 with eight each" {
		t.Errorf("the bar is written %q", got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 10_007: "10,007", 1_000_000: "1,000,000"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is written %s", n, got)
		}
	}
}

// TestSyncTime leaves no file behind.
func TestSyncTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sync")
	took, err := syncTime(path)
	if err != nil || took <= 0 {
		t.Errorf("%v, %v", took, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
}
