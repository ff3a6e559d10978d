package account

import (
	"errors"
	"slices"
	"testing"
	"unsafe"
)

// TestAppend: what is charged is the room that there is, and both arrays while one replaces
// the other.
func TestAppend(t *testing.T) {
	const n, size = 100_000, int64(unsafe.Sizeof([3]int{}))
	a := New(nil, "queryMemory", Unlimited)
	var list [][3]int
	for i := range n {
		var err error
		if list, err = Append(a, list, [3]int{i}); err != nil {
			t.Fatal(err)
		}
		if a.Used() != int64(cap(list))*size {
			t.Fatalf("%d bytes charged for room of %d", a.Used(), cap(list))
		}
	}
	if cap(list) > 2*n {
		t.Errorf("room of %d for %d", cap(list), n)
	}
	Free(a, list)
	check(t, 0, a)

	tight := New(nil, "queryMemory", 3*1000*size)
	list = nil
	var err error
	for err == nil {
		list, err = Append(tight, list, [3]int{})
	}
	if !errors.Is(err, ErrLimit) || len(list) < 1000 || len(list) > 2000 {
		t.Errorf("%d elements where both arrays have room of 3000: %v", len(list), err)
	}
	check(t, int64(cap(list))*size, tight)
}

// TestPile compares with a list.
func TestPile(t *testing.T) {
	const size = int64(unsafe.Sizeof(0))
	for _, n := range []int{0, 1, 3, 4, 5, 100, pieceMax - 1, pieceMax, pieceMax + 1, 5*pieceMax + 7} {
		a := New(nil, "queryMemory", Unlimited)
		var p Pile[int]
		var want []int
		for i := range n {
			if err := p.Add(a, i); err != nil {
				t.Fatal(err)
			}
			want = append(want, i)
			if over := a.Used() - int64(p.Len())*size; over < 0 || over > max(a.Used()/2+4*size, pieceMax*size) {
				t.Fatalf("%d bytes charged for %d elements", a.Used(), p.Len())
			}
		}
		got, err := p.List(a)
		if err != nil || !slices.Equal(got, want) || p.Len() != 0 {
			t.Errorf("%d elements: %d, %v", n, len(got), err)
		}
		check(t, int64(cap(got))*size, a)
		Free(a, got)
		check(t, 0, a)
	}
	room := New(nil, "queryMemory", 10*pieceMax*size)
	var p Pile[int]
	for range 6 * pieceMax {
		if err := p.Add(room, 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.List(room); !errors.Is(err, ErrLimit) {
		t.Errorf("a list beside the pile has room: %v", err)
	}
}
