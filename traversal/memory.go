package traversal

// Memory is what running steps are made of, used again by later runs: the same plan
// asks for the same things in the same order. A nil Memory makes everything anew.
type Memory struct {
	cells []cell
	used  int
}

// memoryMax is how many things are kept.
const memoryMax = 16

type cell interface{ clear() }

type cellOf[T any] struct{ v T }

func (c *cellOf[T]) clear() {
	var none T
	c.v = none
}

// Make returns a zero T that the run may use while it lasts.
func Make[T any](r *Run) *T {
	m := r.Memory
	if m == nil || m.used == memoryMax {
		return new(T)
	}
	if m.used < len(m.cells) {
		if c, ok := m.cells[m.used].(*cellOf[T]); ok {
			m.used++
			return &c.v
		}
	}
	c := &cellOf[T]{}
	m.cells = append(m.cells[:m.used], c)
	m.used++
	return &c.v
}

// Release lets the memory be used again. Nobody may refer to the runs that had it.
func (m *Memory) Release() {
	for _, c := range m.cells[:m.used] {
		c.clear()
	}
	m.used = 0
}
