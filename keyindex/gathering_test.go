package keyindex

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// named is a Source of elements with a name each, their id.
type named struct{ Source }

func (n named) ReadingRows(storage.Tx, table.Class, []uint64, []uint32) (Elements, error) {
	return names{}, nil
}

type names struct{ Elements }

func (names) Values(dst []value.Value, _ table.Class, id uint64, _ uint32) ([]value.Value, error) {
	return append(dst, nameOf(id)), nil
}

func nameOf(id uint64) value.Value { return value.Long(int64(id)) }

// TestGathering: each element's entries are gathered once, in order, and known for its own, whichever
// part and which question to the source it belongs to.
func TestGathering(t *testing.T) {
	const graph = 3
	d := &Definition{Class: table.VertexClass, Symbol: 5, Number: 7, State: Building}
	var ids []uint64
	for i := range uint64(2*readMax + 5) {
		ids = append(ids, 3*i+1)
	}
	var spare spareRuns
	var parts []*gathering
	for _, some := range [][]uint64{ids[:readMax+2], ids[readMax+2:]} {
		g := &gathering{ctx: t.Context(), stint: new(stages).find(newPacer(&counted{})), spare: &spare, most: tablesBytes, ids: some}
		if err := g.gather(graph, named{}, d); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, g)
	}
	merged := 0
	for _, source := range sourcesOf(parts, d, func() func(int) error { return func(int) error { return nil } }) {
		var last []byte
		must(t, source(func(key, _ []byte) error {
			if bytes.Compare(key, last) <= 0 {
				t.Fatalf("%x behind %x", key, last)
			}
			last, merged = bytes.Clone(key), merged+1
			return nil
		}))
	}
	if merged != 2*len(ids) {
		t.Errorf("%d entries of %d elements", merged, len(ids))
	}
	for _, doubt := range doubtsOf(parts, ids) {
		s := keysOf{}
		e := table.KeyIndex{Graph: graph, Class: d.Class, Key: d.Symbol, Element: doubt.Element}
		must(t, new(Scratch).Add(&s, e, nameOf(doubt.Element)))
		slices.SortFunc(s.keys, bytes.Compare)
		slices.SortFunc(doubt.Keys, bytes.Compare)
		if !slices.EqualFunc(doubt.Keys, s.keys, bytes.Equal) {
			t.Fatalf("of %d there is %x, want %x", doubt.Element, doubt.Keys, s.keys)
		}
	}
}

// keysOf is a transaction that notes which keys are set.
type keysOf struct {
	storage.Tx
	keys [][]byte
}

func (k *keysOf) Set(key, _ []byte) error {
	k.keys = append(k.keys, bytes.Clone(key))
	return nil
}
