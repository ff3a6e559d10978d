package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// exportFiles are the files of an export. Each is written beside its name, and all are
// renamed when the last is whole and synced.
type exportFiles struct {
	name   string // as the user gave it
	stdout io.Writer
	files  []exportFile
	// defined is set when there are definitions among them.
	defined bool
}

type exportFile struct {
	name string
	f    *os.File
	z    *gzip.Writer // nil when it is not compressed
}

// open begins the file of a part.
func (e *exportFiles) open(part string) (io.Writer, error) {
	if e.name == "-" {
		return e.stdout, nil
	}
	out := exportFile{name: e.name}
	base, gz := strings.CutSuffix(e.name, ".gz")
	switch part {
	case wholePart:
	case definitionsPart:
		out.name, gz, e.defined = strings.TrimSuffix(base, filepath.Ext(base))+"-definitions.json", false, true
	default:
		out.name = strings.TrimSuffix(base, ".csv") + "-" + part + ".csv"
		if gz {
			out.name += ".gz"
		}
	}
	var err error
	if out.f, err = os.Create(out.part()); err != nil {
		return nil, err
	}
	var w io.Writer = out.f
	if gz {
		out.z = gzip.NewWriter(out.f)
		w = out.z
	}
	e.files = append(e.files, out)
	return w, nil
}

func (e *exportFile) part() string { return e.name + ".part" }

// close renames the files, or removes them when they are not whole.
func (e *exportFiles) close(whole bool) error {
	var err error
	for _, f := range e.files {
		if whole && f.z != nil {
			err = errors.Join(err, f.z.Close())
		}
		if whole {
			err = errors.Join(err, f.f.Sync())
		}
		err = errors.Join(err, f.f.Close())
	}
	for _, f := range e.files {
		if !whole || err != nil {
			err = errors.Join(err, os.Remove(f.part()))
		} else {
			err = os.Rename(f.part(), f.name)
		}
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", e.name, err)
	}
	return nil
}
