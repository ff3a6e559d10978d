package rowcache

import "testing"

// TestBudget_Returns: rows of elements that are read again return as long as no more others were
// read meanwhile than there is room for, and never what was not read before.
func TestBudget_Returns(t *testing.T) {
	const rows, ghost, other = 100, uint64(1)<<60 | 1, uint64(3)<<60 | 1
	b := NewBudget(1 << 20)
	table := NewTable[int](b, &Commits{})
	if b.Returns(ghost, 10) || b.Returns(ghost, 10) {
		t.Error("there are no rows, and some return")
	}
	for id := range uint64(rows) {
		table.Install(id, 1, func(*int) (int, Size, bool) { return 0, Size{100, 100}, true })
	}
	if b.Returns(other, 10) {
		t.Error("what was never read returns")
	}
	b.Returns(ghost, 10)
	room := int(b.max / (b.Stats().Bytes / rows)) // of as large ones
	for _, c := range []struct {
		meanwhile int
		returns   bool
	}{{0, true}, {room / 2, true}, {room + room/50, false}, {room / 2, true}, {100 * room, false}} {
		b.Read(c.meanwhile)
		if got := b.Returns(ghost, 10); got != c.returns {
			t.Errorf("room is for %d rows, %d were read meanwhile: %v", room, c.meanwhile, got)
		}
	}
}
