package pebble

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gremlind/gremlind/storage"
)

// FormatVersion is the newest version of the data directory's layout that this program
// knows: its files and the tables' keys. A directory of a newer one is refused.
//
//	1  the first
//	2  the catalog names features of graphs, which a program of format 1 would overlook
//
// A fresh directory has the first, and a newer one from the moment that it needs it (see
// RaiseFormat), so that older programs read what they can read.
const FormatVersion = 2

// formatFirst is the version of a fresh directory.
const formatFirst = 1

const (
	formatName  = "FORMAT"
	formatTitle = "gremlind data directory"
)

func formatText(version int) string { return fmt.Sprintf("%s\nformat %d\n", formatTitle, version) }

// checkFormat reads FORMAT, or writes it into a fresh directory: after the watermark,
// so that a directory with a FORMAT has one, and before the database, so that a
// database has both.
func (s *Store) checkFormat() (fresh bool, err error) {
	name := s.path(formatName)
	b, err := readFile(s.fs, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, s.newFormat()
	case err != nil:
		return false, fmt.Errorf("read %s: %w", name, openError(err))
	}
	text, ok := strings.CutPrefix(string(b), formatTitle+"\nformat ")
	number, rest, ended := strings.Cut(text, "\n")
	version, err := strconv.Atoi(number)
	if !ok || !ended || rest != "" || err != nil || version < 1 {
		return false, fmt.Errorf("%w: %s is garbled: %q", storage.ErrCorrupt, name, short(b))
	}
	if version > FormatVersion {
		return false, fmt.Errorf("%w: its format is %d, this program knows formats up to %d: use the gremlind that wrote it, or a newer one",
			storage.ErrFormat, version, FormatVersion)
	}
	s.format.version = version
	return false, nil
}

// format is what stands in FORMAT.
type format struct {
	mu      sync.Mutex
	version int
}

// Format implements storage.Store.
func (s *Store) Format() int {
	s.format.mu.Lock()
	defer s.format.mu.Unlock()
	return s.format.version
}

// DiskBytes implements storage.Store.
func (s *Store) DiskBytes(from, to []byte) (int64, error) {
	if s.opts.InMemory {
		return 0, nil
	}
	if !s.enter() {
		return 0, storage.ErrClosed
	}
	defer s.leave()
	n, err := s.db.EstimateDiskUsage(from, to)
	return int64(n), s.readError(err)
}

// Flush implements storage.Store.
func (s *Store) Flush() error {
	if !s.enter() {
		return storage.ErrClosed
	}
	defer s.leave()
	return s.readError(s.db.Flush())
}

// RaiseFormat implements storage.Store. A crash leaves the old FORMAT or the new one,
// and either fits: what needs the new one is written after it.
func (s *Store) RaiseFormat(version int) error {
	return s.changeFormat("raise", version, func(now int) bool { return version > now })
}

// LowerFormat implements storage.Store. Here, too, what a crash leaves fits: what needed the
// old one was gone before.
func (s *Store) LowerFormat(version int) error {
	version = max(version, formatFirst)
	return s.changeFormat("lower", version, func(now int) bool { return version < now })
}

// changeFormat writes FORMAT if the version that it has is to be changed.
func (s *Store) changeFormat(verb string, version int, changes func(now int) bool) error {
	if err := s.occ.Alive(); err != nil {
		return err
	}
	if version > FormatVersion {
		return fmt.Errorf("%w: format %d is asked for, this program knows formats up to %d", storage.ErrFormat, version, FormatVersion)
	}
	if !s.enter() {
		return storage.ErrClosed
	}
	defer s.leave()
	s.format.mu.Lock()
	defer s.format.mu.Unlock()
	if !changes(s.format.version) {
		return nil
	}
	if err := writeFile(s.fs, s.path(formatName), []byte(formatText(version))); err != nil {
		return fmt.Errorf("%s the format of %s to %d: %w", verb, s.dir, version, err)
	}
	s.format.version = version
	return nil
}

func short(b []byte) []byte { return b[:min(len(b), 64)] }

// refuseForeign is an error for a directory in which something else lives.
func (s *Store) refuseForeign() error {
	names, err := s.fs.List(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return openError(err)
	case slices.Contains(names, formatName):
		return nil
	case slices.Contains(names, dbName):
		return fmt.Errorf("%w: %s is missing beside %s", storage.ErrCorrupt, s.path(formatName), s.path(dbName))
	}
	for _, n := range names {
		switch n {
		case "LOCK", "lost+found", watermarkName, watermarkName + ".tmp", formatName + ".tmp", ballastName:
		default:
			return fmt.Errorf("%w: it has no %s file but holds %q: not a gremlind data directory", storage.ErrFormat, formatName, n)
		}
	}
	return nil
}

// newFormat makes a directory ours, if nothing else lives in it.
func (s *Store) newFormat() error {
	if err := s.refuseForeign(); err != nil {
		return err
	}
	if err := createWatermark(s.fs, s.path(watermarkName), mark{}); err != nil {
		return openError(err)
	}
	if err := writeFile(s.fs, s.path(formatName), []byte(formatText(formatFirst))); err != nil {
		return openError(err)
	}
	s.format.version = formatFirst
	return syncDir(s.fs, s.fs.PathDir(s.dir))
}
