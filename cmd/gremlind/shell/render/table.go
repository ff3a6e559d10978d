package render

import (
	"io"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// tableWriter draws tables. The widths of a table are those of the results that were
// kept back when it began; a later cell that is wider is written whole all the same. A
// result that does not fit the columns begins a new table.
type tableWriter struct {
	w     io.Writer
	width int
	rows  []value.Value // kept back

	shape   shape
	columns *columns
	widths  []int
	numbers []bool // columns of numbers, which stand on the right
	begun   bool   // a table has its head
	narrow  bool   // it did not fit, and each result is a list of its fields
	count   int
	buf     []field
}

// Write keeps results back until there are enough to know the columns by.
func (t *tableWriter) Write(rows []value.Value) error {
	for len(rows) > 0 {
		n := min(len(rows), chunkRows-len(t.rows))
		t.rows = append(t.rows, rows[:n]...)
		rows = rows[n:]
		if len(t.rows) < chunkRows {
			return nil
		}
		if err := t.flush(false); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes what was kept back.
func (t *tableWriter) Flush() error { return t.flush(false) }

func (t *tableWriter) Close() error { return t.flush(true) }

func (t *tableWriter) flush(last bool) error {
	rows := t.rows
	if len(rows) == 0 {
		return nil
	}
	t.rows = t.rows[:0]
	var b strings.Builder
	if m := rows[0].Map(); m != nil && len(rows) == 1 && last && t.count == 0 && !isExplanation(m) {
		t.pairs(&b, m)
	} else if !t.fits(rows) {
		t.begin(&b, rows)
	}
	t.draw(&b, rows)
	_, err := io.WriteString(t.w, b.String())
	return err
}

// pairs begins a table of the entries of the only map.
func (t *tableWriter) pairs(b *strings.Builder, m *value.Map) {
	list := make([]value.Value, m.Len())
	for i := range list {
		k, v := m.Entry(i)
		one := value.NewMapSize(1)
		one.Put(k, v)
		list[i] = one.Value()
	}
	t.shape, t.columns = entries, entryColumns()
	t.measure(list)
	t.head(b)
}

func entryColumns() *columns {
	c := &columns{}
	c.add("key")
	c.add("value")
	return c
}

// fits reports whether rows go on with the table that has begun.
func (t *tableWriter) fits(rows []value.Value) bool {
	if !t.begun {
		return false
	}
	s, c := learn(rows)
	switch {
	case t.shape == plain || s == plain:
		return s == t.shape
	case t.shape == entries:
		return s == entries || s == records && len(c.keys) == 1
	case s == entries:
		return false
	}
	for _, k := range c.keys {
		if _, ok := t.columns.index[k]; !ok {
			return false
		}
	}
	return true
}

// begin learns the columns out of rows and draws the head.
func (t *tableWriter) begin(b *strings.Builder, rows []value.Value) {
	if t.begun {
		b.WriteByte('\n')
	}
	t.shape, t.columns = learn(rows)
	t.begun = true
	switch t.shape {
	case plain:
		return
	case entries:
		t.columns = entryColumns()
	}
	t.measure(rows)
	t.head(b)
}

// measure finds how wide the columns are.
func (t *tableWriter) measure(rows []value.Value) {
	n := len(t.columns.keys)
	t.widths, t.numbers = make([]int, n), make([]bool, n)
	seen := make([]bool, n)
	for i, k := range t.columns.keys {
		t.widths[i] = Width(Clean(t.columns.title(k)))
	}
	for _, v := range rows {
		t.cells(v, func(i int, x value.Value) {
			t.widths[i] = max(t.widths[i], Width(Text(x)))
			if x.IsNull() {
				return
			}
			t.numbers[i] = x.Kind().IsNumber() && (t.numbers[i] || !seen[i])
			seen[i] = true
		})
	}
	total := 3*n - 1
	for _, w := range t.widths {
		total += w
	}
	t.narrow = t.width > 0 && total > t.width
}

// cells calls fn for each cell of a row that has a value.
func (t *tableWriter) cells(v value.Value, fn func(i int, x value.Value)) {
	if t.shape == entries {
		if m := v.Map(); m != nil {
			for i := range m.Len() {
				k, x := m.Entry(i)
				fn(0, k)
				fn(1, x)
			}
		}
		return
	}
	t.buf, _ = fields(t.buf[:0], v)
	for _, f := range t.buf {
		if i, ok := t.columns.index[f.key]; ok {
			fn(i, f.value)
		}
	}
}

func (t *tableWriter) head(b *strings.Builder) {
	t.begun = true
	if t.narrow {
		return
	}
	for i, k := range t.columns.keys {
		t.bar(b, i, " │ ", " ")
		pad(b, Clean(t.columns.title(k)), t.fill(i), t.numbers[i])
	}
	b.WriteByte('\n')
	for i, w := range t.widths {
		t.bar(b, i, "─┼─", "─")
		b.WriteString(strings.Repeat("─", w))
	}
	b.WriteString("─\n")
}

func (t *tableWriter) bar(b *strings.Builder, i int, between, first string) {
	if i == 0 {
		between = first
	}
	b.WriteString(between)
}

// fill is how far a cell is filled up: the last one not, unless it stands on the right.
func (t *tableWriter) fill(i int) int {
	if i == len(t.widths)-1 && !t.numbers[i] {
		return 0
	}
	return t.widths[i]
}

func (t *tableWriter) draw(b *strings.Builder, rows []value.Value) {
	cells := make([]string, len(t.widths))
	for _, v := range rows {
		t.count++
		if t.shape == plain {
			for _, line := range lines(nil, v, t.width) {
				b.WriteString(line)
				b.WriteByte('\n')
			}
			continue
		}
		if t.shape == entries {
			m := v.Map()
			for i := range m.Len() {
				k, x := m.Entry(i)
				cells[0], cells[1] = Text(k), Text(x)
				t.row(b, cells)
			}
			continue
		}
		clear(cells)
		t.cells(v, func(i int, x value.Value) { cells[i] = Text(x) })
		t.row(b, cells)
	}
}

func (t *tableWriter) row(b *strings.Builder, cells []string) {
	if t.narrow {
		t.record(b, cells)
		return
	}
	for i, s := range cells {
		t.bar(b, i, " │ ", " ")
		pad(b, s, t.fill(i), t.numbers[i])
	}
	b.WriteByte('\n')
}

// record writes the fields of a result beneath each other.
func (t *tableWriter) record(b *strings.Builder, cells []string) {
	if t.shape == entries {
		b.WriteString(cells[0] + ": " + cells[1] + "\n")
		return
	}
	b.WriteString("─ " + strconv.Itoa(t.count) + " ─\n")
	width := 0
	for _, k := range t.columns.keys {
		width = max(width, Width(Clean(t.columns.title(k))))
	}
	for i, s := range cells {
		if s == "" {
			continue
		}
		pad(b, Clean(t.columns.title(t.columns.keys[i])), width, false)
		b.WriteString(" │ " + s + "\n")
	}
}
