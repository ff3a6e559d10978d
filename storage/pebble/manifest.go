package pebble

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
)

// manifestMark is a durable prefix of a MANIFEST; the zero value knows of none.
type manifestMark struct {
	number uint64
	size   int64
	crc    uint32 // CRC-32C of the prefix
}

// markManifest syncs the current MANIFEST of the database in dir and returns what is
// durable then. known spares reading what has not changed.
func markManifest(disk vfs.FS, dir string, known manifestMark) (manifestMark, error) {
	name, number, err := currentManifest(disk, dir)
	if err != nil {
		return manifestMark{}, err
	}
	st, err := disk.Stat(name)
	if err != nil {
		return manifestMark{}, err
	}
	m := manifestMark{number: number, size: st.Size()}
	if m.number == known.number && m.size == known.size {
		return known, nil
	}
	if m.number != known.number { // the marker that names it must last as well
		if err := syncDir(disk, dir); err != nil {
			return manifestMark{}, err
		}
	}
	f, err := disk.OpenReadWrite(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return manifestMark{}, err
	}
	if err = f.Sync(); err == nil {
		m.crc, err = prefixCRC(f, m.size)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return m, err
}

// currentManifest returns the path and the number of the MANIFEST that a marker names.
func currentManifest(disk vfs.FS, dir string) (path string, number uint64, err error) {
	desc, err := pebble.Peek(dir, disk)
	if err != nil {
		return "", 0, err
	}
	if !desc.Exists {
		return "", 0, nil
	}
	path = desc.ManifestFilename
	text, _ := strings.CutPrefix(disk.PathBase(path), "MANIFEST-")
	if number, err = strconv.ParseUint(text, 10, 64); err != nil {
		return "", 0, fmt.Errorf("%w: the database's marker names %q", storage.ErrCorrupt, path)
	}
	return path, number, nil
}

func prefixCRC(f vfs.File, size int64) (uint32, error) {
	h := crc32.New(castagnoli)
	n, err := io.Copy(h, io.NewSectionReader(f, 0, size))
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	return h.Sum32(), err
}

// check refuses a database whose MANIFEST is not what the mark remembers. A later
// MANIFEST is taken as it is.
func (m manifestMark) check(disk vfs.FS, dir string) error {
	if m.number == 0 {
		return nil
	}
	name, number, err := currentManifest(disk, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: DATA LOSS: %s is missing", storage.ErrCorrupt, dir)
	case err != nil:
		return databaseError(err)
	case number > m.number:
		return nil
	case number < m.number:
		return fmt.Errorf("%w: DATA LOSS: the database in %s is at MANIFEST %d, it was at %d", storage.ErrCorrupt, dir, number, m.number)
	}
	f, err := disk.Open(name)
	if err != nil {
		return databaseError(err)
	}
	crc, err := prefixCRC(f, m.size)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || err == nil && crc != m.crc {
		return fmt.Errorf("%w: the first %d bytes of %s are not what was written", storage.ErrCorrupt, m.size, name)
	}
	return err
}
