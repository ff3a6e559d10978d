package blueprints

import (
	"encoding/binary"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

func family(d Direction) table.Family {
	if d == In {
		return table.InEdge
	}
	return table.OutEdge
}

// scanEdges appends the edges of v in one direction with one of the sorted labels, or with any
// but those that are left out, from the store.
func (t *Tx) scanEdges(dst []Adjacent, v VertexID, d Direction, labels, without []Symbol, limit int, after *Adjacent) ([]Adjacent, error) {
	if len(labels) == 0 {
		prefix := table.AppendAdjacent(t.key[:0], t.g.number, uint64(v), family(d))
		return t.scanAdjacent(dst, v, d, prefix, without, limit, after)
	}
	for _, l := range labels {
		from := after
		if after != nil {
			if l < after.Label {
				continue
			}
			if l > after.Label {
				from = nil
			}
		}
		prefix := table.AppendAdjacentLabel(t.key[:0], t.g.number, uint64(v), family(d), uint32(l))
		var err error
		if dst, err = t.scanAdjacent(dst, v, d, prefix, nil, limit, from); err != nil {
			return dst, err
		}
		if limit >= 0 && len(dst) >= limit {
			break
		}
	}
	return dst, nil
}

// scanAdjacent reads the cells under prefix, which is built in t.key, but those of labels without.
func (t *Tx) scanAdjacent(dst []Adjacent, v VertexID, d Direction, prefix []byte, without []Symbol, limit int, after *Adjacent) ([]Adjacent, error) {
	t.key = prefix
	t.key2 = table.PrefixEnd(t.key2[:0], prefix)
	if after != nil {
		t.tx.Observe(prefix, t.key2)
		t.key = append(table.AppendAdjacency(t.key[:0], table.Adjacency{
			Graph: t.g.number, Vertex: uint64(v), Direction: family(d),
			Label: uint32(after.Label), Edge: uint64(after.Edge), Other: uint64(after.Other),
		}), 0)
	}
	it := t.tx.Scan(storage.ScanOptions{From: t.key, To: t.key2, Unobserved: after != nil})
	defer it.Close()
	for (limit < 0 || len(dst) < limit) && it.Next() {
		t.cells++
		a, ok := decodeAdjacent(it.Key(), d)
		if !ok {
			return dst, corrupt("adjacency", nil)
		}
		if !slices.Contains(without, a.Label) {
			dst = append(dst, a)
		}
	}
	return dst, it.Err()
}

// adjacencyTail is the length of label, edge and other vertex at the end of a key.
const adjacencyTail = 4 + 8 + 8

// decodeAdjacent reads the end of a key of the adjacency table; its front is known.
func decodeAdjacent(key []byte, d Direction) (Adjacent, bool) {
	if len(key) < adjacencyTail {
		return Adjacent{}, false
	}
	k := key[len(key)-adjacencyTail:]
	return Adjacent{
		Label: Symbol(binary.BigEndian.Uint32(k)),
		Edge:  EdgeID(binary.BigEndian.Uint64(k[4:])),
		Other: VertexID(binary.BigEndian.Uint64(k[12:])),
		Dir:   d,
	}, true
}
