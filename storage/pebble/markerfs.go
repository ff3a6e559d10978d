package pebble

import (
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// markerFS makes the names in a directory durable before a marker is created in it.
// Pebble v2.1.7 creates the marker that names a new MANIFEST before the MANIFEST's own
// name is synced; a power cut that keeps the one and loses the other leaves a database
// that does not open (found by TestCrashAtEveryOperation).
type markerFS struct{ vfs.FS }

// Create implements vfs.FS.
func (m markerFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(m.PathBase(name), "marker.") {
		if err := syncDir(m.FS, m.PathDir(name)); err != nil {
			return nil, err
		}
	}
	return m.FS.Create(name, c)
}

// Unwrap implements vfs.FS.
func (m markerFS) Unwrap() vfs.FS { return m.FS }
