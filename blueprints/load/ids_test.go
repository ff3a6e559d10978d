package load

import (
	"fmt"
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
