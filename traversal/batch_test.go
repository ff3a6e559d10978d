package traversal

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
)

// TestBatch compares columns with a list of traversers.
func TestBatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Batch
		var list []Traverser
		for range rapid.IntRange(0, 40).Draw(t, "operations") {
			switch rapid.IntRange(0, 8).Draw(t, "operation") {
			case 0:
				if rapid.IntRange(0, 3).Draw(t, "release") == 0 {
					b.Release(4)
				} else {
					b.Clear()
				}
				list = nil
			case 1:
				n := rapid.IntRange(0, len(list)).Draw(t, "kept")
				b.Truncate(n)
				list = list[:n]
			case 2:
				if len(list) > 0 {
					i, u := rapid.IntRange(0, len(list)-1).Draw(t, "place"), drawWalker(t)
					b.Set(i, u)
					list[i] = u
				}
			case 3:
				u, from := drawWalker(t), b.Len()
				for range rapid.IntRange(0, 3).Draw(t, "filled") {
					b.Objects = append(b.Objects, u.Value)
					list = append(list, u)
				}
				b.Fill(from, u.Bulk, u.X)
			case 4:
				var a Batch
				ts := []Traverser{drawWalker(t), drawWalker(t), drawWalker(t)}
				a.Append(ts)
				from := rapid.IntRange(0, 3).Draw(t, "from")
				to := rapid.IntRange(from, 3).Draw(t, "to")
				b.AppendFrom(&a, from, to)
				list = append(list, ts[from:to]...)
			default:
				u := drawWalker(t)
				b.Add(u)
				list = append(list, u)
			}
			check(t, &b, list)
		}
	})
}

// drawWalker gives a traverser that is mostly nothing but its object.
func drawWalker(t *rapid.T) Traverser {
	if rapid.Bool().Draw(t, "plain") {
		return NewTraverser(value.Long(rapid.Int64Range(0, 9).Draw(t, "object")))
	}
	return drawTraverser(t)
}

func check(t *rapid.T, b *Batch, list []Traverser) {
	t.Helper()
	same(t, all(b), list)
	plain, singles, bulks := true, true, int64(0)
	for i, u := range list {
		plain, singles = plain && u.Bulk == 1 && u.X == nil, singles && u.Bulk == 1
		if bulks += u.Bulk; b.Bulk(i) != u.Bulk || b.At(i).X != u.X {
			t.Fatalf("the traverser at %d is %+v, not %+v", i, b.At(i), u)
		}
	}
	if b.Plain() && !plain || b.Singles() && !singles || b.Bulks(0) != bulks {
		t.Fatalf("plain %v, singles %v, %d bulks, of %+v", b.Plain(), b.Singles(), b.Bulks(0), list)
	}
}

func all(b *Batch) []Traverser {
	var ts []Traverser
	for i := range b.Len() {
		ts = append(ts, b.At(i))
	}
	return ts
}
