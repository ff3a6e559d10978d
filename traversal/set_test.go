package traversal

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
)

// TestTraverserSet compares the queue with a list that is searched from its head.
func TestTraverserSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var set TraverserSet
		var list []Traverser
		for range rapid.IntRange(0, 300).Draw(t, "operations") {
			switch rapid.IntRange(0, 12).Draw(t, "operation") {
			case 0:
				n := rapid.IntRange(1, 20).Draw(t, "pop")
				var b Batch
				set.Pop(&b, n)
				n = min(n, len(list))
				same(t, all(&b), list[:n])
				list = list[n:]
			case 1:
				if rapid.IntRange(0, 9).Draw(t, "clear") == 0 {
					set.Clear()
					list = nil
				}
			default:
				u := drawTraverser(t)
				set.Add(u)
				list = merged(list, u)
			}
			same(t, set.Rest(), list)
			if set.Len() != len(list) {
				t.Fatalf("length %d, want %d", set.Len(), len(list))
			}
		}
	})
}

// drawTraverser gives one of few objects, with one of few paths.
func drawTraverser(t *rapid.T) Traverser {
	u := NewTraverser(value.Long(rapid.Int64Range(0, 40).Draw(t, "object")))
	u.Bulk = rapid.Int64Range(1, 3).Draw(t, "bulk")
	if n := rapid.Int64Range(0, 3).Draw(t, "path"); n > 0 {
		u = u.extend(u.Value, value.Long(n), []string{"a"})
	}
	return u
}

func merged(list []Traverser, u Traverser) []Traverser {
	for i := range list {
		if list[i].Mergeable(&u) {
			list[i].Bulk += u.Bulk
			return list
		}
	}
	return append(list, u)
}

func same(t *rapid.T, got, want []Traverser) {
	if len(got) != len(want) {
		t.Fatalf("got %d traversers, want %d", len(got), len(want))
	}
	for i := range got {
		if !got[i].Mergeable(&want[i]) || got[i].Bulk != want[i].Bulk {
			t.Fatalf("traverser %d is %v*%d, want %v*%d", i, got[i].Value, got[i].Bulk, want[i].Value, want[i].Bulk)
		}
	}
}
