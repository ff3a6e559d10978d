package load

import (
	"bytes"
	"hash/maphash"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage/value"
)

// edgeIDs are the ids of the edges of a load. They stand in the spool of the edges,
// each before the properties; what is kept of them in memory is what tells whether an id
// comes twice.
type edgeIDs struct {
	form ids.Scheme
	user bool // some were supplied

	// The last id, as long as they ascend: by number, or by length and text. Ids that
	// do are new, so that most loads keep no table.
	kind     value.Kind
	number   int64
	text     []byte
	shuffled bool

	last []byte // the last row
	runs sortedRuns

	// slots find the place of an edge by the hash of its id, by open addressing: the
	// upper half of the hash, then the place + 1. Where that agrees the id is read. A
	// keyed.Index would take 12 bytes and more for what takes 8 here, see idMap.
	slots  []uint64
	filled int
	seed   maphash.Seed
	buf    [2][]byte
}

// ascends reports whether an id comes behind all others.
func (c *edgeIDs) ascends(id value.Value) bool {
	k := id.Kind()
	switch {
	case c.kind == 0:
		return k == value.KindString || isNumberID(k)
	case k != c.kind:
		return false
	case k == value.KindString:
		s := id.Str()
		return len(s) > len(c.text) || len(s) == len(c.text) && s > string(c.text)
	}
	return id.Int64() > c.number
}

// add keeps the id of the edge at a place.
func (c *edgeIDs) add(id value.Value, place uint32) error {
	if err := c.addRow(id, place); err != nil {
		return err
	}
	if c.shuffled {
		c.insert(c.hash(id), place)
		return nil
	}
	if c.kind = id.Kind(); c.kind == value.KindString {
		c.text = append(c.text[:0], id.Str()...)
	} else {
		c.number = id.Int64()
	}
	return nil
}

func (c *edgeIDs) addRow(id value.Value, place uint32) error {
	row, err := c.form.AppendRow(c.buf[0][:0], id)
	if err != nil {
		return err
	}
	c.runs.add(int(place), bytes.Compare(row, c.last) < 0)
	c.buf[0], c.last = c.last, row
	return nil
}

// canonical is the row that equal ids have in common.
func (c *edgeIDs) canonical(n int, id value.Value) []byte {
	f := c.form
	f.OneRow = f.EqualNumbers
	c.buf[n], _ = f.AppendRow(c.buf[n][:0], id)
	return c.buf[n]
}

func (c *edgeIDs) hash(id value.Value) uint64 {
	return maphash.Bytes(c.seed, c.canonical(1, id))
}

const edgeSlotsMin = 1 << 12

func (c *edgeIDs) insert(hash uint64, place uint32) {
	if 4*(c.filled+1) > 3*len(c.slots) {
		old := c.slots
		c.slots = make([]uint64, max(edgeSlotsMin, 2*len(old)))
		for _, slot := range old {
			if slot != 0 {
				c.put(slot)
			}
		}
	}
	c.filled++
	c.put(hash>>32<<32 | uint64(place+1))
}

// put takes the first free slot behind the place that the upper half of a hash says.
func (c *edgeIDs) put(slot uint64) {
	i := c.first(slot >> 32)
	for c.slots[i&(len(c.slots)-1)] != 0 {
		i++
	}
	c.slots[i&(len(c.slots)-1)] = slot
}

func (c *edgeIDs) first(half uint64) int {
	return int(half * 0x9E3779B97F4A7C15 >> 20 & (1<<40 - 1))
}

// edgeTaken reports whether an edge has the id.
func (l *loader) edgeTaken(id value.Value) (bool, error) {
	c := &l.edgeUserIDs
	if !c.shuffled {
		if c.ascends(id) {
			return false, nil
		}
		if err := l.insertEdges(); err != nil {
			return false, err
		}
	}
	if len(c.slots) == 0 {
		return false, nil
	}
	half := c.hash(id) >> 32
	for i := c.first(half); ; i++ {
		slot := c.slots[i&(len(c.slots)-1)]
		if slot == 0 {
			return false, nil
		}
		if slot>>32 != half {
			continue
		}
		same, err := l.isEdgeID(int(uint32(slot)-1), id)
		if same || err != nil {
			return same, err
		}
	}
}

// insertEdges keeps a table of the ids, for one comes that does not ascend.
func (l *loader) insertEdges() error {
	c := &l.edgeUserIDs
	c.shuffled, c.seed = true, maphash.MakeSeed()
	if err := l.edges.props.Seal(); err != nil {
		return err
	}
	ids := l.edgeIDsFrom(0)
	for place := range l.edges.labels.len() {
		id, err := ids.next()
		if err != nil {
			return err
		}
		c.insert(c.hash(id), uint32(place))
	}
	return nil
}

// isEdgeID reports whether the id of the edge at a place is equal to id.
func (l *loader) isEdgeID(place int, id value.Value) (bool, error) {
	if err := l.edges.props.Seal(); err != nil {
		return false, err
	}
	ids := l.edgeIDsFrom(place / markEvery * markEvery)
	for range place % markEvery {
		if _, err := ids.next(); err != nil {
			return false, err
		}
	}
	known, err := ids.next()
	c := &l.edgeUserIDs
	return err == nil && bytes.Equal(c.canonical(0, known), c.canonical(1, id)), err
}

// edgeIDReader reads the ids of edges from their spool, which is sealed.
type edgeIDReader struct {
	propertyEmitter
	place int // of the next
}

// edgeIDsFrom begins at an edge that has a mark, if there is one.
func (l *loader) edgeIDsFrom(place int) *edgeIDReader {
	r := &edgeIDReader{propertyEmitter{col: &l.edges}, place}
	r.begin(place)
	return r
}

// next returns the id of the next edge, which is there.
func (r *edgeIDReader) next() (value.Value, error) {
	id, err := r.id()
	for n := r.col.properties(r.place); n > 0 && err == nil; n-- {
		_, err = r.props.Read()
	}
	r.place++
	return id, err
}
