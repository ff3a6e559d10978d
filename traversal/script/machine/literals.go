package machine

import (
	"sort"

	"github.com/gremlind/gremlind/storage/value"
)

// Literals of a text may stand in variables of its outermost frame, so that its program
// serves all texts that differ in them alone.

// Literal adds a variable without a name to a block that is a script's outermost.
func (s *Block) Literal() *Variable { return &Variable{in: s} }

// RunWith is Run for a program with the literals of another text; those that the program
// knows itself are passed over.
func (m *Machine) RunWith(p *Program, literals []value.Value) (value.Value, error) {
	f := NewFrame(m, nil, p.Scope)
	for i, v := range p.Literals {
		if v != nil {
			f.vars[v.index] = literals[i]
		}
	}
	return m.run(p, f)
}

// Moved leads from places in the text that a program was read from to those in another
// of the same shape, where literals may be longer or shorter. The zero Moved leads nowhere.
type Moved struct {
	From     *Source
	To       string
	FromEnds []int // of the literals of From
	ToEnds   []int // of those of To
}

// place returns the text that a place of src is shown in, and has at be the offset there.
func (m *Moved) place(src *Source, at *int) *Source {
	if m.From == nil || m.From != src {
		return src
	}
	if n := sort.SearchInts(m.FromEnds, *at+1); n > 0 {
		*at += m.ToEnds[n-1] - m.FromEnds[n-1]
	}
	return &Source{Text: m.To}
}
