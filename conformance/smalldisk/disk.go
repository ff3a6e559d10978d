// Package smalldisk is a file system of limited size, for tests of what happens when it is full.
package smalldisk

import (
	"sync/atomic"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Disk is a file system of limited size: what is written beyond it fails. Tests add to what is
// used, as somebody else's files would.
type Disk struct {
	vfs.FS
	Used, Size atomic.Int64 // in bytes
}

// New returns a disk of so many bytes, of which none are used, over a file system.
func New(fs vfs.FS, size int64) *Disk {
	d := &Disk{FS: fs}
	d.Size.Store(size)
	return d
}

// Fill uses all that is free but for so many bytes; empty gives that back.
func (d *Disk) Fill(but int64) (empty func()) {
	n := d.Size.Load() - d.Used.Load() - but
	d.Used.Add(n)
	return func() { d.Used.Add(-n) }
}

// Unwrap returns the file system beneath.
func (d *Disk) Unwrap() vfs.FS { return d.FS }

// GetDiskUsage implements vfs.FS.
func (d *Disk) GetDiskUsage(string) (vfs.DiskUsage, error) {
	free := max(d.Size.Load()-d.Used.Load(), 0)
	return vfs.DiskUsage{AvailBytes: uint64(free), TotalBytes: uint64(d.Size.Load()), UsedBytes: uint64(d.Used.Load())}, nil
}

// Create implements vfs.FS.
func (d *Disk) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := d.FS.Create(name, c)
	if err != nil {
		return nil, err
	}
	return &file{File: f, disk: d}, nil
}

// ReuseForWrite implements vfs.FS.
func (d *Disk) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := d.Remove(from); err != nil {
		return nil, err
	}
	return d.Create(to, c)
}

// Remove implements vfs.FS.
func (d *Disk) Remove(name string) error {
	st, err := d.Stat(name)
	if err != nil {
		return err
	}
	if err := d.FS.Remove(name); err != nil {
		return err
	}
	d.Used.Add(-st.Size())
	return nil
}

type file struct {
	vfs.File
	disk *Disk
}

func (f *file) Write(p []byte) (int, error) {
	if f.disk.Used.Add(int64(len(p))) > f.disk.Size.Load() {
		f.disk.Used.Add(-int64(len(p)))
		return 0, syscall.ENOSPC
	}
	return f.File.Write(p)
}
