package pebble_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// Many ranges of rows, near each other and far apart, show what each of them shows alone:
// steps from one to the next pass nothing and stop at nothing else.
func TestForward(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	key := func() []byte {
		v := uint64(r.IntN(200))
		if r.IntN(4) == 0 {
			v *= 1000 // rows that lie far apart
		}
		switch r.IntN(5) {
		case 0:
			return table.AppendVertexExists(nil, 1, v)
		case 1:
			return table.AppendVertexProperty(nil, table.VertexProperty{Graph: 1, Vertex: v, Key: uint32(r.IntN(3)), Ordinal: uint64(r.IntN(3))})
		case 2:
			return table.AppendEdgeExists(nil, 1, v)
		}
		return table.AppendAdjacency(nil, table.Adjacency{Graph: 1, Vertex: v, Direction: table.OutEdge, Label: 1, Edge: uint64(r.IntN(40)), Other: v})
	}
	for range 4 { // what is written between two openings is in a table of its own
		s := open(t, dir, pebble.Options{Layout: table.Layout})
		tx, err := s.Begin(t.Context(), storage.TxOptions{})
		for range 2000 {
			if err == nil {
				err = tx.Set(key(), []byte("v"))
			}
		}
		if err == nil {
			_, err = tx.Commit(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, dir, pebble.Options{Layout: table.Layout})
	defer s.Close()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for n := range raced.Times(80, 4) {
		ranges := randomRanges(r, key)
		var got, want []string
		if err := snap.ScanMany(ranges, func(i int, k, _ []byte) (bool, error) {
			got = append(got, fmt.Sprintf("%d %x", i, k))
			return r.IntN(50) > 0, nil // a range may end early
		}); err != nil {
			t.Fatal(err)
		}
		for i, o := range ranges {
			want = append(want, alone(t, snap, i, o, got)...)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d: %d ranges show\n%v, want\n%v", n, len(ranges), got, want)
		}
	}
}

// randomRanges are such as readers ask for: parts of rows, whole ones, and some rows.
func randomRanges(r *rand.Rand, key func() []byte) []storage.ScanOptions {
	var ranges []storage.ScanOptions
	for range r.IntN(200) {
		from := key()
		if r.IntN(3) == 0 {
			from, _ = table.Layout.Row(from)
		}
		to := storage.PrefixEnd(nil, from)
		if r.IntN(4) == 0 {
			to = key()
		}
		ranges = append(ranges, storage.ScanOptions{From: from, To: to, Reverse: r.IntN(50) == 0})
	}
	if r.IntN(4) > 0 {
		slices.SortFunc(ranges, func(a, b storage.ScanOptions) int { return bytes.Compare(a.From, b.From) })
	}
	return ranges
}

// alone is what a range shows, up to as many keys as got has of it.
func alone(t *testing.T, snap storage.Snapshot, i int, o storage.ScanOptions, got []string) (lines []string) {
	t.Helper()
	prefix := fmt.Sprintf("%d ", i)
	most := 0
	for _, g := range got {
		if len(g) > len(prefix) && g[:len(prefix)] == prefix {
			most++
		}
	}
	it := snap.Scan(o)
	for it.Next() {
		lines = append(lines, fmt.Sprintf("%s%x", prefix, it.Key()))
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	if most < len(lines) && most > 0 {
		lines = lines[:most] // the range was ended
	}
	return lines
}
