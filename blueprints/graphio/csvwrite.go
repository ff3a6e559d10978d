package graphio

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// WriteVertexCSV writes vertices with the header that ReadCSV reads. The format holds
// no meta-properties; a graph that has them is refused rather than cut.
func WriteVertexCSV(ctx context.Context, w io.Writer, source blueprints.RecordSource) error {
	t := &csvWriter{}
	if err := source.EachVertex(func(v *blueprints.VertexRecord) error { return t.learn("vertex", v.ID, v.Properties) }); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if err := out.Write(t.header("~id", "~label")); err != nil {
		return err
	}
	err := source.EachVertex(func(v *blueprints.VertexRecord) error {
		return firstError(ctx.Err(), out.Write(t.row(v.Properties, v.ID.JavaString(), vertexLabel(v.Label))))
	})
	out.Flush()
	return firstError(err, out.Error())
}

// WriteEdgeCSV writes edges with the header that ReadCSV reads.
func WriteEdgeCSV(ctx context.Context, w io.Writer, source blueprints.RecordSource) error {
	t := &csvWriter{}
	if err := source.EachLoose(func(e *blueprints.EdgeRecord) error { return t.learn("edge", e.ID, e.Properties) }); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if err := out.Write(t.header("~id", "~from", "~to", "~label")); err != nil {
		return err
	}
	err := source.EachEdge(func(e *blueprints.EdgeRecord) error {
		return firstError(ctx.Err(), out.Write(t.row(e.Properties, e.ID.JavaString(), e.Out.JavaString(), e.In.JavaString(), e.Label)))
	})
	out.Flush()
	return firstError(err, out.Error())
}

// csvWriter knows the columns of one file.
type csvWriter struct {
	columns []csvColumn
	at      map[string]int // key -> column
}

// learn widens the columns for the properties of one element.
func (t *csvWriter) learn(owner string, id value.Value, ps []blueprints.PropertyRecord) error {
	if t.at == nil {
		t.at = map[string]int{}
	}
	for n, p := range ps {
		if len(p.Meta) > 0 {
			return fmt.Errorf("%s %v: CSV cannot hold the properties of the property %q", owner, id, p.Key)
		}
		kind := csvKind(p.Value)
		i, ok := t.at[p.Key]
		if !ok {
			i = len(t.columns)
			t.at[p.Key] = i
			t.columns = append(t.columns, csvColumn{key: p.Key, kind: kind})
		}
		if t.columns[i].kind != kind {
			t.columns[i].kind = "String"
		}
		c := &t.columns[i]
		c.many = c.many || n > 0 && slices.ContainsFunc(ps[:n], func(q blueprints.PropertyRecord) bool { return q.Key == p.Key })
		c.list = c.list || c.many && slices.ContainsFunc(ps[:n], func(q blueprints.PropertyRecord) bool {
			return q.Key == p.Key && csvText(q.Value) == csvText(p.Value)
		})
	}
	return nil
}

func csvKind(v value.Value) string {
	switch v.Kind() {
	case value.KindBool:
		return "Bool"
	case value.KindByte:
		return "Byte"
	case value.KindShort:
		return "Short"
	case value.KindInt:
		return "Int"
	case value.KindLong:
		return "Long"
	case value.KindFloat:
		return "Float"
	case value.KindDouble:
		return "Double"
	case value.KindOffsetDateTime, value.KindDate, value.KindTimestamp, value.KindInstant:
		return "Date"
	}
	return "String"
}

// csvText is how a value is written.
func csvText(v value.Value) string {
	if at, ok := v.Object().(time.Time); ok && csvKind(v) == "Date" {
		return at.Format(time.RFC3339Nano)
	}
	return v.JavaString()
}

// csvEscapes stand before what would end a part of a field.
var (
	escapeKey   = strings.NewReplacer(`\`, `\\`, `:`, `\:`)
	escapeValue = strings.NewReplacer(`\`, `\\`, `;`, `\;`)
)

func (t *csvWriter) header(system ...string) []string {
	for _, c := range t.columns {
		h := escapeKey.Replace(c.key) + ":" + c.kind
		if c.list {
			h += "(list)"
		}
		if c.many {
			h += "[]"
		}
		system = append(system, h)
	}
	return system
}

func (t *csvWriter) row(ps []blueprints.PropertyRecord, system ...string) []string {
	row := append(append([]string{}, system...), make([]string, len(t.columns))...)
	cells, filled := row[len(system):], make([]bool, len(t.columns))
	for _, p := range ps {
		i := t.at[p.Key]
		text := csvText(p.Value)
		if t.columns[i].many {
			text = escapeValue.Replace(text)
		}
		if filled[i] {
			text = cells[i] + ";" + text
		}
		cells[i], filled[i] = text, true
	}
	return row
}

// vertexLabel writes the parts of a label between semicolons, as Neptune has them.
func vertexLabel(label string) string {
	parts := strings.Split(label, labelSeparator)
	for i, p := range parts {
		parts[i] = escapeValue.Replace(p)
	}
	if text := strings.Join(parts, ";"); joinLabels(text) == label {
		return text
	}
	return escapeValue.Replace(label)
}
