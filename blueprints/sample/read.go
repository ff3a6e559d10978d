package sample

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

//go:embed data/*.gz
var files embed.FS

// read reads an embedded file: one element per line, fields by tabs.
//
//	v  id  label           keys.  values...
//	e  id  label  out  in  keys.  values...
//
// An empty id is the last one plus 1; an empty label, out or list of keys is the last
// line's. A value's first letter is its type: string, int, double.
func read(name string) (*graph, error) {
	b, err := files.ReadFile("data/" + name + ".gz")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	r := &reader{g: &graph{}}
	lines := bufio.NewScanner(z)
	for n := 1; lines.Scan(); n++ {
		if err := r.line(strings.Split(lines.Text(), "\t")); err != nil {
			return nil, fmt.Errorf("%s line %d: %w", name, n, err)
		}
	}
	return r.g, lines.Err()
}

// reader keeps what the next line may leave out.
type reader struct {
	g     *graph
	id    int64
	label string
	out   string
	keys  []string
}

func (r *reader) line(f []string) error {
	isEdge := f[0] == "e"
	fixed := 4 // kind, id, label, keys
	if isEdge {
		fixed = 6
	}
	if len(f) < fixed {
		return fmt.Errorf("%d fields", len(f))
	}
	if r.id++; f[1] != "" {
		id, err := strconv.ParseInt(f[1], 10, 32)
		if err != nil {
			return err
		}
		r.id = id
	}
	inherit(&r.label, f[2])
	if k := f[fixed-1]; k != "" {
		r.keys = nil
		if k != "." {
			r.keys = strings.Split(strings.TrimSuffix(k, "."), ",")
		}
	}
	props, err := r.properties(f[fixed:])
	if err != nil {
		return err
	}
	if !isEdge {
		r.g.vertices = append(r.g.vertices, vertex(int32(r.id), r.label, props...))
		return nil
	}
	inherit(&r.out, f[3])
	out, err := strconv.ParseInt(r.out, 10, 32)
	if err != nil {
		return err
	}
	in, err := strconv.ParseInt(f[4], 10, 32)
	if err != nil {
		return err
	}
	r.g.edges = append(r.g.edges, edge(int32(r.id), r.label, int32(out), int32(in), props...))
	return nil
}

func inherit(last *string, field string) {
	if field != "" {
		*last = field
	}
}

func (r *reader) properties(fields []string) ([]blueprints.PropertyRecord, error) {
	if len(fields) != len(r.keys) {
		return nil, fmt.Errorf("%d values for keys %v", len(fields), r.keys)
	}
	props := make([]blueprints.PropertyRecord, len(fields))
	for i, f := range fields {
		v, err := parse(f)
		if err != nil {
			return nil, err
		}
		props[i] = prop(r.keys[i], v)
	}
	return props, nil
}

func parse(f string) (value.Value, error) {
	switch {
	case strings.HasPrefix(f, "s"):
		return value.String(f[1:]), nil
	case strings.HasPrefix(f, "i"):
		n, err := strconv.ParseInt(f[1:], 10, 32)
		return value.Int(int32(n)), err
	case strings.HasPrefix(f, "d"):
		d, err := strconv.ParseFloat(f[1:], 64)
		return value.Double(d), err
	}
	return value.Null, fmt.Errorf("value %q has no type", f)
}
