package graphio

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// ReadCSV streams a file of vertices or of edges; the header tells which.
//
//	~id, ~label, name:String, age:Int, tags:String[]          vertices
//	~id, ~from, ~to, ~label, weight:Double                    edges
//	_id, _labels, name, _start, _end, _type, since            both, as APOC writes them
//	:ID, name, :LABEL                                         vertices, as Neo4j's import reads them
//	:START_ID, :END_ID, :TYPE, since:int                      edges, likewise
//	Id, Label                                                 vertices, as Gephi writes them
//	Source, Target, Type, Id, Label, Weight                   edges, as Gephi writes them
//
// Types are Bool, Byte, Short, Int, Long, Float, Double, String and Date, in any case;
// a column without one is String. An empty field is no property. Fields of a []
// column hold several values between semicolons, each once. A type may say (single),
// (set) or (list); a list keeps what it holds twice. A vertex with several labels
// between semicolons gets them joined by "::", as TinkerPop writes them. A backslash
// stands before a colon of a key and before a semicolon of a label or of a [] column.
// Where a header has no comma, semicolons or tabs stand between the fields.
//
// The file is taken apart on a goroutine of its own, which has ended on return; sink
// and h are called on the caller's.
func ReadCSV(ctx context.Context, r io.Reader, sink blueprints.RecordSink, h Handler) error {
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
		if err := b.push(sink, h); err != nil {
			return err
		}
		if b.last != nil {
			return fmt.Errorf("csv: %w", b.last)
		}
		p.free <- b
	}
	return ctx.Err()
}

// CSVHeaderMax is how long a header may be for IsEdgeCSV to understand it.
const CSVHeaderMax = 64 << 10

// IsEdgeCSV reports whether the header of a CSV file, which stays unread, is that of
// edges. A header that is longer than the buffer or wrong is not.
func IsEdgeCSV(r *bufio.Reader) bool {
	for n := 256; ; n *= 2 {
		head, err := r.Peek(min(n, r.Size()))
		if at := bytes.IndexByte(bytes.TrimLeft(head, "\r\n"), '\n'); at < 0 && err == nil && n < r.Size() {
			continue
		}
		scan := csvScanner{r: bytes.NewReader(head), line: 1}
		header, err := scan.header()
		if err != nil {
			return false
		}
		t, err := newCSVTable(header)
		return err == nil && t.edges
	}
}

// csvTable is a header taken apart.
type csvTable struct {
	columns []csvColumn
	// Numbers of columns, -1 for none; kind is that of the labels of edges in a file
	// that has vertices too.
	id, label, from, to, kind int

	edges          bool              // the file has nothing else
	mixed          bool              // it has both: a row with a start is an edge
	labels         map[string]string // field -> label
	lastText, last string            // the last of them
}

type csvColumn struct {
	key, kind  string
	many, list bool // a [] column; one that keeps what it holds twice
}

func newCSVTable(header []string) (*csvTable, error) {
	t := &csvTable{columns: make([]csvColumn, len(header)), id: -1, label: -1, from: -1, to: -1, kind: -1, labels: map[string]string{}}
	for i := range header {
		header[i] = strings.TrimSpace(strings.TrimPrefix(header[i], "\ufeff"))
	}
	system := t.systemColumns(header)
	for i, h := range header {
		if at, ok := system[strings.ToLower(h)]; ok {
			if *at >= 0 {
				return nil, fmt.Errorf("the column %s stands twice", h)
			}
			*at = i
			continue
		}
		var err error
		if t.columns[i], err = newCSVColumn(i, h); err != nil {
			return nil, err
		}
	}
	t.mixed = t.kind >= 0
	t.edges = !t.mixed && (t.from >= 0 || t.to >= 0)
	if (t.edges || t.mixed) && (t.from < 0 || t.to < 0) {
		return nil, errors.New("edges need the columns ~from and ~to")
	}
	if !t.edges && t.id < 0 {
		return nil, fmt.Errorf("vertices need the column ~id, and edges ~from and ~to (or _id, Id, :ID, Source and Target): the columns are %.200s", strings.Join(header, ", "))
	}
	return t, nil
}

// systemColumns are the names of the columns that are no properties: Neptune's, or
// Gephi's when none of them begins with a tilde. Gephi's label of a vertex is a text to
// show and stays a property; that of an edge says what kind of edge it is.
func (t *csvTable) systemColumns(header []string) map[string]*int {
	has := func(name string) bool {
		return slices.ContainsFunc(header, func(h string) bool { return strings.EqualFold(h, name) })
	}
	switch {
	case slices.ContainsFunc(header, func(h string) bool { return strings.HasPrefix(h, "~") }):
	case has("_id") && has("_labels"):
		names := map[string]*int{"_id": &t.id, "_labels": &t.label}
		if has("_start") {
			names["_start"], names["_end"], names["_type"] = &t.from, &t.to, &t.kind
		}
		return names
	case has("_start") && has("_end"):
		return map[string]*int{"_id": &t.id, "_start": &t.from, "_end": &t.to, "_type": &t.label}
	case slices.ContainsFunc(header, isNeo4jID):
		return t.neo4jColumns(header)
	case has("source") && has("target"):
		return map[string]*int{"id": &t.id, "label": &t.label, "source": &t.from, "target": &t.to}
	case has("id"):
		return map[string]*int{"id": &t.id}
	}
	return map[string]*int{"~id": &t.id, "~label": &t.label, "~from": &t.from, "~to": &t.to}
}

// isNeo4jID reports whether a column is one that Neo4j's import must have. Groups of ids,
// :ID(Person), are none: an id of one group may be one of another too.
func isNeo4jID(h string) bool {
	_, kind, ok := cutEscaped(h, ':')
	return ok && (strings.EqualFold(kind, "id") || strings.EqualFold(kind, "start_id"))
}

// neo4jColumns are those of Neo4j's import, which may have a name before the colon.
func (t *csvTable) neo4jColumns(header []string) map[string]*int {
	names, kinds := map[string]*int{}, map[string]*int{"id": &t.id, "label": &t.label, "start_id": &t.from, "end_id": &t.to, "type": &t.label}
	for _, h := range header {
		if _, kind, ok := cutEscaped(h, ':'); ok && kinds[strings.ToLower(kind)] != nil {
			names[strings.ToLower(h)] = kinds[strings.ToLower(kind)]
		}
	}
	return names
}

// csvCardinalities may stand behind a type.
var csvCardinalities = strings.NewReplacer("(single)", "", "(set)", "", "(list)", "")

func newCSVColumn(i int, header string) (csvColumn, error) {
	key, kind, typed := cutEscaped(header, ':')
	kind = strings.ToLower(kind)
	c := csvColumn{key: strings.Clone(key), list: strings.Contains(kind, "(list)")}
	c.kind, c.many = strings.CutSuffix(csvCardinalities.Replace(kind), "[]")
	c.kind = strings.Clone(c.kind)
	switch {
	case key == "":
		return c, fmt.Errorf("column %d has no name", i+1)
	case !csvTypes[c.kind]:
		return c, fmt.Errorf("column %q has the unknown type %q (a colon in a name is written \\:)", key, c.kind)
	case !typed && strings.EqualFold(key, "weight"):
		c.kind = "double" // Gephi's, which has no types
	}
	return c, nil
}

// cutEscaped cuts text at the first separator without a backslash before it, and takes
// the backslashes away from the first part, where they stand before a separator or a
// backslash.
func cutEscaped(text string, separator byte) (first, rest string, found bool) {
	at := strings.IndexByte(text, separator)
	if strings.IndexByte(text[:max(at, 0)], '\\') < 0 && (at >= 0 || strings.IndexByte(text, '\\') < 0) {
		if at < 0 {
			return text, "", false
		}
		return text[:at], text[at+1:], true
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == separator:
			return b.String(), text[i+1:], true
		case c == '\\' && i+1 < len(text) && (text[i+1] == separator || text[i+1] == '\\'):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), "", false
}

var csvTypes = map[string]bool{"": true, "string": true, "bool": true, "boolean": true, "byte": true, "short": true, "int": true,
	"integer": true, "long": true, "float": true, "double": true, "date": true, "datetime": true}

// labelOf returns the label of a record, which stands in a column.
func (t *csvTable) labelOf(fields []string, column int, otherwise string) string {
	s := textOf(fields, column)
	switch {
	case s == "":
		return otherwise
	case s == t.lastText:
		return t.last
	}
	known, ok := t.labels[s]
	if !ok {
		text := strings.Clone(s)
		switch known = text; {
		case t.mixed:
			known = colonLabels(text)
		case !t.edges:
			known = joinLabels(colonLabels(text))
		}
		t.labels[text] = known
	}
	t.lastText, t.last = s, known
	return known
}

// joinLabels makes one label of several between semicolons, each once.
func joinLabels(text string) string {
	var all []string
	for rest, more := text, true; more; {
		var label string
		if label, rest, more = cutEscaped(rest, ';'); label != "" && !slices.Contains(all, label) {
			all = append(all, label)
		}
	}
	return strings.Join(all, labelSeparator)
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
	column := t.label
	if t.mixed {
		column = t.kind
	}
	e.ID, e.Label = idOf(textOf(fields, t.id)), t.labelOf(fields, column, defaultEdgeLabel)
	e.Out, e.In = value.String(fields[t.from]), value.String(fields[t.to])
}

func (t *csvTable) vertex(v *blueprints.VertexRecord, fields []string) error {
	if v.ID = idOf(fields[t.id]); v.ID.IsNull() {
		return errors.New("the field of the id is empty")
	}
	v.Label = t.labelOf(fields, t.label, defaultVertexLabel)
	return nil
}

func (t *csvTable) properties(dst []blueprints.PropertyRecord, fields []string) ([]blueprints.PropertyRecord, error) {
	for i := range t.columns {
		c := &t.columns[i]
		text := fields[i]
		if c.key == "" || text == "" {
			continue
		}
		if c.many {
			var err error
			if dst, err = t.several(dst, c, text); err != nil {
				return dst, err
			}
			continue
		}
		v, err := csvValue(c.kind, text)
		if err != nil {
			return dst, fmt.Errorf("column %q: %w", c.key, err)
		}
		dst = append(dst, blueprints.PropertyRecord{Key: c.key, Value: v})
	}
	return dst, nil
}

// several adds the values of a [] column, each once unless it is a list.
func (t *csvTable) several(dst []blueprints.PropertyRecord, c *csvColumn, rest string) ([]blueprints.PropertyRecord, error) {
	begin := len(dst)
	for more := true; more; {
		var part string
		part, rest, more = cutEscaped(rest, ';')
		v, err := csvValue(c.kind, part)
		if err != nil {
			return dst, fmt.Errorf("column %q: %w", c.key, err)
		}
		known := func(p blueprints.PropertyRecord) bool { return value.Identical(p.Value, v) }
		if c.list || !slices.ContainsFunc(dst[begin:], known) {
			dst = append(dst, blueprints.PropertyRecord{Key: c.key, Value: v})
		}
	}
	if t.edges && len(dst) > begin+1 {
		return dst, fmt.Errorf("column %q: an edge holds one value of a key", c.key)
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
