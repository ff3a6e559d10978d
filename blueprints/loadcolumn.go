package blueprints

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
