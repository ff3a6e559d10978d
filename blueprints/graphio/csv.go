package graphio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Reject is told of a record that cannot be taken: its line, its fields and the
// reason. An error that it returns ends the reading.
type Reject func(line int, fields []string, reason error) error

// ReadCSV streams a file of vertices or of edges; the header tells which.
//
//	~id, ~label, name:String, age:Int, tags:String[]          vertices
//	~id, ~from, ~to, ~label, weight:Double                    edges
//
// Types are Bool, Byte, Short, Int, Long, Float, Double, String and Date, in any case;
// a column without one is String. An empty field is no property. Fields of a []
// column hold several values between semicolons. A type may say (single) or (set).
// With a nil reject the first bad record is an error.
//
// The file is taken apart on a goroutine of its own, which has ended on return; sink
// and reject are called on the caller's.
func ReadCSV(ctx context.Context, r io.Reader, sink blueprints.RecordSink, reject Reject) error {
	p := &csvParser{scan: csvScanner{r: r, line: 1}, out: make(chan *csvBatch, csvAhead), free: make(chan *csvBatch, csvAhead+2)}
	if err := p.header(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	p.ctx = ctx
	go p.run()
	defer func() {
		cancel()
		for range p.out { // until the goroutine has ended
		}
	}()
	for b := range p.out {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.push(sink, reject); err != nil {
			return err
		}
		if b.last != nil {
			return fmt.Errorf("csv: %w", b.last)
		}
		p.free <- b
	}
	return ctx.Err()
}

// csvTable is a header taken apart.
type csvTable struct {
	columns             []csvColumn
	id, label, from, to int // column numbers, -1 for none
	edges               bool
	labels              map[string]string // each label once, for its own memory
	last                string            // label
}

type csvColumn struct {
	key, kind string
	many      bool
}

func newCSVTable(header []string) (*csvTable, error) {
	t := &csvTable{columns: make([]csvColumn, len(header)), id: -1, label: -1, from: -1, to: -1, labels: map[string]string{}}
	system := map[string]*int{"~id": &t.id, "~label": &t.label, "~from": &t.from, "~to": &t.to}
	for i, h := range header {
		h = strings.TrimSpace(strings.TrimPrefix(h, "\ufeff"))
		if at, ok := system[strings.ToLower(h)]; ok {
			if *at >= 0 {
				return nil, fmt.Errorf("the column %s stands twice", h)
			}
			*at = i
			continue
		}
		key, kind, _ := strings.Cut(h, ":")
		kind = strings.ToLower(kind)
		kind = strings.NewReplacer("(single)", "", "(set)", "").Replace(kind)
		kind, many := strings.CutSuffix(kind, "[]")
		if key == "" {
			return nil, fmt.Errorf("column %d has no name", i+1)
		}
		if !csvTypes[kind] {
			return nil, fmt.Errorf("column %q has the unknown type %q", key, kind)
		}
		t.columns[i] = csvColumn{strings.Clone(key), strings.Clone(kind), many}
	}
	t.edges = t.from >= 0 || t.to >= 0
	if t.edges && (t.from < 0 || t.to < 0) {
		return nil, errors.New("edges need the columns ~from and ~to")
	}
	if !t.edges && t.id < 0 {
		return nil, errors.New("vertices need the column ~id")
	}
	return t, nil
}

var csvTypes = map[string]bool{"": true, "string": true, "bool": true, "boolean": true, "byte": true, "short": true, "int": true,
	"integer": true, "long": true, "float": true, "double": true, "date": true, "datetime": true}

// labelOf returns the label of a record.
func (t *csvTable) labelOf(fields []string, otherwise string) string {
	s := textOf(fields, t.label)
	switch {
	case s == "":
		return otherwise
	case s == t.last:
		return t.last
	}
	known, ok := t.labels[s]
	if !ok {
		known = strings.Clone(s)
		t.labels[known] = known
	}
	t.last = known
	return known
}

func textOf(fields []string, column int) string {
	if column < 0 {
		return ""
	}
	return fields[column]
}

func idOf(text string) value.Value {
	if text == "" {
		return value.Null
	}
	return value.String(text)
}

func (t *csvTable) edge(e *blueprints.EdgeRecord, fields []string) {
	e.ID, e.Label = idOf(textOf(fields, t.id)), t.labelOf(fields, defaultEdgeLabel)
	e.Out, e.In = value.String(fields[t.from]), value.String(fields[t.to])
}

func (t *csvTable) vertex(v *blueprints.VertexRecord, fields []string) error {
	if v.ID = idOf(fields[t.id]); v.ID.IsNull() {
		return errors.New("the field ~id is empty")
	}
	v.Label = t.labelOf(fields, defaultVertexLabel)
	return nil
}

func (t *csvTable) properties(dst []blueprints.PropertyRecord, fields []string) ([]blueprints.PropertyRecord, error) {
	for i := range t.columns {
		c := &t.columns[i]
		rest, more := fields[i], true
		if c.key == "" || rest == "" {
			continue
		}
		for more {
			part := rest
			if more = c.many; more {
				part, rest, more = strings.Cut(rest, ";")
			}
			v, err := csvValue(c.kind, part)
			if err != nil {
				return dst, fmt.Errorf("column %q: %w", c.key, err)
			}
			dst = append(dst, blueprints.PropertyRecord{Key: c.key, Value: v})
		}
	}
	return dst, nil
}

func csvValue(kind, text string) (value.Value, error) {
	switch kind {
	case "bool":
		return typed("boolean", text)
	case "byte", "short":
		v, err := typed("int", text)
		n := v.Int64()
		switch {
		case err != nil:
			return v, fmt.Errorf("%q is no %s", text, kind)
		case kind == "byte" && n == int64(int8(n)):
			return value.Byte(int8(n)), nil
		case kind == "short" && n == int64(int16(n)):
			return value.Short(int16(n)), nil
		}
		return value.Null, fmt.Errorf("%q is no %s", text, kind)
	case "date", "datetime":
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
			if t, err := time.Parse(layout, text); err == nil {
				return value.Object(value.KindOffsetDateTime, t), nil
			}
		}
		return value.Null, fmt.Errorf("%q is no date", text)
	}
	return typed(kind, text)
}
