package blueprints

import (
	"errors"
	"slices"

	"github.com/gremlind/gremlind/storage/account"
)

const (
	// shadePage is how many vertices one page of a shade is about.
	shadePage = 4096
	// shadeFrom is how many labels are looked up before a shade is thought of.
	shadeFrom = 64
)

// shade is which vertices have one of some labels, as bits. Who is denied these labels looks
// up there where edges lead to.
type shade struct {
	of    []Symbol
	pages []*[shadePage / 64]uint64 // nil where there is no such vertex
	bytes int64
	paid  account.Ledger
}

func (s *shade) has(v VertexID) bool {
	p := uint64(v) / shadePage
	if p >= uint64(len(s.pages)) || s.pages[p] == nil {
		return false
	}
	return s.pages[p][v%shadePage/64]&(1<<(v%64)) != 0
}

// add puts vertices in.
func (s *shade) add(vs []VertexID) error {
	for _, v := range vs {
		p := int(v / shadePage)
		if p >= len(s.pages) {
			if err := s.pay(8 * int64(p+1-len(s.pages))); err != nil {
				return err
			}
			s.pages = append(s.pages, make([]*[shadePage / 64]uint64, p+1-len(s.pages))...)
		}
		if s.pages[p] == nil {
			if err := s.pay(shadePage / 8); err != nil {
				return err
			}
			s.pages[p] = new([shadePage / 64]uint64)
		}
		s.pages[p][v%shadePage/64] |= 1 << (v % 64)
	}
	return nil
}

// pay charges for more bytes.
func (s *shade) pay(more int64) error {
	s.bytes += more
	return s.paid.Cover(s.bytes)
}

// count returns how many of the other ends of pairs of edge and vertex are in the shade.
func (s *shade) count(pairs []uint32) (n int) {
	for i := 1; i < len(pairs); i += 2 {
		if s.has(VertexID(pairs[i])) {
			n++
		}
	}
	return n
}

// shadeOf returns the shade of labels, made now if it is not there yet.
func (t *Tx) shadeOf(labels []Symbol) (*shade, error) {
	if t.shade != nil && slices.Equal(t.shade.of, labels) {
		return t.shade, nil
	}
	t.forgetShade()
	s := &shade{of: labels, paid: account.Ledger{Account: t.options.Account}}
	it := t.Vertices(labels...)
	buf := make([]VertexID, 4*stage)
	err := t.ctx.Err()
	for n := it.Next(buf); n > 0 && err == nil; n = it.Next(buf) {
		if err = s.add(buf[:n]); err == nil {
			err = t.ctx.Err()
		}
	}
	if err = errors.Join(err, it.Err(), it.Close()); err != nil {
		s.paid.Clear()
		return nil, err
	}
	t.shade = s
	return s, nil
}

// shadeNew puts a vertex that was added into the shade, if it is one of its.
func (t *Tx) shadeNew(v VertexID, label Symbol) error {
	if t.shade == nil || !slices.Contains(t.shade.of, label) {
		return nil
	}
	return t.shade.add([]VertexID{v})
}

func (t *Tx) forgetShade() {
	if t.shade != nil {
		t.shade.paid.Clear()
		t.shade = nil
	}
}
