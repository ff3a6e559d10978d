package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
)

// rejectFile keeps the bad records of an import: place, reason, fields. All methods of
// a nil one do nothing.
type rejectFile struct {
	f       *os.File
	regular bool // not a terminal or a pipe
	w       *csv.Writer
	added   bool                // something since the last sync
	known   map[string]struct{} // places of the records that were kept before the import was stopped
}

// openRejects makes the file of an import, or finds what it keeps already when the
// import goes on.
func openRejects(path string, goesOn bool) (*rejectFile, error) {
	mode := os.O_RDWR | os.O_CREATE
	if !goesOn {
		mode |= os.O_TRUNC
	}
	f, err := os.OpenFile(path, mode, 0o666)
	if err != nil {
		return nil, err
	}
	r := &rejectFile{f: f, w: csv.NewWriter(f), known: map[string]struct{}{}}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		r.regular = true
		err = r.read()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read rejects: %w", err), f.Close())
	}
	return r, nil
}

// read learns which records are kept. The last row may be half of one: that is cut off,
// for its record comes again.
func (r *rejectFile) read() error {
	text, err := io.ReadAll(r.f)
	if err != nil {
		return err
	}
	rows := csv.NewReader(bytes.NewReader(text[:bytes.LastIndexByte(text, '\n')+1]))
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	end := int64(0)
	for {
		row, err := rows.Read()
		if err != nil {
			break // the end, or a text in quotes that has none
		}
		r.known[row[0]] = struct{}{}
		end = rows.InputOffset()
	}
	if err := r.f.Truncate(end); err != nil {
		return err
	}
	_, err = r.f.Seek(end, io.SeekStart)
	return err
}

// keeps reports whether a record was kept before the import was stopped.
func (r *rejectFile) keeps(place string) bool {
	if r == nil {
		return false
	}
	_, ok := r.known[place]
	return ok
}

func (r *rejectFile) add(place string, reason error, fields []string) error {
	if r == nil {
		return nil
	}
	r.added = true
	return r.w.Write(append([]string{place, reason.Error()}, fields...))
}

// sync puts on disk what was added: before a commit, behind which an import that is
// stopped does not look again.
func (r *rejectFile) sync() error {
	if r == nil || !r.added {
		return nil
	}
	r.added = false
	r.w.Flush()
	err := r.w.Error()
	if err == nil && r.regular {
		err = r.f.Sync()
	}
	if err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return nil
}

func (r *rejectFile) close() error {
	if r == nil {
		return nil
	}
	return errors.Join(r.sync(), r.f.Close())
}
