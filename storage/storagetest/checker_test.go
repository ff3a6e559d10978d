package storagetest

import (
	"context"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// planted are histories with one anomaly each. r and w are key and version; every
// transaction is concurrent with all others unless the time says otherwise.
var planted = []struct {
	name    string
	want    string // "" for a history without anomalies
	records []*record
	order   map[string][]int
}{
	{"serial", "", []*record{
		{seq: 1, writes: vs("x", 1)}, {seq: 2, reads: vs("x", 1), writes: vs("x", 2)}, {reads: vs("x", 2), readOnly: true, start: 2}}, nil},
	{"G0", "G0", []*record{
		{seq: 1, writes: vs("x", 1, "y", 2)}, {seq: 2, writes: vs("x", 3, "y", 4)}}, map[string][]int{"x": {1, 3}, "y": {4, 2}}},
	{"G1a", "G1a", []*record{{id: 9, writes: vs("x", 1)}, {seq: 1, reads: vs("x", 1), writes: vs("y", 2)}}, nil},
	{"G1b", "G1b", []*record{{seq: 1, writes: vs("x", 1, "x", 2)}, {seq: 2, reads: vs("x", 1), writes: vs("y", 3)}}, nil},
	{"nobody's", "nobody wrote", []*record{{seq: 1, reads: vs("x", 7), writes: vs("y", 3)}}, nil},
	{"G1c", "G1c", []*record{
		{seq: 1, writes: vs("x", 1), reads: vs("y", 2)}, {seq: 2, writes: vs("y", 2), reads: vs("x", 1)}}, nil},
	{"G-single", "G-single", []*record{
		{seq: 1, writes: vs("x", 1, "y", 2)}, {readOnly: true, start: 1, reads: vs("x", 1, "y", 0)}}, nil},
	{"lost update", "G-single", []*record{
		{seq: 1, reads: vs("x", 0), writes: vs("x", 1)}, {seq: 2, reads: vs("x", 0), writes: vs("x", 2)}}, nil},
	{"write skew", "G2", []*record{
		{seq: 1, reads: vs("x", 0, "y", 0), writes: vs("x", 1)}, {seq: 2, reads: vs("x", 0, "y", 0), writes: vs("y", 2)}}, nil},
	{"three skews", "G2", []*record{
		{seq: 1, reads: vs("a", 0), writes: vs("b", 1)}, {seq: 2, reads: vs("b", 0), writes: vs("c", 2)},
		{seq: 3, reads: vs("c", 0), writes: vs("a", 3)}}, nil},
	{"stale read", "G-single-realtime", []*record{
		{seq: 1, writes: vs("x", 1), begin: 1, end: 2}, {readOnly: true, reads: vs("x", 0), begin: 3, end: 4}}, nil},
	{"commits against time", "G1c-realtime", []*record{
		{seq: 2, writes: vs("x", 1), begin: 1, end: 2}, {seq: 1, writes: vs("x", 2), begin: 3, end: 4}}, nil},
	{"long fork", "G2", []*record{
		{seq: 1, writes: vs("x", 1)}, {seq: 2, writes: vs("y", 2)},
		{readOnly: true, start: 1, reads: vs("x", 1, "y", 0)}, {readOnly: true, start: 2, reads: vs("x", 0, "y", 2)}}, nil},
	{"one number twice", "share commit", []*record{{seq: 1, writes: vs("x", 1)}, {seq: 1, writes: vs("y", 2)}}, nil},
	{"wrong place", "replay", []*record{
		{seq: 2, writes: vs("x", 1)}, {seq: 1, reads: vs("x", 1), writes: vs("y", 2)}}, nil},
}

func vs(pairs ...any) []observed {
	var out []observed
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, observed{pairs[i].(string), pairs[i+1].(int)})
	}
	return out
}

// TestCheckerFindsPlanted proves that the checker sees what it is for.
func TestCheckerFindsPlanted(t *testing.T) {
	for _, p := range planted {
		t.Run(p.name, func(t *testing.T) {
			h := history{order: p.order}
			for i, planted := range p.records {
				r := *planted
				r.committed = r.id != 9 // 9 marks an aborted one
				r.id = i
				if r.end == 0 {
					r.end = 100
				}
				h.records = append(h.records, &r)
			}
			got := strings.Join(h.anomalies(storage.StrictSerializable), "\n")
			if p.want == "" && got != "" || !strings.Contains(got, p.want) {
				t.Fatalf("found %q, want %q", got, p.want)
			}
		})
	}
}

// TestCheckerAllowsSkew: snapshot isolation permits G2 and nothing stronger.
func TestCheckerAllowsSkew(t *testing.T) {
	h := history{records: []*record{
		{id: 0, committed: true, seq: 1, reads: vs("x", 0, "y", 0), writes: vs("x", 1), end: 9},
		{id: 1, committed: true, seq: 2, reads: vs("x", 0, "y", 0), writes: vs("y", 2), end: 9}}}
	if got := h.anomalies(storage.SnapshotIsolation); len(got) > 0 {
		t.Fatal(got)
	}
}

// weaker is a store that promises more than it keeps.
type weaker struct {
	storage.Store
}

func (w *weaker) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	o.Isolation = storage.SnapshotIsolation
	return w.Store.Begin(ctx, o)
}

// TestCheckerFindsWeakStore runs histories of a store that only keeps snapshot
// isolation and asks for serializability.
func TestCheckerFindsWeakStore(t *testing.T) {
	open := func(t testing.TB) storage.Store {
		s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
		if err != nil {
			t.Fatal(err)
		}
		return &weaker{Store: s}
	}
	found := 0
	for seed := range uint64(10) {
		if bad, _ := interleaved(newBench(t, open), storage.StrictSerializable, seed, 150).finish(); len(bad) > 0 {
			found++
		}
	}
	if found < 9 {
		t.Fatalf("only %d of 10 histories of a weak store were caught", found)
	}
}
