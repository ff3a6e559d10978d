package blueprints_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// TestTime_Clock: a clock that jumps an hour forward and back, while the server runs and while it
// does not, loses nothing: versions ascend, and as of each there is what there was. A time of the
// clock is that of the commits' versions.
func TestTime_Clock(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	open := func() (*blueprints.Database, *blueprints.Graph) {
		s := must[*pebble.Store](t)(pebble.Open(dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1, Now: func() time.Time { return now }}))
		db := must[*blueprints.Database](t)(blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: -1}))
		if g, err := db.Graph("g"); err == nil {
			return db, g
		}
		return db, must[*blueprints.Graph](t)(db.CreateGraph("g", blueprints.Options{History: blueprints.Forever}))
	}
	db, g := open()
	defer func() { db.Close() }()
	var versions []storage.Stamp
	write := func() {
		t.Helper()
		update(t, g, func(tx *blueprints.Tx) error {
			_, err := tx.AddVertex("v", value.Null)
			return err
		})
		tx := begin(t, g)
		defer tx.Close()
		v, err := tx.LastVersion()
		if n := len(versions); err != nil || n > 0 && v <= versions[n-1] {
			t.Fatalf("version %d behind %v, %v", v, versions, err)
		}
		versions = append(versions, v)
	}
	count := func(at storage.Stamp, want string) {
		t.Helper()
		got := ""
		tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: at})
		if err != nil {
			got = err.Error()
		} else {
			defer tx.Close()
			n, err := tx.VertexCount()
			got = fmt.Sprint(n)
			if err != nil {
				got = err.Error()
			}
		}
		if got != want {
			t.Errorf("as of %s, at %s: %s, want %s", blueprints.TimeText(at), now.UTC(), got, want)
		}
	}
	for _, jump := range []time.Duration{0, time.Hour, -time.Hour, time.Minute, time.Hour, -59 * time.Minute} {
		now = now.Add(jump)
		write()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		db, g = open()
		write()
	}
	for i, v := range versions {
		count(v, fmt.Sprint(i+1))
	}
	// The clock was set back by an hour: what was done since has versions of that time.
	count(storage.LastOf(now), "2")
	_, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: versions[len(versions)-1] + 5})
	if err == nil || !strings.Contains(err.Error(), "lies in the future: the clock of the server says") {
		t.Error(err)
	}
	wantSound(t, g)
}
