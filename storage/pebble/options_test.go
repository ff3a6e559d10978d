package pebble

import (
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// TestOptions_Defaults: who leaves options out has what their comments say, and what is said stays.
func TestOptions_Defaults(t *testing.T) {
	var o Options
	o.setDefaults()
	if o.CacheBytes != 128<<20 || o.MemTableBytes != 16<<20 || o.BallastBytes != 64<<20 || o.Tick != time.Second || o.FS != vfs.Default {
		t.Errorf("%+v", o)
	}
	if o.Now == nil || o.Logger == nil || o.Exit == nil {
		t.Error("no clock, log or exit")
	}
	o = Options{InMemory: true}
	if o.setDefaults(); o.FS == vfs.Default || o.DiskReserve >= 0 || o.BallastBytes >= 0 {
		t.Errorf("in memory: %+v", o)
	}
	o = Options{CacheBytes: 1, MemTableBytes: 2, BallastBytes: -3, Tick: 4}
	if o.setDefaults(); o.CacheBytes != 1 || o.MemTableBytes != 2 || o.BallastBytes != -3 || o.Tick != 4 {
		t.Errorf("%+v", o)
	}
	for total, reserve := range map[uint64]int64{0: 32 << 20, 640 << 20: 32 << 20, 660 << 20: 33 << 20, 10 << 30: 512 << 20, 20 << 30: 1 << 30, 1 << 40: 1 << 30} {
		if n := o.reserveOf(total); n != reserve {
			t.Errorf("of a disk of %d bytes %d are kept free, want %d", total, n, reserve)
		}
	}
}
