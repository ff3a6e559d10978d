package graphio

import (
	"context"
	"encoding/csv"
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
func ReadCSV(ctx context.Context, r io.Reader, sink blueprints.RecordSink, reject Reject) error {
	c := csv.NewReader(r)
	c.ReuseRecord = true
	header, err := c.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("csv: the file is empty: it needs a header")
	}
	if err != nil {
		return fmt.Errorf("csv: %w", err)
	}
	t, err := newCSVTable(header)
	if err != nil {
		return fmt.Errorf("csv header: %w", err)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		fields, err := c.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line, _ := c.FieldPos(0)
		if err == nil {
			err = t.record(fields, sink)
		}
		if err == nil {
			continue
		}
		if reject == nil {
			return fmt.Errorf("csv line %d: %w", line, err)
		}
		if err := reject(line, fields, err); err != nil {
			return err
		}
	}
}

// csvTable is a header taken apart.
type csvTable struct {
	columns             []csvColumn
	id, label, from, to int // column numbers, -1 for none
	edges               bool
}

type csvColumn struct {
	key, kind string
	many      bool
}

func newCSVTable(header []string) (*csvTable, error) {
	t := &csvTable{columns: make([]csvColumn, len(header)), id: -1, label: -1, from: -1, to: -1}
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
		t.columns[i] = csvColumn{key, kind, many}
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

func (t *csvTable) record(fields []string, sink blueprints.RecordSink) error {
	ps, err := t.properties(fields)
	if err != nil {
		return err
	}
	text := func(i int) string {
		if i < 0 {
			return ""
		}
		return strings.Clone(fields[i])
	}
	id := value.Null
	if s := text(t.id); s != "" {
		id = value.String(s)
	}
	label := text(t.label)
	if t.edges {
		if label == "" {
			label = defaultEdgeLabel
		}
		return sink.Edge(&blueprints.EdgeRecord{ID: id, Label: label, Out: value.String(text(t.from)), In: value.String(text(t.to)), Properties: ps})
	}
	if id.IsNull() {
		return errors.New("the field ~id is empty")
	}
	if label == "" {
		label = defaultVertexLabel
	}
	return sink.Vertex(&blueprints.VertexRecord{ID: id, Label: label, Properties: ps})
}

func (t *csvTable) properties(fields []string) ([]blueprints.PropertyRecord, error) {
	var ps []blueprints.PropertyRecord
	for i, c := range t.columns {
		if c.key == "" || fields[i] == "" {
			continue
		}
		parts := []string{fields[i]}
		if c.many {
			parts = strings.Split(fields[i], ";")
		}
		for _, part := range parts {
			v, err := csvValue(c.kind, strings.Clone(part))
			if err != nil {
				return nil, fmt.Errorf("column %q: %w", c.key, err)
			}
			ps = append(ps, blueprints.PropertyRecord{Key: c.key, Value: v})
		}
	}
	return ps, nil
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
