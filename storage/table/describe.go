package table

import (
	"fmt"
	"strings"
)

// Describe writes a key as a person reads it. Symbols stay numbers: only a graph
// knows their names. What is no key of a table is written in hexadecimal.
func Describe(key []byte) string {
	graph, c, ok := Head(key)
	if !ok || c.String() == "" {
		return fmt.Sprintf("key %x", key)
	}
	s, err := describeRow(key, c)
	if err != nil {
		s = fmt.Sprintf("%s %x", c, key[headLen:])
	}
	if graph != StoreGraph {
		s += fmt.Sprintf(" of graph %d", graph)
	}
	return s
}

func describeRow(key []byte, c Code) (string, error) {
	switch c {
	case Vertices:
		return describeVertex(key)
	case Edges:
		return describeEdge(key)
	case VertexLabels, EdgeLabels:
		l, err := DecodeLabel(key)
		return fmt.Sprintf("%s %d under label #%d", l.Class, l.Element, l.Label), err
	case VertexKeyIndex, EdgeKeyIndex:
		e, err := DecodeKeyIndex(key)
		return fmt.Sprintf("%s: key #%d, value %x, %s %d", c, e.Key, e.Value, e.Class, e.Element), err
	case VertexKeyOwned, EdgeKeyOwned:
		e, err := DecodeKeyOwned(key)
		return fmt.Sprintf("%s: %s %d, key #%d, value %x", c, e.Class, e.Element, e.Key, e.Value), err
	case NamedIndex:
		e, err := DecodeNamedEntry(key)
		return fmt.Sprintf("index #%d: key #%d, value %x, element %d", e.Index, e.Key, e.Value, e.Element), err
	case NamedIndexOwned:
		e, err := DecodeNamedOwnedEntry(key)
		return fmt.Sprintf("index #%d reverse: element %d, key #%d, value %x", e.Index, e.Element, e.Key, e.Value), err
	case CompositeIndex, CompositeOwned, EdgeIndex, TextIndex, TextOwned, GeoIndex:
		return describeEntry(key, c)
	case IndexMetadata:
		d, err := DecodeIndexDefinition(key)
		switch d.Family {
		case IndexSchema:
			return "schema", err
		case IndexTTL:
			return "ttl of labels", err
		case IndexCounters:
			k, err := DecodeCounterKey(key)
			return fmt.Sprintf("definition of counter #%d of %s label #%d", k.Key, k.Class, k.Label), err
		}
		return strings.TrimSpace(fmt.Sprintf("definition of %s index %q", d.Class, d.Name)), err
	}
	return describeName(key, c)
}

func describeEntry(key []byte, c Code) (string, error) {
	switch c {
	case CompositeIndex: // only the definition knows whether an element ends the key
		e, err := DecodeUniqueEntry(key)
		return fmt.Sprintf("composite index #%d: seal #%d, values %x", e.Index, e.Seal, e.Values), err
	case CompositeOwned:
		e, err := DecodeCompositeOwned(key)
		return fmt.Sprintf("composite index #%d reverse: element %d, seal #%d, values %x", e.Index, e.Element, e.Seal, e.Values), err
	case EdgeIndex:
		e, err := DecodeEdgeEntry(key)
		return fmt.Sprintf("edge index #%d: vertex %d %s seal #%d, values %x, edge %d to vertex %d",
			e.Index, e.Vertex, e.Direction, e.Seal, e.Values, e.Edge, e.Other), err
	case TextIndex:
		e, err := DecodeTextEntry(key)
		return fmt.Sprintf("text index #%d: seal #%d, token %q, element %d", e.Index, e.Seal, e.Token, e.Element), err
	case TextOwned:
		e, err := DecodeTextOwned(key)
		return fmt.Sprintf("text index #%d reverse: element %d", e.Index, e.Element), err
	}
	e, err := DecodeGeoEntry(key)
	return fmt.Sprintf("geo index #%d: seal #%d, cell %016x, element %d", e.Index, e.Seal, e.Cell, e.Element), err
}

func describeName(key []byte, c Code) (string, error) {
	switch c {
	case Catalog:
		name, err := DecodeCatalog(key)
		return fmt.Sprintf("graph %q in the catalog", name), err
	case History:
		cell, until, err := DecodePastRow(nil, key)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("what was until version %d: %s", until, Describe(cell)), nil
	case Commits:
		_, s, err := DecodeCommit(key)
		return fmt.Sprintf("what version %d changed", s), err
	case Expiries:
		e, err := DecodeExpiry(key)
		if e.Property {
			return fmt.Sprintf("end of %s %d PROPERTY #%d ordinal %d at %d", e.Class, e.Element, e.Key, e.Ordinal, e.At), err
		}
		return fmt.Sprintf("end of %s %d at %d", e.Class, e.Element, e.At), err
	case Meta:
		_, name, err := DecodeMeta(key)
		return fmt.Sprintf("meta %q", name), err
	case SymbolByName:
		_, name, err := DecodeSymbolName(key)
		return fmt.Sprintf("symbol of %q", name), err
	case NameBySymbol:
		_, symbol, err := DecodeSymbol(key)
		return fmt.Sprintf("name of symbol #%d", symbol), err
	case VertexIDs, EdgeIDs:
		_, class, id, err := DecodeUserID(key)
		return fmt.Sprintf("%s with user id %x", class, id), err
	case Counters:
		n, err := DecodeCounter(key)
		return fmt.Sprintf("counter %d of symbol #%d", n.Kind, n.Symbol), err
	}
	return "", ErrKey
}

func describeVertex(key []byte) (string, error) {
	id, family, ok := VertexCell(key)
	if !ok {
		return "", ErrKey
	}
	switch family {
	case Property:
		p, err := DecodeVertexProperty(key)
		return fmt.Sprintf("vertex %d PROPERTY #%d ordinal %d", id, p.Key, p.Ordinal), err
	case OutEdge, InEdge:
		a, err := DecodeAdjacency(key)
		return fmt.Sprintf("vertex %d %s label #%d edge %d to vertex %d", id, family, a.Label, a.Edge, a.Other), err
	case CounterCell:
		return describeCounter(key)
	case StampCell:
		return describeStamp(key)
	}
	return fmt.Sprintf("vertex %d %s", id, family), nil
}

func describeEdge(key []byte) (string, error) {
	id, family, ok := EdgeCell(key)
	if !ok {
		return "", ErrKey
	}
	switch family {
	case Property:
		p, err := DecodeEdgeProperty(key)
		return fmt.Sprintf("edge %d PROPERTY #%d", id, p.Key), err
	case CounterCell:
		return describeCounter(key)
	case StampCell:
		return describeStamp(key)
	}
	return fmt.Sprintf("edge %d %s", id, family), nil
}

func describeCounter(key []byte) (string, error) {
	c, err := DecodeElementCounter(key)
	s := fmt.Sprintf("%s %d %s #%d", c.Class, c.Element, CounterCell, c.Key)
	if c.Interval != 0 {
		s += fmt.Sprintf(" interval %d from %d", c.Interval, c.Start)
	}
	return s, err
}

func describeStamp(key []byte) (string, error) {
	s, err := DecodeElementStamp(key)
	return fmt.Sprintf("%s %d %s %s", s.Class, s.Element, StampCell, s.Kind), err
}
