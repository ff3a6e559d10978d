package blueprints

import (
	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Reading many rows at once. Rows that lie near each other are read by one walk over
// the store instead of a look-up each; all go into the cache, where those find them that
// read one element at a time.

const (
	// fetchGap is how many rows that nobody asked for a walk passes, rather than look
	// up the next one.
	fetchGap = 16
	// fetchRun is from how many edges on that lie near each other a walk is worth a
	// question of its own.
	fetchRun = 32
	// fetchCells is how many cells that nobody asked for a walk passes.
	fetchCells = 256
)

// FetchVertices reads vertices, whose ids ascend, with their edges when adjacent is set,
// so that who asks for them next finds them in memory. It changes no answer.
func (t *Tx) FetchVertices(vs []VertexID, adjacent bool) error {
	if t.cache == nil || t.over {
		return nil
	}
	if !adjacent { // a walk would pass the edges
		return inPieces(vs, func(vs []VertexID) error { return t.fillVertices(vs, partHeader, 0) })
	}
	return fetch(vs, func(v VertexID) bool {
		return t.cache.vertices.Get(uint64(v), t.seq) != nil &&
			t.cache.out.Get(uint64(v), t.seq) != nil && t.cache.in.Get(uint64(v), t.seq) != nil
	}, func(run []VertexID) error {
		w := &vertexWalk{t: t}
		for len(run) > 0 {
			n, err := w.walk(run)
			if err != nil {
				return err
			}
			run = run[n:]
		}
		return nil
	})
}

// inPieces hands on ids as many as are read at once.
func inPieces[ID ~uint64](ids []ID, read func(ids []ID) error) error {
	for len(ids) > 0 {
		n := min(len(ids), fillMax)
		if err := read(ids[:n]); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// FetchEdges is FetchVertices for edges.
func (t *Tx) FetchEdges(es []EdgeID) error {
	if t.cache == nil || t.over {
		return nil
	}
	var alone []EdgeID
	err := fetch(es, func(e EdgeID) bool { return t.cache.edges.Get(uint64(e), t.seq) != nil }, func(run []EdgeID) error {
		if len(run) < fetchRun {
			alone = append(alone, run...)
			return nil
		}
		return t.fetchEdges(run)
	})
	if err != nil {
		return err
	}
	return inPieces(alone, t.fillEdges)
}

// fetch hands runs of ids that are close to each other, of those that are not known, to
// read.
func fetch[ID ~uint64](ids []ID, known func(ID) bool, read func(run []ID) error) error {
	var run []ID
	for _, id := range ids {
		if known(id) {
			continue
		}
		if n := len(run); n > 0 && uint64(id-run[n-1]) > fetchGap {
			if err := read(run); err != nil {
				return err
			}
			run = run[:0]
		}
		run = append(run, id)
	}
	if len(run) == 0 {
		return nil
	}
	return read(run)
}

// fetchEdges walks over a run of edges.
func (t *Tx) fetchEdges(run []EdgeID) error {
	from := table.AppendEdgeRow(nil, t.g.number, uint64(run[0]))
	to := table.PrefixEnd(nil, table.AppendEdgeRow(nil, t.g.number, uint64(run[len(run)-1])))
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
	defer it.Close()
	r, size := &edgeRow{}, int64(0)
	for it.Next() {
		id, _, ok := table.EdgeCell(it.Key())
		if !ok {
			return corrupt("edge", nil)
		}
		for len(run) > 0 && uint64(run[0]) < id {
			installRow(t, &edgeKind, t.cache.edges, uint64(run[0]), r, size, fillingEdge)
			r, size, run = &edgeRow{}, 0, run[1:]
		}
		if len(run) == 0 || uint64(run[0]) > id {
			continue
		}
		if err := edgeKind.take(r, t.g, it.Key(), it.Value(), &size); err != nil {
			return err
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	for _, e := range run {
		installRow(t, &edgeKind, t.cache.edges, uint64(e), r, size, fillingEdge)
		r, size = &edgeRow{}, 0
	}
	return nil
}

// vertexWalk walks over vertices and their edges.
type vertexWalk struct {
	t      *Tx
	row    *vertexRow
	size   int64
	edges  [2][]rowcache.Edge // outgoing, incoming
	cut    bool               // the edges are not all of the vertex
	passed int                // cells since the last that somebody asked for
}

// walk reads the first vertices of a run, and returns how many.
func (w *vertexWalk) walk(run []VertexID) (n int, err error) {
	t := w.t
	from := table.AppendVertexRow(nil, t.g.number, uint64(run[0]))
	to := table.PrefixEnd(nil, table.AppendVertexRow(nil, t.g.number, uint64(run[len(run)-1])))
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
	defer it.Close()
	w.begin()
	for it.Next() {
		id, f, ok := table.VertexCell(it.Key())
		if !ok {
			return n, corrupt("vertex", nil)
		}
		for n < len(run) && uint64(run[n]) < id {
			w.end(run[n])
			n++
		}
		if n == len(run) {
			return n, nil
		}
		wanted := uint64(run[n]) == id
		if wanted {
			taken, err := w.take(f, it.Key(), it.Value())
			if err != nil {
				return n, err
			}
			if taken {
				continue
			}
			w.cut = true
		}
		if w.passed++; w.passed <= fetchCells {
			continue
		}
		if wanted {
			w.end(run[n])
			n++
		}
		return n, nil // the next walk begins behind what is passed
	}
	if err := it.Err(); err != nil {
		return n, err
	}
	for ; n < len(run); n++ {
		w.end(run[n])
	}
	return n, nil
}

func (w *vertexWalk) begin() {
	w.row, w.size, w.cut, w.passed = &vertexRow{}, 0, false, 0
	w.edges[0], w.edges[1] = w.edges[0][:0], w.edges[1][:0]
}

// take reads a cell of a vertex that is wanted, unless nobody asked for the cell.
func (w *vertexWalk) take(f table.Family, key, val []byte) (taken bool, err error) {
	if f != table.OutEdge && f != table.InEdge {
		if w.row.partial {
			return false, nil
		}
		return true, vertexKind.take(w.row, w.t.g, key, val, &w.size)
	}
	d, side := Out, 0
	if f == table.InEdge {
		d, side = In, 1
	}
	if w.cut || len(w.edges[side]) >= limitedCellsMax {
		return false, nil
	}
	w.t.cells++
	a, ok := decodeAdjacent(key, d)
	if !ok {
		return true, corrupt("adjacency", nil)
	}
	w.edges[side] = append(w.edges[side], rowcache.Edge{Label: uint32(a.Label), Edge: uint64(a.Edge), Other: uint64(a.Other)})
	return true, nil
}

// end puts what was read of a vertex into the cache, edges only when they are all.
func (w *vertexWalk) end(v VertexID) {
	t := w.t
	installRow(t, &vertexKind, t.cache.vertices, uint64(v), w.row, w.size, fillingVertex)
	for side, d := range [...]Direction{Out, In} {
		if w.cut {
			break
		}
		row := rowcache.NewAdjacency(w.edges[side], true)
		t.pause(fillingAdjacency)
		t.cache.adjacency(d).Install(uint64(v), t.seq, func(*rowcache.Adjacency) (rowcache.Adjacency, rowcache.Size, bool) {
			return row, row.Size(), true
		})
	}
	w.begin()
}
