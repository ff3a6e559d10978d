package blueprints_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/smalldisk"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
)

// TestTime_FullDisk: a disk that fills up within an undo, a restore, a purge, an expiry and the
// forgetting of history says so, and leaves all of each commit or nothing, and what was as it
// was, also behind a crash at that moment; when there is room again it goes on.
func TestTime_FullDisk(t *testing.T) {
	eachDeed(t, func(t *testing.T, d *deed, seed uint64) {
		whole := d.x.on(t, d.base.CrashClone(vfs.CrashCloneCfg{}), seed)
		whole.must(d.do(whole))
		after := whole.textAt(0)
		whole.must(whole.db.Close())
		for free := range int64(raced.Times(raced.Part(4, 2), 4)) {
			mem := d.base.CrashClone(vfs.CrashCloneCfg{})
			disk := smalldisk.New(mem, 64<<20)
			y, s := openTimedWith(t, disk, seed, pebble.Options{DiskReserve: 1 << 20, BallastBytes: 8 << 20, Tick: 50 * time.Millisecond})
			y.g = must[*blueprints.Graph](t)(y.db.Graph("g"))
			empty := disk.Fill(free * int64(1+y.IntN(16<<10))) // the log takes it, and then the place of the ballast
			err := d.do(y)
			if err != nil && (!errors.Is(err, storage.ErrReadOnly) || !strings.Contains(err.Error(), "disk full: server is read-only until more than")) {
				t.Errorf("on a full disk: %v", err)
			}
			crashed := d.x.on(t, mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: y.Rand}), seed)
			for _, z := range []*timed{crashed, y} {
				if z == y {
					empty()
					for s.Metrics().ReadOnly {
						<-time.After(10 * time.Millisecond)
					}
				}
				is := z.textAt(0)
				if err == nil && is != after {
					t.Errorf("what was acknowledged is not done")
				}
				z.look(d.what, is, d.before, after, d.v0, d.x, d.do)
				wantSound(t, z.g)
				z.must(z.db.Close())
			}
		}
	})
}

// on opens the graph from another disk.
func (x *timed) on(t *testing.T, fs vfs.FS, seed uint64) *timed {
	t.Helper()
	y := openTimed(t, fs, seed)
	y.g = must[*blueprints.Graph](t)(y.db.Graph("g"))
	return y
}
