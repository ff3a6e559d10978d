package load

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
)

// TestIDColumn: ids of whatever kinds come back as they were.
func TestIDColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 4).Draw(t, "kinds")
		var c idColumn
		var want []value.Value
		for _, k := range kinds {
			for range rapid.IntRange(0, 3).Draw(t, "times") {
				n := rapid.Int32().Draw(t, "id")
				v := [...]value.Value{value.Long(int64(n)), value.Int(n), value.String(fmt.Sprint(n)), value.UUID(uuid.UUID{byte(n)}), value.Bool(n > 0)}[k]
				c.add(v)
				want = append(want, v)
			}
		}
		for i, v := range want {
			if got := c.at(i); !value.Identical(got, v) || got.Kind() != v.Kind() {
				t.Fatalf("id %d of %v is %#v", i, want, got)
			}
		}
	})
}

// orders are ids in the order in which they come: one run, a run for each length, as many as
// are merged, one more, and no order at all.
func orders(n int) map[string][]int {
	in := func(step int) (list []int) {
		for first := range step {
			for i := first; i < n; i += step {
				list = append(list, i)
			}
		}
		return list
	}
	return map[string][]int{"in order": in(1), "few runs": in(runsMax), "one too many": in(runsMax + 1), "shuffled": rand.New(rand.NewPCG(1, 2)).Perm(n)}
}

// TestIDColumn_Sorted: the rows of all ids come in order, each with its place, however the ids
// came; an id that is there twice is an error.
func TestIDColumn_Sorted(t *testing.T) {
	const n = 3000
	for name, order := range orders(n) {
		for kind, id := range map[string]func(int) value.Value{
			"texts":    func(i int) value.Value { return value.String(fmt.Sprint(i - n/2)) },
			"longs":    func(i int) value.Value { return value.Long(int64(i - n/2)) },
			"integers": func(i int) value.Value { return value.Int(int32(i - n/2)) },
			"of kinds": func(i int) value.Value {
				return []value.Value{value.Int(int32(i)), value.String(fmt.Sprint(i))}[i%2]
			},
		} {
			var c idColumn
			for _, i := range order {
				c.add(id(i))
			}
			var last []byte
			count := 0
			each := func(row []byte, at int) error {
				want, err := c.form.AppendRow(nil, id(order[at]))
				if err != nil || !bytes.Equal(row, want) || bytes.Compare(last, row) >= 0 {
					return fmt.Errorf("row %x of place %d is behind %x, want %x, %w", row, at, last, want, err)
				}
				last, count = append(last[:0], row...), count+1
				return nil
			}
			twice := func(id value.Value) error { return fmt.Errorf("%s is there twice", id.Brief()) }
			if err := c.sorted(each, twice); err != nil || count != n {
				t.Errorf("%s, %s: %d rows, %v", kind, name, count, err)
			}
			c.add(id(order[n/3]))
			err := c.sorted(func([]byte, int) error { return nil }, twice)
			if err == nil || err.Error() != id(order[n/3]).Brief()+" is there twice" {
				t.Errorf("%s, %s: the error of an id that is there twice is %v", kind, name, err)
			}
		}
	}
}
