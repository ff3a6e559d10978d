package steps_test

import (
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// TestValueMap_ManyValues: the values of one key are gathered in time that grows with their
// number, and keep their order, also when those of two keys come in turn.
func TestValueMap_ManyValues(t *testing.T) {
	h := newHostile(t)
	made := func(step string, n int) (int64, string) {
		props := many(n, func(i int) value.Value {
			return value.OfVertexProperty(&value.VertexProperty{ID: value.Int(int32(i)), Key: fmt.Sprint("k", i%2), Value: value.Int(int32(i))})
		})
		v := value.DetachedVertex(&value.Element{ID: value.Int(1), Label: "v", Properties: props})
		b := &traversal.Bytecode{Steps: []traversal.Instruction{instruction("inject", v), instruction(step)}}
		before := allocated()
		got, err := h.results(b)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %d results, %v", step, len(got), err)
		}
		return int64(allocated() - before), got[0].JavaString()
	}
	if _, text := made("valueMap", 6); text != "{k0=[0, 2, 4], k1=[1, 3, 5]}" {
		t.Errorf("valueMap() is %s", text)
	}
	for _, step := range []string{"valueMap", "propertyMap"} {
		few, _ := made(step, 2_000)
		more, _ := made(step, 20_000)
		if more > 40*few { // a hundred times when each value copies those before it
			t.Errorf("%s: %d bytes are made for 2,000 values, %d for 20,000", step, few, more)
		}
	}
}

// results runs bytecode and returns all that it yields.
func (h *hostile) results(b *traversal.Bytecode) (all []value.Value, err error) {
	tx, err := begin(h.t.Context(), h.g, false)
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	plan, err := traversal.Compile(nil, h.registry, b)
	if err != nil {
		return nil, err
	}
	run := &traversal.Run{}
	if err := run.Open(plan, traversal.Env{Ctx: h.t.Context(), Registry: h.registry, View: tx}); err != nil {
		return nil, err
	}
	var out traversal.Batch
	for {
		out.Clear()
		if err := run.Next(&out, 64); err != nil || out.Len() == 0 {
			return all, err
		}
		for i := range out.Len() {
			all = append(all, out.At(i).Value)
		}
	}
}
