package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
)

// Ends calls fn with the edges of each vertex as they lie in the cache.
func (t *Tx) Ends(vs []VertexID, dir Direction, labels []Symbol, fn func(i int, e Ends) error) error {
	var rows [2][stage]*rowcache.Adjacency
	for start := 0; start < len(vs); start += stage {
		batch := vs[start:min(start+stage, len(vs))]
		t.stageRows(batch, dir, &rows)
		for i, v := range batch {
			for k, d := range [...]Direction{Out, In} {
				if dir&d == 0 {
					continue
				}
				if err := t.endsOneWay(v, d, labels, rows[k][i], start+i, fn); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (t *Tx) endsOneWay(v VertexID, d Direction, labels []Symbol, row *rowcache.Adjacency, i int, fn func(i int, e Ends) error) error {
	if row == nil || len(labels) > 1 || !knows(row, labels) || len(t.dirtyVertices) > 0 && !t.cacheable(v, partOf(d)) {
		edges, err := t.adjacentOneWay(t.adjacent[:0], v, d, t.sorted(labels), -1, nil)
		if err != nil {
			return err
		}
		t.adjacent = nil // fn may come back here
		err = fn(i, Ends{Rest: edges})
		t.adjacent = edges[:0]
		return err
	}
	t.observeAdjacent(v, d, labels)
	if small := row.Small(); small != nil && len(labels) == 0 {
		if pairs := small[1+2*small[0]:]; len(pairs) > 0 {
			return fn(i, Ends{Pairs: pairs})
		}
		return nil
	}
	var one [1]rowcache.Chunk
	if len(labels) == 1 {
		return t.endsOfRun(row.RunOf(uint32(labels[0]), &one), labels[0], d, i, fn)
	}
	for k := range row.Labels() {
		label, chunks := row.Run(k, &one)
		if err := t.endsOfRun(chunks, Symbol(label), d, i, fn); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) endsOfRun(chunks []rowcache.Chunk, label Symbol, d Direction, i int, fn func(i int, e Ends) error) error {
	for _, c := range chunks {
		e := Ends{Pairs: c.Narrow}
		if c.Wide != nil {
			e.Rest = appendPairs(nil, c, 0, c.Len(), label, d)
		}
		if err := fn(i, e); err != nil {
			return err
		}
	}
	return nil
}

// Degrees counts the edges of many vertices.
func (t *Tx) Degrees(dst []int64, vs []VertexID, dir Direction, labels []Symbol) ([]int64, error) {
	labels = t.sorted(labels)
	from := len(dst)
	dst = slices.Grow(dst, len(vs))[:from+len(vs)]
	counts := dst[from:]
	clear(counts)
	var rows [stage]*rowcache.Adjacency
	for start := 0; start < len(vs); start += stage {
		batch := vs[start:min(start+stage, len(vs))]
		for _, d := range [...]Direction{Out, In} {
			if dir&d == 0 {
				continue
			}
			t.lookUpRows(batch, d, &rows)
			if err := t.addDegrees(counts[start:], batch, d, labels, &rows); err != nil {
				return dst[:from], err
			}
		}
	}
	return dst, nil
}

// addDegrees adds the degree in one direction of each vertex to its count.
func (t *Tx) addDegrees(counts []int64, batch []VertexID, d Direction, labels []Symbol, rows *[stage]*rowcache.Adjacency) error {
	for i, v := range batch {
		if r := rows[i]; r != nil && len(labels) == 0 && r.Complete() {
			t.observeAdjacent(v, d, nil)
			counts[i] += int64(r.Len())
			continue
		}
		n, err := t.degreeOneWay(v, d, labels)
		if err != nil {
			return err
		}
		counts[i] += n
	}
	return nil
}
