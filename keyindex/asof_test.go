package keyindex_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// usable lists the indexes that who reads may use: key indexes by their names and states, then
// declared ones and named ones.
func usable(d *keyindex.Definitions) string {
	var b strings.Builder
	for _, c := range []table.Class{table.VertexClass, table.EdgeClass} {
		for symbol := uint32(1); symbol <= 3; symbol++ {
			if def, ok := d.Key(c, symbol); ok && def.State == keyindex.Active {
				fmt.Fprint(&b, def.Name, " ")
			}
		}
		fmt.Fprint(&b, d.Active(c))
		for _, def := range d.Complete(c) {
			fmt.Fprint(&b, " ", def.Name)
		}
		fmt.Fprint(&b, "; ")
	}
	for _, name := range []string{"n0", "n4"} {
		if def, ok := d.Named(name); ok {
			fmt.Fprint(&b, def.Name, " ")
		}
	}
	return b.String()
}

// TestAsOf: who reads a time of the past may use the indexes that were complete then, and who reads
// now all of them.
func TestAsOf(t *testing.T) {
	tx := begin(t, open(t))
	put := func(f table.IndexFamily, c table.Class, name, rest string, since int) {
		k := table.IndexDefinition{Graph: graph, Family: f, Name: name}
		if f == table.IndexKey {
			k.Class = c
		}
		must(t, tx.Set(table.AppendIndexDefinition(nil, k), fmt.Appendf(nil, `{"state":"ACTIVE","class":%q,"since":%d%s}`, c, since, rest)))
	}
	declared := `,"kind":"composite","keys":["k"],"symbols":[1]`
	put(table.IndexKey, table.VertexClass, "k0", `,"symbol":1`, 0)
	put(table.IndexKey, table.VertexClass, "k1", `,"symbol":2`, 1)
	put(table.IndexKey, table.EdgeClass, "e2", `,"symbol":3`, 2)
	put(table.IndexDeclared, table.VertexClass, "d0", declared, 0)
	put(table.IndexDeclared, table.VertexClass, "d3", declared, 3)
	put(table.IndexDeclared, table.EdgeClass, "d5", declared, 5)
	put(table.IndexName, table.VertexClass, "n0", "", 0)
	put(table.IndexName, table.VertexClass, "n4", "", 4)
	now, err := keyindex.Load(tx, graph)
	must(t, err)
	const all = "k0 k1 [k0 k1] d0 d3; e2 [e2] d5; n0 n4 "
	for at, want := range []string{
		"k0 [k0] d0; []; n0 ", "k0 k1 [k0 k1] d0; []; n0 ", "k0 k1 [k0 k1] d0; e2 [e2]; n0 ",
		"k0 k1 [k0 k1] d0 d3; e2 [e2]; n0 ", "k0 k1 [k0 k1] d0 d3; e2 [e2]; n0 n4 ", all,
	} {
		then := now.AsOf(storage.Stamp(at))
		if got := usable(then); got != want {
			t.Errorf("as of %d: %q, want %q", at, got, want)
		}
		if def, ok := then.Key(table.VertexClass, 2); !ok || !then.Maintained(table.VertexClass, 2) || def.Name != "k1" {
			t.Errorf("as of %d it is not known that there is k1", at)
		}
		if got := usable(now); got != all {
			t.Fatalf("behind a look at %d: %q", at, got)
		}
	}
}
