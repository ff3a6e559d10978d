package pebble

import (
	"fmt"
	"maps"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/occ"
	"github.com/gremlind/gremlind/storage/table"
)

// TestJoin: the batch of a group holds what each of its commits writes, whether that
// has a batch already or not.
func TestJoin(t *testing.T) {
	db, err := pebble.Open("", &pebble.Options{FS: vfs.NewMem(), Comparer: comparerOf(table.Layout, &turns{})})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rapid.Check(t, func(t *rapid.T) {
		e := &engine{s: &Store{db: db, opts: Options{Layout: table.Layout}}}
		want := map[string]string{}
		var group []*occ.Commit
		for i := range rapid.IntRange(1, 6).Draw(t, "requests") {
			c := drawWrites(t, i, want)
			if !rapid.Bool().Draw(t, "left to the committer") {
				b := db.NewBatch()
				for j := range c.Writes {
					if err := put(b, &c.Writes[j]); err != nil {
						t.Fatal(err)
					}
				}
				c.Prepared = &prepared{batch: b}
			}
			group = append(group, c)
		}
		b, err := e.join(group)
		if err != nil {
			t.Fatal(err)
		}
		if got := contents(t, b); !maps.Equal(got, want) {
			t.Fatalf("joined %v, want %v", got, want)
		}
		_ = b.Close()
	})
}

// drawWrites makes the writes of commit number i, and adds them to want.
func drawWrites(t *rapid.T, i int, want map[string]string) *occ.Commit {
	c := &occ.Commit{}
	for code := table.Vertices; code < table.Vertices+3; code++ {
		for n := range rapid.IntRange(0, 2).Draw(t, "writes") {
			key := fmt.Appendf(table.AppendTable(nil, uint32(rapid.IntRange(1, 2).Draw(t, "graph")), code), "%d.%d", i, n)
			w := occ.Write{Key: key, Value: fmt.Appendf(nil, "v%d", n), Delta: rapid.Bool().Draw(t, "delta")}
			w.Delete = !w.Delta && rapid.Bool().Draw(t, "delete")
			switch {
			case w.Delete:
				want[string(key)] = "deleted"
			case !w.Delta:
				want[string(key)] = string(w.Value)
			}
			c.Writes = append(c.Writes, w)
		}
	}
	return c
}

func contents(t *rapid.T, b *pebble.Batch) map[string]string {
	found := map[string]string{}
	for reader := b.Reader(); ; {
		kind, key, value, ok, err := reader.Next()
		switch {
		case err != nil:
			t.Fatal(err)
		case !ok:
			return found
		case kind == pebble.InternalKeyKindDelete:
			found[string(key)] = "deleted"
		default:
			found[string(key)] = string(value)
		}
	}
}
