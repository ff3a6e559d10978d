package check

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Inspector decodes keys and values of a snapshot for a person.
type Inspector struct{ snap storage.Snapshot }

// NewInspector makes an Inspector; symbols get the names they have in the snapshot.
func NewInspector(snap storage.Snapshot) *Inspector { return &Inspector{snap: snap} }

// Print writes one line for each key in [from, to), at most max of them when max > 0.
// A nil to means the end of everything.
func (p *Inspector) Print(w io.Writer, from, to []byte, max int) (n int, err error) {
	it := p.snap.Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
	defer it.Close()
	for (max <= 0 || n < max) && it.Next() {
		if _, err := fmt.Fprintln(w, p.Cell(it.Key(), it.Value())); err != nil {
			return n, err
		}
		n++
	}
	return n, it.Err()
}

// Cell decodes one key and its value.
func (p *Inspector) Cell(key, val []byte) string {
	graph, code, ok := table.Head(key)
	if !ok {
		return fmt.Sprintf("%x -> %x", key, val)
	}
	text := fmt.Sprintf("%s -> %s", cellKey(code, key), cellValue(code, key, val))
	return p.named(graph, text)
}

// cellKey is table.Describe with index values decoded.
func cellKey(code table.Code, key []byte) string {
	text := table.Describe(key)
	var form []byte
	switch code {
	case table.VertexKeyIndex, table.EdgeKeyIndex:
		e, _ := table.DecodeKeyIndex(key)
		form = e.Value
	case table.VertexKeyOwned, table.EdgeKeyOwned:
		e, _ := table.DecodeKeyOwned(key)
		form = e.Value
	case table.NamedIndex:
		e, _ := table.DecodeNamedEntry(key)
		form = e.Value
	case table.NamedIndexOwned:
		e, _ := table.DecodeNamedOwnedEntry(key)
		form = e.Value
	}
	if v, rest, exact, err := value.ReadOrdered(form); len(form) > 0 && err == nil && exact && len(rest) == 0 {
		text = strings.Replace(text, fmt.Sprintf("value %x", form), "value "+v.GoString(), 1)
	}
	return text
}

// cellValue decodes a cell by the table it is in, and falls back to hexadecimal.
func cellValue(code table.Code, key, val []byte) string {
	switch code {
	case table.Vertices:
		return vertexValue(key, val)
	case table.Edges:
		return edgeValue(key, val)
	case table.Catalog, table.IndexMetadata, table.NameBySymbol:
		if d, err := table.DecodeIndexDefinition(key); err == nil && d.Family == table.IndexCounters && len(val) == 1 {
			return fmt.Sprintf("version %d", val[0])
		}
		if utf8.Valid(val) {
			return string(val)
		}
	case table.SymbolByName:
		if len(val) == 4 {
			return fmt.Sprintf("symbol #%d", binary.BigEndian.Uint32(val))
		}
	case table.Counters, table.Meta, table.VertexIDs, table.EdgeIDs:
		if len(val) == 8 {
			return fmt.Sprint(int64(binary.BigEndian.Uint64(val)))
		}
	}
	if len(val) == 0 {
		return "nothing"
	}
	return hex.EncodeToString(val)
}

func vertexValue(key, val []byte) string {
	_, family, _ := table.VertexCell(key)
	switch family {
	case table.Exists:
		if c, err := blueprints.DecodeVertexCell(val); err == nil {
			return fmt.Sprintf("label #%d, id %#v", c.Label, c.ID)
		}
	case table.Property:
		if c, err := blueprints.DecodePropertyCell(val); err == nil {
			text := fmt.Sprintf("%#v, number %d", c.Value, c.Number)
			if !c.UserID.IsNull() {
				text += fmt.Sprintf(", id %#v", c.UserID)
			}
			for _, m := range c.Meta {
				text += fmt.Sprintf(", #%d: %#v", m.Key, m.Value)
			}
			return text
		}
	case table.OutEdge, table.InEdge:
		if len(val) == 1 {
			return fmt.Sprintf("version %d", val[0])
		}
	case table.CounterCell, table.StampCell, table.ExpiryCell:
		return counted(val)
	}
	return "malformed " + hex.EncodeToString(val)
}

func edgeValue(key, val []byte) string {
	_, family, _ := table.EdgeCell(key)
	switch family {
	case table.Exists:
		if c, err := blueprints.DecodeEdgeCell(val); err == nil {
			return fmt.Sprintf("label #%d, %d -> %d, id %#v", c.Label, c.Out, c.In, c.ID)
		}
	case table.Property:
		if v, err := blueprints.DecodeEdgeProperty(val); err == nil {
			return v.GoString()
		}
	case table.CounterCell, table.StampCell, table.ExpiryCell:
		return counted(val)
	}
	return "malformed " + hex.EncodeToString(val)
}

func counted(val []byte) string {
	if n, ok := storage.Count(val); ok && len(val) > 0 {
		return fmt.Sprint(n)
	}
	return "malformed " + hex.EncodeToString(val)
}

// named adds the names of symbols to a text that has their numbers.
func (p *Inspector) named(graph uint32, text string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "#")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		n := 0
		for n < len(after) && after[n] >= '0' && after[n] <= '9' {
			n++
		}
		b.WriteString("#" + after[:n])
		var sym uint32
		if _, err := fmt.Sscan(after[:n], &sym); err == nil && !strings.HasSuffix(before, "index ") {
			if name, err := p.snap.Get(table.AppendSymbol(nil, graph, sym)); err == nil {
				fmt.Fprintf(&b, " %q", name)
			}
		}
		text = after[n:]
	}
}
