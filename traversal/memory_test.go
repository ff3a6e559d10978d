package traversal

import "testing"

func TestMemory(t *testing.T) {
	type a struct{ n int }
	type b struct{ s string }
	var m Memory
	r := &Run{Env: Env{Memory: &m}}
	x, y := Make[a](r), Make[b](r)
	if z := Make[a](r); z == x {
		t.Fatal("one thing given twice")
	}
	x.n, y.s = 1, "s"
	m.Release()
	if got := Make[a](r); got != x || got.n != 0 {
		t.Errorf("got %p %v, want %p cleared", got, got, x)
	}
	if got := Make[a](r); got.n != 0 { // where a b was
		t.Errorf("got %v", got)
	}
	m.Release()
	given := map[*a]bool{}
	for range 3 * memoryMax {
		given[Make[a](r)] = true
	}
	if len(given) != 3*memoryMax || len(m.cells) > memoryMax {
		t.Errorf("%d things given, %d kept", len(given), len(m.cells))
	}
	if none := (&Run{}); Make[a](none) == Make[a](none) {
		t.Error("one thing given twice without memory")
	}
}

func TestMemory_Kept(t *testing.T) {
	type buffered struct {
		in Input
		s  []int
	}
	keep := func(b *buffered) { *b = buffered{in: b.in.Kept(), s: Kept(b.s)} }
	var m Memory
	r := &Run{Env: Env{Memory: &m}}
	b := MakeKeeping(r, keep)
	b.s, b.in.pos, b.in.Up = append(b.s, 1, 2, 3), 1, &reduce{}
	m.Release()
	c := MakeKeeping(r, keep)
	if c != b || len(c.s) != 0 || cap(c.s) < 3 || c.s[:3][1] != 0 || c.in.pos != 0 || c.in.Up != nil {
		t.Errorf("kept %+v", c)
	}
	c.s = make([]int, keptMax+1)
	m.Release()
	if cap(c.s) != 0 {
		t.Errorf("%d items are kept", cap(c.s))
	}
}
