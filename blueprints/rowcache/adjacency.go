package rowcache

import "slices"

// Edge is one edge as its endpoint sees it.
type Edge struct {
	Label       uint32
	Edge, Other uint64
}

const (
	// smallMax is the most edges of the compact form.
	smallMax = 512
	// chunkMax is the most edges of a chunk: what a commit to a big row copies.
	chunkMax = 512
)

// Adjacency is the edges of one vertex in one direction: by label, within a label by
// edge. It is immutable. There are two forms. A small row is one slice without
// pointers,
//
//	number of labels | label, end ... | edge, other ...
//
// where end counts edges from the first. A row of more edges, or of numbers beyond 32
// bits, is runs of chunks.
type Adjacency struct {
	small []uint32
	runs  []run // by label
	// lens repeats the labels of a small row with few and how many edges they have, and
	// labels small[0], so that who counts need not touch the slice's memory.
	lens   [packedMax]uint32
	labels uint16
	packed bool // all labels are in lens
	// all is set when every label is here; otherwise labels without a run are unknown.
	all bool
}

// packedMax is how many labels a row repeats: as many as there is room for beside it.
const packedMax = 3

// packedLen is a label and the number of its edges, noLabel and 0 behind the last one. It is
// the number alone, below packedLens, once its label was xor-ed away.
type packedLen uint64

const (
	packedBits = 10 // smallMax fits
	packedLens = 1 << packedBits
	noLabel    = 1<<(32-packedBits) - 1
)

// newSmall returns a whole row in its compact form.
func newSmall(small []uint32) Adjacency {
	a := Adjacency{small: small, labels: uint16(small[0]), packed: small[0] <= packedMax, all: true}
	for i := range a.lens {
		a.lens[i] = noLabel << packedBits
	}
	for i := 0; i < int(a.labels) && a.packed; i++ {
		label, pairs := a.smallRun(i)
		a.lens[i] = label<<packedBits | uint32(len(pairs)/2)
		a.packed = label < noLabel
	}
	return a
}

// run is the edges of one label.
type run struct {
	label  uint32
	n      int
	chunks []Chunk
}

// Chunk is some edges of one label in ascending order, as pairs of edge and other
// vertex: Narrow, or Wide when a number does not fit.
type Chunk struct {
	Narrow []uint32
	Wide   []uint64
}

// Len returns how many edges the chunk has.
func (c Chunk) Len() int { return (len(c.Narrow) + len(c.Wide)) / 2 }

// At returns edge and other vertex of the i-th edge.
func (c Chunk) At(i int) (edge, other uint64) {
	if c.Wide != nil {
		return c.Wide[2*i], c.Wide[2*i+1]
	}
	return uint64(c.Narrow[2*i]), uint64(c.Narrow[2*i+1])
}

// Small returns the compact form, nil when the row has the other one.
func (a *Adjacency) Small() []uint32 { return a.small }

// SmallPairs returns all edges of a small row, as pairs of edge and other vertex.
func (a *Adjacency) SmallPairs() []uint32 { return a.small[1+2*int(a.labels):] }

// NewAdjacency makes a row of edges, which are by label and edge. all says that every
// label is among them.
func NewAdjacency(edges []Edge, all bool) Adjacency {
	if all && len(edges) <= smallMax && !wide(edges) {
		return newSmall(compact(edges))
	}
	a := Adjacency{all: all}
	for len(edges) > 0 {
		n := 1
		for n < len(edges) && edges[n].Label == edges[0].Label {
			n++
		}
		a.runs = append(a.runs, newRun(edges[0].Label, edges[:n]))
		edges = edges[n:]
	}
	return a
}

func wide(edges []Edge) bool {
	for i := range edges {
		if (edges[i].Edge|edges[i].Other)>>32 != 0 {
			return true
		}
	}
	return false
}

func compact(edges []Edge) []uint32 {
	labels := 0
	for i := range edges {
		if i == 0 || edges[i].Label != edges[i-1].Label {
			labels++
		}
	}
	b := make([]uint32, 1, 1+2*labels+2*len(edges))
	b[0] = uint32(labels)
	for i := range edges {
		if i+1 == len(edges) || edges[i].Label != edges[i+1].Label {
			b = append(b, edges[i].Label, uint32(i+1))
		}
	}
	for i := range edges {
		b = append(b, uint32(edges[i].Edge), uint32(edges[i].Other))
	}
	return b
}

func newRun(label uint32, edges []Edge) run {
	r := run{label: label, n: len(edges), chunks: make([]Chunk, 0, (len(edges)+chunkMax-1)/chunkMax)}
	for c := range slices.Chunk(edges, chunkMax) {
		r.chunks = append(r.chunks, newChunk(c))
	}
	return r
}

func newChunk(edges []Edge) Chunk {
	if wide(edges) {
		b := make([]uint64, 0, 2*len(edges))
		for i := range edges {
			b = append(b, edges[i].Edge, edges[i].Other)
		}
		return Chunk{Wide: b}
	}
	b := make([]uint32, 0, 2*len(edges))
	for i := range edges {
		b = append(b, uint32(edges[i].Edge), uint32(edges[i].Other))
	}
	return Chunk{Narrow: b}
}

// Knows reports whether the edges of a label are here, be they none.
func (a *Adjacency) Knows(label uint32) bool {
	return a.all || a.find(label) != nil
}

// Complete reports whether the edges of every label are here.
func (a *Adjacency) Complete() bool { return a.all }

func (a *Adjacency) find(label uint32) *run {
	i, ok := slices.BinarySearchFunc(a.runs, label, func(r run, l uint32) int {
		return int(int64(r.label) - int64(l))
	})
	if !ok {
		return nil
	}
	return &a.runs[i]
}

// Labels returns how many labels have a run.
func (a *Adjacency) Labels() int {
	if a.small != nil {
		return int(a.labels)
	}
	return len(a.runs)
}

// Run returns the i-th label with its edges, in a slice that belongs to the caller's
// one-chunk buffer when the row is small.
func (a *Adjacency) Run(i int, one *[1]Chunk) (label uint32, chunks []Chunk) {
	if a.small == nil {
		return a.runs[i].label, a.runs[i].chunks
	}
	label, pairs := a.smallRun(i)
	one[0] = Chunk{Narrow: pairs}
	return label, one[:]
}

func (a *Adjacency) smallRun(i int) (label uint32, pairs []uint32) {
	b := a.small
	base := 1 + 2*b[0]
	start := uint32(0)
	if i > 0 {
		start = b[2*i]
	}
	return b[1+2*i], b[base+2*start : base+2*b[2+2*i]]
}

// RunOf returns the edges of a label.
func (a *Adjacency) RunOf(label uint32, one *[1]Chunk) []Chunk {
	if a.small == nil {
		if r := a.find(label); r != nil {
			return r.chunks
		}
		return nil
	}
	for i := range int(a.small[0]) {
		if a.small[1+2*i] == label {
			_, chunks := a.Run(i, one)
			return chunks
		}
	}
	return nil
}

// Len returns how many edges are here.
func (a *Adjacency) Len() int {
	if a.small != nil {
		return (len(a.small) - 1 - 2*int(a.labels)) / 2
	}
	n := 0
	for i := range a.runs {
		n += a.runs[i].n
	}
	return n
}

// LenOf returns how many edges of a label are here.
func (a *Adjacency) LenOf(label uint32) int {
	if a.small == nil {
		if r := a.find(label); r != nil {
			return r.n
		}
		return 0
	}
	return a.SmallLenOf(label)
}

// SmallLenOf is LenOf of a small row.
func (a *Adjacency) SmallLenOf(label uint32) int {
	if !a.packed {
		from, to := a.searchSmall(label)
		return int(to - from)
	}
	return a.PackedLenOf(label)
}

// Packed reports whether PackedLenOf knows the row.
func (a *Adjacency) Packed() bool { return a.packed }

// PackedLenOf is LenOf of most small rows, compiled in place, and without branches: of these
// the processor could not guess which is taken.
func (a *Adjacency) PackedLenOf(label uint32) int {
	n, of := packedLen(0), packedLen(label)<<packedBits
	if m := packedLen(a.lens[0]) ^ of; m < packedLens {
		n = m
	}
	if m := packedLen(a.lens[1]) ^ of; m < packedLens {
		n = m
	}
	if m := packedLen(a.lens[2]) ^ of; m < packedLens {
		n = m
	}
	return int(n)
}

// SmallRunOf returns where the edges of a label begin and end in a small row, the same twice
// when there are none.
func (a *Adjacency) SmallRunOf(label uint32) (from, to uint32) {
	if !a.packed {
		return a.searchSmall(label)
	}
	first, second := a.lens[0]%packedLens, a.lens[1]%packedLens
	of := packedLen(label) << packedBits
	if packedLen(a.lens[1])^of < packedLens {
		from = first
	}
	if packedLen(a.lens[2])^of < packedLens {
		from = first + second
	}
	return from, from + uint32(a.PackedLenOf(label))
}

// Without returns a complete row without the edges of some labels. It shares memory with the
// row where it can.
func (a *Adjacency) Without(left func(label uint32) bool) Adjacency {
	some := false
	var one [1]Chunk
	for i := range a.Labels() {
		label, _ := a.Run(i, &one)
		some = some || left(label)
	}
	switch {
	case !some:
		return *a
	case a.small != nil:
		return NewAdjacency(slices.DeleteFunc(a.edges(), func(e Edge) bool { return left(e.Label) }), true)
	}
	return Adjacency{runs: slices.DeleteFunc(slices.Clone(a.runs), func(r run) bool { return left(r.label) }), all: true}
}

func (a *Adjacency) searchSmall(label uint32) (from, to uint32) {
	for ends := a.small[1 : 1+2*int(a.labels)]; len(ends) >= 2; ends = ends[2:] {
		if to = ends[1]; ends[0] == label {
			return from, to
		}
		from = to
	}
	return 0, 0
}

// Size returns what the row costs.
func (a *Adjacency) Size() Size {
	n := int64(4 * cap(a.small))
	own := n
	for i := range a.runs {
		own += 48 + 48*int64(len(a.runs[i].chunks))
		for _, c := range a.runs[i].chunks {
			n += 4*int64(len(c.Narrow)) + 8*int64(len(c.Wide))
		}
	}
	if a.small == nil {
		n += own
		own += 8 * chunkMax
	}
	return Size{All: n, Own: min(own, n)}
}
