package blueprints

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

var plainGolden = flag.String("plain-golden", "", "write the golden file of the graph without features there")

// TestPlainGraph_Golden: a graph without features has the bytes that the first program
// wrote: testdata/plain.golden was made with this test at commit 178de26. But for the
// number of the last commit, because names had commits of their own then.
func TestPlainGraph_Golden(t *testing.T) {
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	db, err := Open(s, DatabaseOptions{})
	must(err)
	defer db.Close()
	g, err := db.CreateGraph("plain", Options{Transactional: true})
	must(err)
	must(g.CreateKeyIndex(context.Background(), VertexClass, "name"))
	tx, err := g.Begin(context.Background(), TxOptions{})
	must(err)
	a, err := tx.AddVertex("person", value.Int(1))
	must(err)
	b, err := tx.AddVertex("person", value.String("two"))
	must(err)
	_, err = tx.SetVertexProperty(a, "single", "name", value.String("marko"), value.Null, nil)
	must(err)
	_, err = tx.SetVertexProperty(a, "list", "name", value.String("max"), value.String("p"), []value.Property{{Key: "since", Value: value.Int(2)}})
	must(err)
	e, err := tx.AddEdge("knows", a, b, value.Long(7))
	must(err)
	must(tx.SetEdgeProperty(e, "weight", value.Double(0.5)))
	must(tx.Commit(context.Background()))
	must(tx.Close())

	snap, err := s.Snapshot()
	must(err)
	defer snap.Close()
	var got strings.Builder
	it := snap.Scan(storage.ScanOptions{})
	defer it.Close()
	for it.Next() {
		if !bytes.HasSuffix(it.Key(), []byte("commit seq")) {
			fmt.Fprintf(&got, "%x %x  %s\n", it.Key(), it.Value(), table.Describe(it.Key()))
		}
	}
	must(it.Err())
	if *plainGolden != "" {
		must(os.WriteFile(*plainGolden, []byte(got.String()), 0o644))
		return
	}
	want, err := os.ReadFile("testdata/plain.golden")
	must(err)
	if got.String() != string(want) {
		t.Errorf("the bytes of a graph without features have changed; got\n%s\nwant\n%s", got.String(), want)
	}
}
