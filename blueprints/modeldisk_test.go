package blueprints_test

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// modelDisk is the operating system's file system that takes as long as it is told to make things
// durable, and makes nothing durable: what is measured on it depends on us alone, not on what else a
// machine's disk is asked for.
type modelDisk struct {
	vfs.FS
	sync      time.Duration // that a sync takes
	perSecond int64         // bytes written
	mu        sync.Mutex
	free      time.Time // when it has written what it was given
}

// newModelDisk returns a disk that takes a while for a sync and writes so many bytes a second.
func newModelDisk(sync time.Duration, perSecond int64) *modelDisk {
	return &modelDisk{FS: vfs.Default, sync: sync, perSecond: perSecond}
}

// smallWrite is what a disk writes at once, whatever waits besides.
const smallWrite = 64 << 10

// write says when bytes will have been written.
func (d *modelDisk) write(bytes int64) time.Time {
	takes := time.Duration(bytes * int64(time.Second) / d.perSecond)
	now := time.Now()
	if bytes <= smallWrite {
		return now.Add(takes)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.free.Before(now) {
		d.free = now
	}
	d.free = d.free.Add(takes)
	return d.free
}

// Create implements vfs.FS.
func (d *modelDisk) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := d.FS.Create(name, c)
	return d.file(f), err
}

// OpenReadWrite implements vfs.FS.
func (d *modelDisk) OpenReadWrite(name string, c vfs.DiskWriteCategory, o ...vfs.OpenOption) (vfs.File, error) {
	f, err := d.FS.OpenReadWrite(name, c, o...)
	return d.file(f), err
}

// ReuseForWrite implements vfs.FS.
func (d *modelDisk) ReuseForWrite(old, name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := d.FS.ReuseForWrite(old, name, c)
	return d.file(f), err
}

// Unwrap implements vfs.FS.
func (d *modelDisk) Unwrap() vfs.FS { return d.FS }

func (d *modelDisk) file(f vfs.File) vfs.File {
	if f == nil {
		return nil
	}
	return &diskFile{File: f, disk: d}
}

type diskFile struct {
	vfs.File
	disk  *modelDisk
	dirty atomic.Int64 // bytes that the disk was not given yet
	ready atomic.Int64 // when it has written those that it was, in nanoseconds
}

// Write implements vfs.File.
func (f *diskFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	f.dirty.Add(int64(n))
	return n, err
}

// WriteAt implements vfs.File.
func (f *diskFile) WriteAt(b []byte, at int64) (int, error) {
	n, err := f.File.WriteAt(b, at)
	f.dirty.Add(int64(n))
	return n, err
}

// SyncTo implements vfs.File: the disk begins to write.
func (f *diskFile) SyncTo(int64) (bool, error) {
	f.ready.Store(f.disk.write(f.dirty.Swap(0)).UnixNano())
	return false, nil
}

// SyncData implements vfs.File.
func (f *diskFile) SyncData() error { return f.Sync() }

// Sync implements vfs.File.
func (f *diskFile) Sync() error {
	ready := f.disk.write(f.dirty.Swap(0))
	if before := time.Unix(0, f.ready.Load()); before.After(ready) {
		ready = before
	}
	pause(ready.Add(f.disk.sync))
	return nil
}
