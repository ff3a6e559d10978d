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
	// reserve is what look found last, in bytes.
	reserve atomic.Int64
	// stuck gets a token when the disk is full without a ballast. It has room for one.
	stuck chan struct{}
}

// Bounds of the reserve that is chosen: a twentieth of the disk.
const (
	reserveMin = 32 << 20
	reserveMax = 1 << 30
)

// reserveOf is the reserve of a disk of total bytes.
func (o *Options) reserveOf(total uint64) int64 {
	switch {
	case o.DiskReserve != 0:
		return o.DiskReserve
	case o.DiskReservePercent != 0:
		return int64(float64(total) / 100 * o.DiskReservePercent)
	}
	return min(max(int64(total/20), reserveMin), reserveMax)
}

const ballastName = "BALLAST"

// wrap returns the file system that Pebble gets.
func (g *diskGuard) wrap(s *Store) vfs.FS {
	g.inner, g.stuck = s.opts.FS, make(chan struct{}, 1)
	return vfs.OnDiskFull(logFS{markerFS{g.inner}}, func() {
		g.full.Store(true)
		s.metrics.diskFull.Add(1)
		g.mu.Lock()
		defer g.mu.Unlock()
		g.held = false
		switch err := g.inner.Remove(s.path(ballastName)); {
		case err == nil:
			s.log.Error("disk full: gave up the ballast, writes are refused", "dir", s.dir)
			return
		case !errors.Is(err, fs.ErrNotExist):
			s.log.Error("remove the ballast", "err", err)
		}
		select {
		case g.stuck <- struct{}{}:
			s.log.Error("disk full: writes are refused", "dir", s.dir)
		default: // was said
		}
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
	reserve := s.opts.reserveOf(usage.TotalBytes)
	g.reserve.Store(reserve)
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
			s.log.Error("disk nearly full: writes are refused", "free", free, "diskReserve", reserve, "dir", s.dir)
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

// fill takes n bytes of the disk for a file, which a sparse one would not: at once where the file
// system can, else by writing zeros.
func fill(f vfs.File, n int64) error {
	if fd := f.Fd(); fd != vfs.InvalidFd && allocate(fd, n) == nil {
		return f.Sync()
	}
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
