package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// csvWriter writes CSV as RFC 4180 has it, but for lines that end in a line feed alone.
// Collections and other things of parts are JSON in their cell.
type csvWriter struct {
	w       io.Writer
	o       Options
	rows    []value.Value // kept back
	known   bool
	shape   shape
	columns *columns
	count   int
	buf     []byte
	fields  []field
	cells   []value.Value
	has     []bool
}

func newCSV(w io.Writer, o Options) *csvWriter { return &csvWriter{w: w, o: o} }

// Write keeps the first results back, of which it learns the columns.
func (c *csvWriter) Write(rows []value.Value) error {
	if c.known {
		return c.put(rows)
	}
	c.rows = append(c.rows, rows...)
	if len(c.rows) >= chunkRows {
		return c.begin()
	}
	return nil
}

// Flush keeps back what may still change the columns.
func (c *csvWriter) Flush() error { return nil }

func (c *csvWriter) Close() error {
	if c.known || len(c.rows) == 0 {
		return nil
	}
	return c.begin()
}

func (c *csvWriter) begin() error {
	c.shape, c.columns = learn(c.rows)
	if c.shape == entries {
		c.columns = entryColumns()
	}
	if c.shape == plain {
		c.columns = &columns{}
		c.columns.add("value")
	}
	if c.o.Columns != nil {
		if c.shape != records {
			return fmt.Errorf("--columns: the results are %s, which have no columns", describe(c.rows[0]))
		}
		c.columns = chosen(c.o.Columns, c.columns)
	}
	c.known = true
	c.cells, c.has = make([]value.Value, len(c.columns.keys)), make([]bool, len(c.columns.keys))
	if !c.o.NoHeader {
		for i, k := range c.columns.keys {
			if i > 0 {
				c.buf = append(c.buf, ',')
			}
			c.buf = appendQuoted(c.buf, c.columns.title(k))
		}
		c.endLine(0)
	}
	rows := c.rows
	c.rows = nil
	return c.put(rows)
}

// chosen are the columns that the user named: an element's own before a property that is
// called alike.
func chosen(names []string, met *columns) *columns {
	c := &columns{}
	for _, name := range names {
		if _, ok := met.index[token+name]; ok {
			name = token + name
		}
		c.add(strings.TrimPrefix(name, "property "))
	}
	return c
}

func (c *csvWriter) put(rows []value.Value) error {
	var err error
	for _, v := range rows {
		c.count++
		line := len(c.buf)
		switch c.shape {
		case plain:
			c.buf, err = appendCell(c.buf, v)
		case entries:
			err = c.entry(v)
		default:
			err = c.record(v)
		}
		if err != nil {
			return err
		}
		c.endLine(line)
	}
	_, err = c.w.Write(c.buf)
	c.buf = c.buf[:0]
	return err
}

// endLine ends the line that begins at from. An empty one would be no record.
func (c *csvWriter) endLine(from int) {
	if len(c.buf) == from {
		c.buf = append(c.buf, `""`...)
	}
	c.buf = append(c.buf, '\n')
}

func (c *csvWriter) entry(v value.Value) error {
	m := v.Map()
	if m.Len() != 1 {
		return c.misfit(v, "a map of one entry")
	}
	k, x := m.Entry(0)
	var err error
	if c.buf, err = appendCell(c.buf, k); err != nil {
		return err
	}
	c.buf, err = appendCell(append(c.buf, ','), x)
	return err
}

func (c *csvWriter) record(v value.Value) error {
	var ok bool
	if c.fields, ok = fields(c.fields[:0], v); !ok {
		return c.misfit(v, "a map or an element")
	}
	clear(c.has)
	for _, f := range c.fields {
		i, ok := c.columns.index[f.key]
		switch {
		case ok:
			c.cells[i], c.has[i] = endpoint(f), true
		case c.o.Columns == nil:
			return fmt.Errorf("result %d has the key %q, which none of the first %d had: name the columns with --columns, or use --format json",
				c.count, c.columns.title(f.key), chunkRows)
		}
	}
	var err error
	for i, x := range c.cells {
		if i > 0 {
			c.buf = append(c.buf, ',')
		}
		if !c.has[i] {
			continue
		}
		if c.buf, err = appendCell(c.buf, x); err != nil {
			return err
		}
	}
	return nil
}

// endpoint is the id where a field is a vertex of an edge, as files of edges have it.
func endpoint(f field) value.Value {
	if e := f.value.Detached(); e != nil && (f.key == token+"out" || f.key == token+"in") {
		return e.ID
	}
	return f.value
}

func (c *csvWriter) misfit(v value.Value, want string) error {
	return fmt.Errorf("result %d is %s, and those before it are each %s: they do not fit into one CSV; --format json takes all", c.count, describe(v), want)
}

func describe(v value.Value) string {
	return strings.ToLower(strings.TrimPrefix(v.Kind().String(), "Kind")) + " " + Clip(Text(v), 40)
}

// appendCell writes a value as a cell; nothing stands for null.
func appendCell(dst []byte, v value.Value) ([]byte, error) {
	switch v.Kind() {
	case value.KindNull:
		return dst, nil
	case value.KindString:
		return appendQuoted(dst, v.Str()), nil
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return strconv.AppendInt(dst, v.Int64(), 10), nil
	}
	if composite(v.Kind()) {
		text, err := untyped.AppendValue(nil, v, nil)
		return appendQuoted(dst, string(text)), err
	}
	return appendQuoted(dst, v.JavaString()), nil
}

// composite reports whether values of a kind have parts.
func composite(k value.Kind) bool {
	switch k {
	case value.KindVertex, value.KindEdge, value.KindVertexProperty, value.KindProperty, value.KindPath, value.KindTree, value.KindGraph,
		value.KindBinary, value.KindMap, value.KindMapEntry, value.KindMetrics, value.KindTraversalMetrics, value.KindTraverser:
		return true
	}
	return k.IsCollection()
}

// appendQuoted quotes a text where a reader of CSV would take it for another.
func appendQuoted(dst []byte, s string) []byte {
	if !quoted(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		dst = append(append(dst, s[:i]...), `""`...)
		s = s[i+1:]
	}
	return append(append(dst, s...), '"')
}

func quoted(s string) bool {
	if s == "" || s[0] == ' ' || s[len(s)-1] == ' ' {
		return true
	}
	for i := range len(s) {
		switch s[i] {
		case ',', '"', '\n', '\r':
			return true
		}
	}
	return false
}
