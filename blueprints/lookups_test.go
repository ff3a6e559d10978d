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

// TestIndices_Lookups: whatever asks a named index is counted, also when it finds nothing.
func TestIndices_Lookups(t *testing.T) {
	_, g := openCached(t, 0)
	for _, name := range []string{"asked", "other"} {
		if err := g.CreateIndex(t.Context(), name, VertexClass); err != nil {
			t.Fatal(err)
		}
	}
	tx := reader(t, g)
	defer tx.Close()
	x := ok[*Index](t)(tx.Index("asked", VertexClass))
	for _, ask := range []func() error{
		func() error { return x.Get("k", value.Int(1)).Close() },
		func() error { return x.Query("k", ValueRange{}, nil).Close() },
		func() error { _, err := x.Count("k", value.Int(1)); return err },
	} {
		before := ok[[]IndexInfo](t)(g.Indices())
		if err := ask(); err != nil {
			t.Fatal(err)
		}
		after := ok[[]IndexInfo](t)(g.Indices())
		if after[0].Lookups != before[0].Lookups+1 || after[1].Lookups != 0 {
			t.Errorf("%+v, before %+v", after, before)
		}
	}
}
