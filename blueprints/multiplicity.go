package blueprints

import (
	"encoding/binary"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage/table"
)

// parallelsLook is how many edges of one end are read before the other is tried.
const parallelsLook = 256

// alone reports whether an edge of the transaction is one too many. What it reads of others'
// edges is validated; where reads are not, two that add such edges write one key.
func (t *Tx) alone(lr *LabelRules, c EdgeCell) error {
	m := lr.Multiplicity
	if m == schema.Simple {
		n, err := t.parallels(c)
		if err != nil {
			return err
		}
		if n > 1 {
			return t.tooMany(lr, c.Out, n)
		}
		return t.exclude(c.Out, Out, c.Label, uint64(c.In))
	}
	if m.OneOut() {
		if err := t.onlyOne(lr, c.Out, Out, c.Label); err != nil {
			return err
		}
	}
	if m.OneIn() {
		return t.onlyOne(lr, c.In, In, c.Label)
	}
	return nil
}

func (t *Tx) onlyOne(lr *LabelRules, v VertexID, dir Direction, label Symbol) error {
	n, err := t.edgesOf(v, dir, label)
	if err != nil {
		return err
	}
	if n > 1 {
		return t.tooMany(lr, v, n)
	}
	return t.exclude(v, dir, label, 0)
}

// edgesOf counts the edges of a label in one direction.
func (t *Tx) edgesOf(v VertexID, dir Direction, label Symbol) (n int64, err error) {
	x := Expansion{Dir: dir, Labels: []Symbol{label}, Want: WantCount}
	err = t.Expand([]VertexID{v}, x, SinkFunc(func(_ int, e Expanded) error {
		n = e.Count
		return nil
	}))
	return n, err
}

func (t *Tx) tooMany(lr *LabelRules, v VertexID, n int64) error {
	id, err := t.VertexUserID(v)
	if err != nil {
		return err
	}
	return lr.TooMany(id, n)
}

// parallels counts the edges of c's label from its one vertex to its other: at the end that
// has few, when one does.
func (t *Tx) parallels(c EdgeCell) (int64, error) {
	for _, end := range []struct {
		at, other VertexID
		dir       Direction
		max       int
	}{{c.Out, c.In, Out, parallelsLook}, {c.In, c.Out, In, parallelsLook}, {c.Out, c.In, Out, 0}} {
		n, read := int64(0), 0
		x := Expansion{Dir: end.dir, Labels: []Symbol{c.Label}, Max: end.max}
		err := t.Expand([]VertexID{end.at}, x, SinkFunc(func(_ int, e Expanded) error {
			read += len(e.Edges)
			for _, a := range e.Edges {
				if a.Other == end.other {
					n++
				}
			}
			return nil
		}))
		if err != nil || end.max == 0 || read < end.max {
			return n, err
		}
	}
	return 0, nil
}

// exclude makes the transaction conflict with others that add an edge at the same place,
// where what they read is not validated: both delete a key that nobody ever sets.
func (t *Tx) exclude(v VertexID, dir Direction, label Symbol, other uint64) error {
	if !t.unvalidated() {
		return nil
	}
	name := append([]byte("one edge/"), byte(dir))
	name = binary.BigEndian.AppendUint32(name, uint32(label))
	name = binary.BigEndian.AppendUint64(name, uint64(v))
	name = binary.BigEndian.AppendUint64(name, other)
	t.key = table.AppendMeta(t.key[:0], t.g.number, string(name))
	return t.tx.Delete(t.key)
}
