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

type cellOf[T any] struct {
	v    T
	keep func(*T)
}

func (c *cellOf[T]) clear() {
	if c.keep != nil {
		c.keep(&c.v)
		return
	}
	var none T
	c.v = none
}

// Make returns a zero T that the run may use while it lasts.
func Make[T any](r *Run) *T { return MakeKeeping[T](r, nil) }

// MakeKeeping is Make for a T that keeps memory of its own from run to run: keep makes
// it zero but for that, and is the same for all of a type.
func MakeKeeping[T any](r *Run, keep func(*T)) *T {
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
	c := &cellOf[T]{keep: keep}
	m.cells = append(m.cells[:m.used], c)
	m.used++
	return &c.v
}

// keptMax is how many items Kept keeps room for.
const keptMax = 64

// Kept returns s emptied and cleared, for MakeKeeping; nil when it has grown large.
func Kept[T any](s []T) []T {
	if cap(s) > keptMax {
		return nil
	}
	clear(s[:cap(s)])
	return s[:0]
}

// Kept returns an Input that has nothing of in but room.
func (in *Input) Kept() Input { return Input{buf: in.buf.Kept()} }

// Kept returns a Batch that has nothing of b but room.
func (b *Batch) Kept() Batch { return Batch{Kept(b.Objects), Kept(b.bulks), Kept(b.rest)} }

// Release lets the memory be used again. Nobody may refer to the runs that had it.
func (m *Memory) Release() {
	for _, c := range m.cells[:m.used] {
		c.clear()
	}
	m.used = 0
}
