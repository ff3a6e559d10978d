package steps

import (
	"math/bits"
	"sync"

	"github.com/gremlind/gremlind/blueprints"
)

// frontier is how many walkers stand at each vertex. A few vertices are in a hash
// table; many, whose internal ids are dense, in an array by id. Bulks wrap as Java's
// long does, and a vertex whose bulks cancel out is lost, and with it nothing.
type frontier struct {
	table bulkTable
	bulks []int64  // by vertex; nil while few
	keys  []uint32 // vertices in bulks, in the order of coming, some perhaps twice
	// full is set when keys are so many that bulks is rather walked in order, for vertices
	// that follow each other lie together in memory: then keys takes no more.
	full bool

	// Where next is: at in bulks or keys, tableAt in the table.
	at, tableAt int
}

const (
	// frontierShare says how sparse an array may be: one vertex in so many.
	frontierShare = 256
	// frontierMax is the greatest id kept in an array.
	frontierMax = 1 << 27
)

// frontierArray is what a frontier without walkers leaves for another: zeros and room.
type frontierArray struct {
	bulks []int64
	keys  []uint32
}

var frontierArrays sync.Pool

func (f *frontier) add(id uint64, bulk int64) {
	if id < uint64(len(f.bulks)) {
		b := &f.bulks[id]
		if *b == 0 && !f.full {
			f.came(uint32(id))
		}
		*b += bulk
		return
	}
	f.addFar(id, bulk)
}

// frontierFull is how full an array is when its keys are given up: one in so many.
const frontierFull = 8

func (f *frontier) came(id uint32) {
	f.keys = append(f.keys, id)
	f.full = len(f.keys)*frontierFull > len(f.bulks)
}

// addFar adds a vertex beyond the array.
func (f *frontier) addFar(id uint64, bulk int64) {
	if f.bulks != nil && id < frontierMax {
		f.spread(id)
		f.add(id, bulk)
		return
	}
	size := len(f.table.keys)
	f.table.add(id, bulk)
	if len(f.table.keys) == size || size == 0 {
		return
	}
	greatest := uint64(0)
	for i, b := range f.table.bulks {
		if b != 0 {
			greatest = max(greatest, f.table.keys[i])
		}
	}
	if greatest >= frontierMax {
		return
	}
	// An array that lies ready costs nothing, however sparse it will be.
	ready, _ := frontierArrays.Get().(*frontierArray)
	if ready != nil && greatest < uint64(len(ready.bulks)) {
		f.take(ready)
		return
	}
	if ready != nil {
		frontierArrays.Put(ready)
	}
	if greatest < uint64(f.table.n)*frontierShare {
		f.spread(greatest)
	}
}

// spread makes the array reach a vertex and moves the table into it.
func (f *frontier) spread(id uint64) {
	size := 1 << bits.Len64(id)
	next, _ := frontierArrays.Get().(*frontierArray)
	if next == nil || len(next.bulks) < size {
		next = &frontierArray{bulks: make([]int64, size)}
	}
	f.take(next)
}

// take moves to an array of zeros that is no smaller than the one there is.
func (f *frontier) take(next *frontierArray) {
	copy(next.bulks, f.bulks)
	f.bulks, f.keys = next.bulks, append(next.keys[:0], f.keys...)
	few := f.table
	f.table = bulkTable{}
	for i, b := range few.bulks {
		if b != 0 {
			f.add(few.keys[i], b)
		}
	}
}

// addEnds adds the bulk to each of some vertices.
func (f *frontier) addEnds(e blueprints.Expanded, bulk int64) {
	bulks := f.bulks
	for k := 1; k < len(e.Pairs); k += 2 {
		id := e.Pairs[k]
		if uint64(id) >= uint64(len(bulks)) {
			f.addFar(uint64(id), bulk)
			bulks = f.bulks
			continue
		}
		if !f.full && bulks[id] == 0 {
			f.came(id)
		}
		bulks[id] += bulk
	}
	for i := range e.Edges {
		f.add(uint64(e.Edges[i].Other), bulk)
	}
}

// begin goes to the first vertex for next.
func (f *frontier) begin() { f.at, f.tableAt = 0, 0 }

// next takes up to max vertices with their bulks out; none at the end, when nothing is
// left.
func (f *frontier) next(vs []blueprints.VertexID, ns []int64, max int) ([]blueprints.VertexID, []int64) {
	if f.full {
		for ; len(vs) < max && f.at < len(f.bulks); f.at++ {
			if b := f.bulks[f.at]; b != 0 {
				vs, ns = append(vs, blueprints.VertexID(f.at)), append(ns, b)
				f.bulks[f.at] = 0
			}
		}
	} else {
		for ; len(vs) < max && f.at < len(f.keys); f.at++ {
			k := f.keys[f.at]
			if b := f.bulks[k]; b != 0 {
				vs, ns = append(vs, blueprints.VertexID(k)), append(ns, b)
				f.bulks[k] = 0
			}
		}
	}
	for ; len(vs) < max && f.tableAt < len(f.table.bulks); f.tableAt++ {
		if b := f.table.bulks[f.tableAt]; b != 0 {
			vs, ns = append(vs, blueprints.VertexID(f.table.keys[f.tableAt])), append(ns, b)
		}
	}
	if len(vs) == 0 {
		f.keys, f.full = f.keys[:0], false
		f.table.clear()
	}
	return vs, ns
}

// bulk returns how many walkers are at a vertex.
func (f *frontier) bulk(id uint64) int64 {
	if id < uint64(len(f.bulks)) {
		return f.bulks[id]
	}
	return f.table.bulk(id)
}

// reset forgets all walkers.
func (f *frontier) reset() {
	if f.full {
		clear(f.bulks)
	} else {
		for _, k := range f.keys {
			f.bulks[k] = 0
		}
	}
	f.keys, f.full = f.keys[:0], false
	f.table.clear()
}

// release gives the array of an empty frontier to the next one who needs one.
func (f *frontier) release() {
	if f.bulks != nil {
		frontierArrays.Put(&frontierArray{f.bulks, f.keys[:0]})
	}
	*f = frontier{}
}

// bytes is what a budget is charged for the frontier; an array that lay ready counts as
// one that would have been made.
func (f *frontier) bytes() int {
	return 8*min(len(f.bulks), frontierShare*len(f.keys)) + 4*len(f.keys) + 16*len(f.table.keys)
}
