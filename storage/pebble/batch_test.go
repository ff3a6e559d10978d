package pebble

import (
	"fmt"
	"maps"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/table"
)

// TestJoin: the batch of a group holds what each of its requests writes, whether that
// has a batch already or not.
func TestJoin(t *testing.T) {
	db, err := pebble.Open("", &pebble.Options{FS: vfs.NewMem(), Comparer: comparerOf(table.Layout)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rapid.Check(t, func(t *rapid.T) {
		c := &committer{store: &Store{db: db, opts: Options{Layout: table.Layout}}}
		want := map[string]string{}
		var group []*request
		for i := range rapid.IntRange(1, 6).Draw(t, "requests") {
			r := drawWrites(t, i, want)
			r.left = rapid.Bool().Draw(t, "left to the committer")
			if !r.left {
				r.batch = db.NewBatch()
				for j := range r.writes {
					if err := r.writes[j].put(r.batch); err != nil {
						t.Fatal(err)
					}
				}
			}
			group = append(group, r)
		}
		b, err := c.join(group)
		if err != nil {
			t.Fatal(err)
		}
		if got := contents(t, b); !maps.Equal(got, want) {
			t.Fatalf("joined %v, want %v", got, want)
		}
		_ = b.Close()
	})
}

// drawWrites makes the writes of request number i, and adds them to want.
func drawWrites(t *rapid.T, i int, want map[string]string) *request {
	r := &request{}
	for code := table.Vertices; code < table.Vertices+3; code++ {
		for n := range rapid.IntRange(0, 2).Draw(t, "writes") {
			key := fmt.Appendf(table.AppendTable(nil, uint32(rapid.IntRange(1, 2).Draw(t, "graph")), code), "%d.%d", i, n)
			w := writtenKey{key: key, value: fmt.Appendf(nil, "v%d", n), soft: rapid.Bool().Draw(t, "soft")}
			w.del = !w.soft && rapid.Bool().Draw(t, "delete")
			switch {
			case w.del:
				want[string(key)] = "deleted"
			case !w.soft:
				want[string(key)] = string(w.value)
			}
			r.writes = append(r.writes, w)
		}
	}
	return r
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
