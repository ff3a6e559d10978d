package blueprints_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// diskGraph makes a graph in a directory.
func diskGraph(b *testing.B) *blueprints.Graph {
	b.Helper()
	return graphAt(b, b.TempDir(), nil)
}

// modelledGraph is a graph on a disk that takes 120 us for a sync and writes 200 MB a second.
func modelledGraph(b *testing.B) *blueprints.Graph {
	b.Helper()
	return graphAt(b, memoryDir(b), newModelDisk(120*time.Microsecond, 200<<20))
}

// memoryDir is a directory in memory where the system has one: elsewhere it writes back what the model
// of a disk keeps whenever it likes, and those who write meanwhile wait for that.
func memoryDir(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "gremlind")
	if err != nil {
		return b.TempDir()
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func graphAt(b *testing.B, dir string, fs vfs.FS) *blueprints.Graph {
	b.Helper()
	s, err := pebble.Open(dir, pebble.Options{Layout: table.Layout, FS: fs})
	if err != nil {
		b.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return must[*blueprints.Graph](b)(db.CreateGraph("g", blueprints.Options{}))
}

// loadNames loads n vertices with names of two or three words, of which 100 hold "cable".
func loadNames(b *testing.B, g *blueprints.Graph, n int) {
	b.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	word := func() string {
		var s strings.Builder
		for range 1 + r.IntN(3) {
			s.WriteByte("bcdfghklmnprstvw"[r.IntN(16)])
			s.WriteByte("aeiou"[r.IntN(5)])
			if r.IntN(3) == 0 {
				s.WriteByte("lnrst"[r.IntN(5)])
			}
		}
		return s.String()
	}
	_, err := load.Graph(ctx, g, load.Options{}, func(sink blueprints.RecordSink) error {
		for i := range n {
			name := word() + " " + word()
			if i%(n/100) == 0 {
				name += "cable"
			}
			v := blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "thing", Properties: []blueprints.PropertyRecord{{Key: "name", Value: value.String(name)}}}
			if err := sink.Vertex(&v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

var textOfNames = blueprints.IndexSpec{Name: "t", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "trigram"}

// BenchmarkText_Containing finds 100 of a million names: 5 ms at most are wanted.
func BenchmarkText_Containing(b *testing.B) {
	g := diskGraph(b)
	if _, err := g.DeclareIndex(ctx, ctx, textOfNames); err != nil {
		b.Fatal(err)
	}
	loadNames(b, g, 1_000_000)
	tx := readTx(b, g)
	d := tx.DeclaredIndexes(blueprints.VertexClass)[0]
	buf := make([]blueprints.VertexID, 256)
	for _, part := range []string{"cable", "abl", "bal cable"} {
		b.Run(fmt.Sprintf("%q", part), func(b *testing.B) {
			found := 0
			for b.Loop() {
				it := tx.LookupVerticesBy(d, blueprints.IndexColumns{Texts: []string{part}})
				found = 0
				for n := it.Next(buf); n > 0; n = it.Next(buf) {
					found += n
				}
				if err := it.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(found), "found")
		})
	}
}

// BenchmarkText_Build makes an index of texts of elements that are there: 50,000 a second
// are wanted.
func BenchmarkText_Build(b *testing.B) {
	const n = 100_000
	var took time.Duration
	for b.Loop() {
		b.StopTimer()
		g := diskGraph(b)
		loadNames(b, g, n)
		b.StartTimer()
		start := time.Now()
		if _, err := g.DeclareIndex(ctx, ctx, textOfNames); err != nil {
			b.Fatal(err)
		}
		took += time.Since(start)
	}
	b.ReportMetric(float64(n*b.N)/took.Seconds(), "elements/s")
}

// BenchmarkPoints_Near finds what is near one of a million points: 2 ms at most are wanted.
func BenchmarkPoints_Near(b *testing.B) {
	g := diskGraph(b)
	if _, err := g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "w", Class: blueprints.VertexClass, Keys: []string{"where"}, Analyzer: "geo"}); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	_, err := load.Graph(ctx, g, load.Options{}, func(sink blueprints.RecordSink) error {
		for i := range 1_000_000 { // in a country of 1,000 km
			where := value.List([]value.Value{value.Double(45 + 9*r.Float64()), value.Double(13 * r.Float64())})
			v := blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "place", Properties: []blueprints.PropertyRecord{{Key: "where", Value: where}}}
			if err := sink.Vertex(&v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	tx := readTx(b, g)
	found := 0
	for b.Loop() {
		region, _ := keyindex.Around(keyindex.Point{Lat: 46 + 7*r.Float64(), Lon: 1 + 11*r.Float64()}, 5000)
		_, all, release, err := tx.SearchPoints(nil, "w", region)
		if err != nil {
			b.Fatal(err)
		}
		found += len(all)
		release()
	}
	b.ReportMetric(float64(found)/float64(b.N), "found")
}
