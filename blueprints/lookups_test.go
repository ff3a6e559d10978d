package blueprints

import (
	"context"
	"errors"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestLookUps_End: a request that is over looks up no more than some of the ids and values
// that it names, though none of them is there.
func TestLookUps_End(t *testing.T) {
	_, g := openCached(t, 1<<20)
	if err := g.CreateKeyIndex(t.Context(), VertexClass, "k"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	tx := ok[*Tx](t)(g.Begin(ctx, TxOptions{ReadOnly: true}))
	defer tx.Close()
	values := make([]value.Value, 3*lookUpsAtOnce)
	for i := range values {
		values[i] = value.Int(int32(i))
	}
	cancel()
	for name, find := range map[string]func(v value.Value) error{
		"vertex": func(v value.Value) error { _, _, err := tx.FindVertex(v); return err },
		"edge":   func(v value.Value) error { _, _, err := tx.FindEdge(v); return err },
	} {
		var err error
		for i := 0; i < len(values) && err == nil; i++ {
			err = find(values[i])
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, n, err := tx.FewVertices(nil, "k", values, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("values: %d were looked up, %v", n, err)
	}
}
