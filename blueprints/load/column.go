package load

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
)

// pieces is a list that grows without being copied.
type pieces[T any] struct {
	all [][]T // each of pieceLen, but for the last
	n   int
}

const pieceLen = 1 << 16

func (p *pieces[T]) len() int { return p.n }

func (p *pieces[T]) at(i int) T { return p.all[i/pieceLen][i%pieceLen] }

func (p *pieces[T]) add(v T) {
	if p.n%pieceLen == 0 {
		p.all = append(p.all, make([]T, 0, pieceLen))
	}
	last := &p.all[len(p.all)-1]
	*last = append(*last, v)
	p.n++
}

// labelColumn is the labels of elements: a byte for each as long as there are few.
type labelColumn struct {
	few   pieces[uint8] // places in known
	known []blueprints.Symbol
	last  int                       // place of the last one
	many  pieces[blueprints.Symbol] // instead, from the element on that has one label too many
}

// labelsFew is how many labels a byte tells apart.
const labelsFew = 256

func (c *labelColumn) len() int { return c.few.len() + c.many.len() }

func (c *labelColumn) at(i int) blueprints.Symbol {
	if n := c.few.len(); i >= n {
		return c.many.at(i - n)
	}
	return c.known[c.few.at(i)]
}

func (c *labelColumn) add(s blueprints.Symbol) {
	if c.many.len() > 0 {
		c.many.add(s)
		return
	}
	if c.last >= len(c.known) || c.known[c.last] != s {
		c.last = slices.Index(c.known, s)
	}
	if c.last < 0 && len(c.known) == labelsFew {
		c.last = 0
		c.many.add(s)
		return
	}
	if c.last < 0 {
		c.last = len(c.known)
		c.known = append(c.known, s)
	}
	c.few.add(uint8(c.last))
}
