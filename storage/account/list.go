package account

import "unsafe"

// Append appends v to a list whose room is charged to a: a larger array before it is made,
// and the one that it replaces until its elements are moved. A list that was not begun here
// must have no room. After an error the list is as it was.
func Append[T any](a *Account, list []T, v T) ([]T, error) {
	if len(list) == cap(list) {
		var err error
		if list, err = Grow(a, list, 1); err != nil {
			return list, err
		}
	}
	return append(list, v), nil
}

// Grow makes room in a list for n elements more, and charges for it as Append does.
func Grow[T any](a *Account, list []T, n int) ([]T, error) {
	if cap(list)-len(list) >= n {
		return list, nil
	}
	room := max(len(list)+n, larger(cap(list), sizeOf[T]()))
	if err := a.Charge(int64(room) * sizeOf[T]()); err != nil {
		return list, err
	}
	grown := append(make([]T, 0, room), list...)
	Free(a, list)
	return grown, nil
}

// Free gives back what the room of a list was charged for, which Append or Grow made.
func Free[T any](a *Account, list []T) {
	if cap(list) > 0 {
		a.Release(int64(cap(list)) * sizeOf[T]())
	}
}

const (
	firstBytes = 64      // of the first room
	fewMax     = 1 << 10 // elements, up to which a list doubles
)

// larger is the room that follows another, of elements of some size.
func larger(room int, size int64) int {
	switch {
	case room == 0:
		return int(max(firstBytes/size, 1))
	case room < fewMax:
		return 2 * room
	}
	return room + room/4
}

func sizeOf[T any]() int64 {
	var one T
	return int64(unsafe.Sizeof(one))
}

// Pile is a list that nobody reads before it is whole: it grows by pieces, so that what is
// in it is not moved, nor there twice meanwhile. The zero Pile is empty. What it takes is
// charged to the account that each call is given, which must be the same one.
type Pile[T any] struct {
	full [][]T
	last []T
	len  int // of full
}

// pieceMax bounds a piece, in elements.
const pieceMax = 1 << 14

// Len returns the number of elements.
func (p *Pile[T]) Len() int { return p.len + len(p.last) }

// Add adds an element.
func (p *Pile[T]) Add(a *Account, v T) error {
	if len(p.last) == cap(p.last) {
		if err := p.more(a); err != nil {
			return err
		}
	}
	p.last = append(p.last, v)
	return nil
}

// more makes room for another element at least: a small piece grows, behind a large one
// comes the next.
func (p *Pile[T]) more(a *Account) error {
	if len(p.last) < pieceMax {
		last, err := Grow(a, p.last, min(max(len(p.last), 1), pieceMax-len(p.last)))
		p.last = last
		return err
	}
	piece, err := Grow(a, []T(nil), pieceMax)
	if err != nil {
		return err
	}
	p.full, p.len = append(p.full, p.last), p.len+len(p.last)
	p.last = piece
	return nil
}

// List empties the pile and returns what was in it as one list, whose room stays charged
// as that of a list that Append made. Until it is made both count.
func (p *Pile[T]) List(a *Account) ([]T, error) {
	if len(p.full) == 0 {
		list := p.last
		*p = Pile[T]{}
		return list, nil
	}
	list, err := Grow(a, []T(nil), p.Len())
	if err != nil {
		return nil, err
	}
	for i, piece := range p.full {
		list = append(list, piece...)
		p.full[i] = nil
		Free(a, piece)
	}
	list = append(list, p.last...)
	Free(a, p.last)
	*p = Pile[T]{}
	return list, nil
}
