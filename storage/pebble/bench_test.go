package pebble_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

// vertexCells ingests n vertices of 10 properties.
func vertexCells(b *testing.B, n uint64) *pebble.Store {
	b.Helper()
	s := open(b, b.TempDir(), pebble.Options{Layout: table.Layout, BallastBytes: -1, DiskReserve: -1, CacheBytes: 512 << 20})
	b.Cleanup(func() { closeStore(b, s) })
	from := table.AppendTable(nil, 1, table.Vertices)
	err := s.Ingest(context.Background(), from, table.PrefixEnd(nil, from), func(add func(key, value []byte) error) error {
		var key []byte
		for i := range 10 * n {
			key = table.AppendVertexProperty(key[:0], table.VertexProperty{Graph: 1, Vertex: i / 10, Key: uint32(i % 10), Ordinal: 1})
			if err := add(key, []byte("a value of 20 bytes.")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

const benchVertices = 100_000

// BenchmarkGet reads single cells in random order through a transaction.
func BenchmarkGet(b *testing.B) {
	s := vertexCells(b, benchVertices)
	for name, o := range map[string]storage.TxOptions{"readonly": {ReadOnly: true}, "strict": {}} {
		b.Run(name, func(b *testing.B) {
			rng := storagetest.Rand(1)
			tx, err := s.Begin(context.Background(), o)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = tx.Close() }()
			b.ReportAllocs()
			var key []byte
			for b.Loop() {
				key = table.AppendVertexProperty(key[:0], table.VertexProperty{Graph: 1, Vertex: rng.Uint64N(benchVertices), Key: 5, Ordinal: 1})
				if _, err := tx.Get(key); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkScanRow reads the ten cells of a random vertex.
func BenchmarkScanRow(b *testing.B) {
	s := vertexCells(b, benchVertices)
	rng := storagetest.Rand(1)
	tx, err := s.Begin(context.Background(), storage.TxOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = tx.Close() }()
	b.ReportAllocs()
	var from, to []byte
	for b.Loop() {
		from = table.AppendVertexRow(from[:0], 1, rng.Uint64N(benchVertices))
		to = table.PrefixEnd(to[:0], from)
		it := tx.Scan(storage.ScanOptions{From: from, To: to})
		n := 0
		for it.Next() {
			n++
		}
		if err := it.Close(); err != nil || n != 10 {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkScanAll walks everything; one operation is one cell. The overlay holds a
// few writes, as in a transaction that changes while it reads.
func BenchmarkScanAll(b *testing.B) {
	s := vertexCells(b, benchVertices)
	for _, writes := range []int{0, 10} {
		b.Run(fmt.Sprint("overlay=", writes), func(b *testing.B) {
			tx, err := s.Begin(context.Background(), storage.TxOptions{})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = tx.Close() }()
			for i := range writes {
				if err := tx.Set(table.AppendVertexExists(nil, 1, uint64(i)*9999), nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			it := tx.Scan(storage.ScanOptions{From: table.AppendGraph(nil, 1)})
			for b.Loop() {
				if !it.Next() {
					_ = it.Close()
					it = tx.Scan(storage.ScanOptions{From: table.AppendGraph(nil, 1)})
				}
			}
			if err := it.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkSet buffers writes in key order and in random order.
func BenchmarkSet(b *testing.B) {
	s := open(b, "", pebble.Options{Layout: table.Layout, InMemory: true, Limits: pebble.Limits{WriteSetBytes: 1 << 40}})
	defer closeStore(b, s)
	for _, order := range []string{"ascending", "random"} {
		b.Run(order, func(b *testing.B) {
			rng := storagetest.Rand(1)
			b.ReportAllocs()
			var key []byte
			var tx storage.Tx
			for i := uint64(0); b.Loop(); i++ {
				if i%100_000 == 0 { // a transaction of that size
					if tx != nil {
						_ = tx.Close()
					}
					tx, _ = s.Begin(context.Background(), storage.TxOptions{})
				}
				v := i
				if order == "random" {
					v = rng.Uint64()
				}
				key = table.AppendVertexExists(key[:0], 1, v)
				if err := tx.Set(key, key[:8]); err != nil {
					b.Fatal(err)
				}
			}
			_ = tx.Close()
		})
	}
}

// BenchmarkCommit commits three cells with a sync, by a number of writers.
func BenchmarkCommit(b *testing.B) {
	for _, writers := range []int{1, 16, 64} {
		b.Run(fmt.Sprint("writers=", writers), func(b *testing.B) {
			s := open(b, b.TempDir(), pebble.Options{Layout: table.Layout, BallastBytes: -1, DiskReserve: -1})
			defer closeStore(b, s)
			b.ReportAllocs()
			var left, vertex atomic.Int64
			left.Store(int64(b.N))
			b.ResetTimer()
			var wg sync.WaitGroup
			for range writers {
				wg.Go(func() {
					var key []byte
					for left.Add(-1) >= 0 {
						if err := addVertex(s, uint64(vertex.Add(1)), &key); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
			b.ReportMetric(float64(s.Metrics().Commits)/float64(s.Metrics().Groups), "commits/sync")
		})
	}
}

// addVertex makes its keys in scratch.
func addVertex(s *pebble.Store, v uint64, scratch *[]byte) error {
	tx, err := s.Begin(context.Background(), storage.TxOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close() }()
	key := table.AppendVertexExists((*scratch)[:0], 1, v)
	if _, err := tx.Get(key); err != storage.ErrNotFound {
		return fmt.Errorf("vertex %d: %w", v, err)
	}
	if err := tx.Set(key, someValue); err != nil {
		return err
	}
	key = table.AppendVertexProperty(key[:0], table.VertexProperty{Graph: 1, Vertex: v, Key: 1, Ordinal: 1})
	if err := tx.Set(key, someValue); err != nil {
		return err
	}
	key = table.AppendLabel(key[:0], table.Label{Graph: 1, Class: table.VertexClass, Label: 1, Element: v})
	if err := tx.Set(key, someValue); err != nil {
		return err
	}
	key = table.AppendCounter(key[:0], table.Counter{Graph: 1, Kind: table.VertexCount})
	if err := tx.Merge(key, 1); err != nil {
		return err
	}
	*scratch = key
	_, err = tx.Commit(context.Background())
	return err
}

var someValue = []byte("value")

// BenchmarkIngest loads edges without properties: one operation is one edge, which is
// a cell of its own and one at each endpoint.
func BenchmarkIngest(b *testing.B) {
	s := open(b, b.TempDir(), pebble.Options{Layout: table.Layout, BallastBytes: -1, DiskReserve: -1})
	defer closeStore(b, s)
	n := uint64(b.N)
	b.ReportAllocs()
	b.ResetTimer()
	half := func(dir table.Family, k uint64, key []byte) []byte {
		v, e := k/10, k
		return table.AppendAdjacency(key, table.Adjacency{Graph: 1, Vertex: v, Direction: dir, Label: 1, Edge: e, Other: e * 7 % (n/10 + 1)})
	}
	from, to := table.AppendTable(nil, 1, table.Vertices), table.AppendTable(nil, 1, table.Edges+1)
	vertices := func(add func(key, value []byte) error) error {
		var key []byte
		for i := range uint64(2 * n) {
			if v, k := i/20, i%20; k < 10 { // ten out, then ten in
				key = half(table.OutEdge, v*10+k, key[:0])
			} else {
				key = half(table.InEdge, v*10+k-10, key[:0])
			}
			if err := add(key, nil); err != nil {
				return err
			}
		}
		return nil
	}
	edges := func(add func(key, value []byte) error) error {
		var key []byte
		for i := range uint64(n) {
			key = table.AppendEdgeExists(key[:0], 1, i)
			if err := add(key, key[:12]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.Ingest(context.Background(), from, to, vertices, edges); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "edges/s")
}
