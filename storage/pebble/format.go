package pebble

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage"
)

// FormatVersion is the version of the data directory's layout: its files and the
// tables' keys. A directory of a newer one is refused.
const FormatVersion = 1

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
		return false, fmt.Errorf("%w: its format is %d, this program knows formats up to %d", storage.ErrFormat, version, FormatVersion)
	}
	return false, nil
}

func short(b []byte) []byte { return b[:min(len(b), 64)] }

// newFormat makes a directory ours, if nothing else lives in it.
func (s *Store) newFormat() error {
	names, err := s.fs.List(s.dir)
	if err != nil {
		return openError(err)
	}
	for _, n := range names {
		switch n {
		case "LOCK", "lost+found", watermarkName, watermarkName + ".tmp", formatName + ".tmp", ballastName:
		case dbName:
			return fmt.Errorf("%w: %s is missing beside %s", storage.ErrCorrupt, s.path(formatName), s.path(dbName))
		default:
			return fmt.Errorf("%w: it has no %s file but holds %q: not a gremlind data directory", storage.ErrFormat, formatName, n)
		}
	}
	if err := createWatermark(s.fs, s.path(watermarkName), mark{}); err != nil {
		return openError(err)
	}
	if err := writeFile(s.fs, s.path(formatName), []byte(formatText(FormatVersion))); err != nil {
		return openError(err)
	}
	return syncDir(s.fs, s.fs.PathDir(s.dir))
}
