package blueprints

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// catalogText is a graph's entry as it stands in the store.
func catalogText(t *testing.T, s storage.Store, name string) string {
	t.Helper()
	snap := ok[storage.Snapshot](t)(s.Snapshot())
	defer snap.Close()
	return string(ok[[]byte](t)(snap.Get(table.AppendCatalog(nil, name))))
}

func putCatalog(t *testing.T, s storage.Store, name, text string) {
	t.Helper()
	tx := ok[storage.Tx](t)(s.Begin(context.Background(), storage.TxOptions{}))
	defer tx.Close()
	if err := tx.Set(table.AppendCatalog(nil, name), []byte(text)); err != nil {
		t.Fatal(err)
	}
	ok[uint64](t)(tx.Commit(context.Background()))
}

// TestCatalogEntry_Golden: an entry without features has the bytes that the first
// programs wrote and read, and leaves the directory's format alone.
func TestCatalogEntry_Golden(t *testing.T) {
	everything := Options{
		VertexIDs: ids.Long, EdgeIDs: ids.Integer, VertexPropertyIDs: ids.String, DefaultCardinality: "set", AllowNull: true,
		Transactional: true, Isolation: storage.SnapshotIsolation,
	}
	byValue := Options{IDsByValue: true}
	for i, c := range []struct {
		o      Options
		format int
		want   string
	}{
		{Options{}, 1, `{"number":1,"version":1,"options":{"vertexIds":"ANY","edgeIds":"ANY","vertexPropertyIds":"ANY","defaultCardinality":"single","isolation":"serializable"}}`},
		{everything, 1, `{"number":1,"version":1,"options":{"vertexIds":"LONG","edgeIds":"INTEGER","vertexPropertyIds":"STRING","defaultCardinality":"set","allowNull":true,"transactional":true,"isolation":"snapshot"}}`},
		{byValue, 2, `{"number":1,"version":2,"features":["ids:byValue"],"options":{"vertexIds":"ANY","edgeIds":"ANY","vertexPropertyIds":"ANY","defaultCardinality":"single","isolation":"serializable"}}`},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			dir := t.TempDir()
			open := func() *Database {
				s := ok[*pebble.Store](t)(pebble.Open(dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1}))
				return ok[*Database](t)(Open(s, DatabaseOptions{}))
			}
			db := open()
			g := ok[*Graph](t)(db.CreateGraph("g", c.o))
			want := g.Options()
			if got := catalogText(t, db.Store(), "g"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = open()
			defer db.Close()
			if got := ok[*Graph](t)(db.Graph("g")).Options(); got != want {
				t.Errorf("read back: %+v, want %+v", got, want)
			}
			if got := db.Store().Format(); got != c.format {
				t.Errorf("format %d, want %d", got, c.format)
			}
		})
	}
}

// TestCatalogEntry_Unknown: what this program would misread it refuses, and says why.
func TestCatalogEntry_Unknown(t *testing.T) {
	const options = `"options":{"vertexIds":"ANY","edgeIds":"ANY","vertexPropertyIds":"ANY","defaultCardinality":"single","isolation":"serializable"}}`
	for _, c := range []struct {
		text, want string
		err        error
	}{
		{`{"number":1,"version":2,"features":["ids:byValue","time:backwards"],` + options, `graph "g": it uses the feature "time:backwards", which this program does not know`, storage.ErrFormat},
		{`{"number":1,"version":3,` + options, `graph "g" has format version 3, this program knows versions up to 2`, storage.ErrFormat},
		{`{"number":1,"version":1,"features":["ids:byValue"],` + options, "version 1 with features", storage.ErrCorrupt},
		{`{"number":1,` + options, "version 0", storage.ErrCorrupt},
		{strings.Replace(`{"number":1,"version":1,`+options, "serializable", "eventual", 1), `isolation "eventual"`, storage.ErrCorrupt},
		{`{"number":1,"version":2,` + options, "", nil}, // a feature that was turned off
	} {
		s := ok[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))
		putCatalog(t, s, "g", c.text)
		db, err := Open(s, DatabaseOptions{})
		if !errors.Is(err, c.err) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v", c.text, err)
		}
		if db != nil {
			err = db.Close()
		} else {
			err = s.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// TestCreateGraph_Format: a graph with a feature is not there before the format is
// raised, and stays away when it cannot be.
func TestCreateGraph_Format(t *testing.T) {
	s := &unraisable{Store: ok[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))}
	db := ok[*Database](t)(Open(s, DatabaseOptions{}))
	defer db.Close()
	if _, err := db.CreateGraph("g", Options{IDsByValue: true}); !errors.Is(err, errNoRaise) {
		t.Fatal(err)
	}
	ok[*Graph](t)(db.CreateGraph("g", Options{}))
	if _, err := db.Graph("g"); err != nil || len(db.GraphNames()) != 1 {
		t.Errorf("%v, %v", db.GraphNames(), err)
	}
}

var errNoRaise = errors.New("the format cannot be raised")

// unraisable is a store whose format stays.
type unraisable struct{ *pebble.Store }

func (s *unraisable) RaiseFormat(version int) error {
	if version > s.Format() {
		return errNoRaise
	}
	return nil
}
