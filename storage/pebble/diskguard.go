package pebble

import (
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// diskGuard makes the store read-only before the disk is full, because a log that
// cannot be written ends the process. Should the disk fill up between two looks, the
// ballast file is given up, which lets the log write once more.
type diskGuard struct {
	full  atomic.Bool
	inner vfs.FS // beneath the wrapper: the ballast must not wait for itself
	mu    sync.Mutex
	held  bool // the ballast lies on the disk
}

const ballastName = "BALLAST"

// wrap returns the file system that Pebble gets.
func (g *diskGuard) wrap(s *Store) vfs.FS {
	g.inner = s.opts.FS
	return vfs.OnDiskFull(logFS{markerFS{g.inner}}, func() {
		g.full.Store(true)
		s.metrics.diskFull.Add(1)
		s.log.Error("disk full: giving up the ballast, writes are refused", "dir", s.dir)
		g.mu.Lock()
		defer g.mu.Unlock()
		if err := g.inner.Remove(s.path(ballastName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.log.Error("remove the ballast", "err", err)
		}
		g.held = false
	})
}

// start looks for the first time.
func (g *diskGuard) start(s *Store) {
	if st, err := g.inner.Stat(s.path(ballastName)); err == nil && st.Size() == s.opts.BallastBytes {
		g.held = true
	}
	g.look(s)
}

// look compares the free space with the reserve. To resume takes a tenth more than
// the reserve, so that writes do not flicker.
func (g *diskGuard) look(s *Store) {
	usage, err := g.inner.GetDiskUsage(s.dir)
	if err != nil {
		if !errors.Is(err, vfs.ErrUnsupported) {
			s.log.Error("look at the free disk space", "err", err)
		}
		return
	}
	reserve := s.opts.DiskReserve
	if reserve == 0 {
		reserve = max(1<<30, int64(usage.TotalBytes/20))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	free := int64(min(usage.AvailBytes, 1<<62))
	ballast := int64(0)
	if !g.held {
		ballast = max(s.opts.BallastBytes, 0)
	}
	switch {
	case free < reserve:
		if !g.full.Swap(true) {
			s.log.Error("disk nearly full: writes are refused", "free", free, "reserve", reserve, "dir", s.dir)
		}
		return
	case g.full.Load() && free < reserve+reserve/10+ballast:
		return
	}
	if ballast > 0 && free >= reserve+ballast {
		g.load(s)
	}
	if g.full.Swap(false) {
		s.log.Info("disk space is back: writes resume", "free", free)
	}
}

// load puts the ballast in place; without one the store works, less safely.
func (g *diskGuard) load(s *Store) {
	f, err := g.inner.Create(s.path(ballastName), vfs.WriteCategoryUnspecified)
	if err == nil {
		err = fill(f, s.opts.BallastBytes)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}
	if err != nil {
		s.log.Warn("write the ballast", "err", err)
		return
	}
	g.held = true
}

// fill writes zeros: a sparse file would give no space back.
func fill(f vfs.File, n int64) error {
	block := make([]byte, 1<<20)
	for n > 0 {
		b := block[:min(n, int64(len(block)))]
		if _, err := f.Write(b); err != nil {
			return err
		}
		n -= int64(len(b))
	}
	return f.Sync()
}
