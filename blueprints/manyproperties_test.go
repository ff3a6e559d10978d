package blueprints_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/storage/value"
)

// TestProperties_Many gives one element so many properties that looking through all of them
// for each would show: one that the transaction adds, and one that the cache knows already.
func TestProperties_Many(t *testing.T) {
	const n, patience = 20_000, 6 * time.Second // of processor time
	key := func(i int) string { return fmt.Sprint("key-", i) }
	g := newGraph(t, blueprints.Options{})
	var known blueprints.VertexID
	var link blueprints.EdgeID
	update(t, g, func(tx *blueprints.Tx) (err error) {
		for i := range n { // so that the numbers of properties can run against those of keys
			if _, err = tx.Intern(key(i)); err != nil {
				return err
			}
		}
		if known, err = tx.AddVertex("v", value.Null); err == nil {
			link, err = tx.AddEdge("e", known, known, value.Null)
		}
		return err
	})
	check := func(what string, tx *blueprints.Tx, v blueprints.VertexID, e blueprints.EdgeID) {
		t.Helper()
		props, err := tx.VertexProperties(nil, v, nil)
		if err != nil || len(props) != n {
			t.Fatalf("%s: %d properties of the vertex, %v", what, len(props), err)
		}
		for i := range props { // in the order of insertion
			if want := key(n - 1 - i); tx.Name(props[i].Key) != want {
				t.Fatalf("%s: property %d has the key %s, want %s", what, i, tx.Name(props[i].Key), want)
			}
		}
		if props, err = tx.EdgeProperties(nil, e, nil); err != nil || len(props) != n {
			t.Fatalf("%s: %d properties of the edge, %v", what, len(props), err)
		}
		sym, _ := tx.Symbol(key(7))
		a, _, err := tx.VertexValue(v, sym)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := tx.EdgeValue(e, sym)
		if err != nil || !value.Identical(a, value.Int(7)) || !value.Identical(b, value.Int(7)) {
			t.Fatalf("%s: values %v and %v, %v", what, a, b, err)
		}
		if label, err := tx.VertexLabel(v); err != nil || tx.Name(label) != "v" {
			t.Fatalf("%s: label %s, %v", what, tx.Name(label), err)
		}
	}
	fill := func(tx *blueprints.Tx, v blueprints.VertexID, e blueprints.EdgeID) error {
		for i := n - 1; i >= 0; i-- {
			if _, err := tx.SetVertexProperty(v, "single", key(i), value.Int(int32(i)), value.Null, nil); err != nil {
				return err
			}
			if err := tx.SetEdgeProperty(e, key(i), value.Int(int32(i))); err != nil {
				return err
			}
		}
		return nil
	}
	began := cputime.Own()
	view(t, g, func(tx *blueprints.Tx) { // into the cache
		if _, err := tx.VertexProperties(nil, known, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.EdgeProperties(nil, link, nil); err != nil {
			t.Fatal(err)
		}
	})
	update(t, g, func(tx *blueprints.Tx) error {
		v, err := tx.AddVertex("v", value.Null)
		if err != nil {
			return err
		}
		e, err := tx.AddEdge("e", v, v, value.Null)
		if err != nil {
			return err
		}
		for _, x := range []struct {
			what string
			v    blueprints.VertexID
			e    blueprints.EdgeID
		}{{"added", v, e}, {"changed", known, link}} {
			if err := fill(tx, x.v, x.e); err != nil {
				return err
			}
			check(x.what, tx, x.v, x.e)
		}
		return nil
	})
	view(t, g, func(tx *blueprints.Tx) { check("committed", tx, known, link) })
	if used := cputime.Own() - began; used > patience {
		t.Errorf("%v of processor time for %d properties, want %v at most", used, n, patience)
	}
}
