package keyindex_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
)

// version is what transactions guard that depend on the definitions.
func version(t *testing.T, tx storage.Reader) string {
	t.Helper()
	b, err := tx.Get(keyindex.VersionKey(graph))
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		t.Fatal(err)
	}
	return string(b)
}

// Whatever changes what transactions have to maintain writes the version that they guard,
// and what does not leaves it alone.
func TestDefinitions_WriteTheVersion(t *testing.T) {
	s := open(t)
	writes := func(fn func(tx storage.Tx)) bool {
		tx := begin(t, s)
		fn(tx)
		k := keyindex.VersionKey(graph)
		wrote := tx.Wrote(k, nil)
		if wrote && version(t, tx) != string(binary.BigEndian.AppendUint64(nil, tx.Seq())) {
			t.Errorf("the version is %x", version(t, tx))
		}
		commit(t, tx)
		return wrote
	}
	named := func(name string) func(storage.Tx) {
		return func(tx storage.Tx) {
			_, err := keyindex.DefineNamed(tx, graph, table.VertexClass, name)
			must(t, err)
		}
	}
	key := func(tx storage.Tx) { must(t, keyindex.Define(tx, graph, table.VertexClass, "name", symbol)) }
	drop := func(tx storage.Tx) { must(t, keyindex.Undefine(tx, graph, table.VertexClass, "name")) }
	dropNamed := func(tx storage.Tx) { must(t, keyindex.UndefineNamed(tx, graph, "x")) }
	for i, c := range []struct {
		fn   func(storage.Tx)
		want bool
	}{
		{key, true}, {key, false}, {named("x"), true}, {named("x"), false}, {drop, true}, {drop, false},
		{dropNamed, true}, {dropNamed, false},
	} {
		if got := writes(c.fn); got != c.want {
			t.Errorf("change %d: wrote the version: %v", i, got)
		}
	}
}

func TestDefinitions_Lists(t *testing.T) {
	tx := begin(t, open(t))
	for i, k := range []string{"b", "a", "c"} {
		must(t, keyindex.Define(tx, graph, table.VertexClass, k, uint32(10+i)))
	}
	must(t, keyindex.Define(tx, graph, table.EdgeClass, "e", 20))
	must(t, keyindex.Define(tx, graph+1, table.VertexClass, "other", 10))
	must(t, keyindex.Undefine(tx, graph, table.VertexClass, "c"))
	d, err := keyindex.Load(tx, graph)
	must(t, err)
	var keys []string
	for _, def := range d.Keys(table.VertexClass) {
		keys = append(keys, fmt.Sprint(def.Name, def.Symbol, def.State))
	}
	if want := []string{"a11ACTIVE", "b10ACTIVE", "c12DROPPING"}; !slices.Equal(keys, want) {
		t.Error(keys)
	}
	if got := d.Active(table.VertexClass); !slices.Equal(got, []string{"a", "b"}) {
		t.Error(got)
	}
	if got := d.Active(table.EdgeClass); !slices.Equal(got, []string{"e"}) {
		t.Error(got)
	}
	for sym, want := range map[uint32]bool{10: true, 11: true, 12: false, 13: false, 20: false} {
		if got := d.Maintained(table.VertexClass, sym); got != want {
			t.Errorf("%d maintained: %v", sym, got)
		}
	}
	if !d.Any(table.VertexClass) || !d.Any(table.EdgeClass) {
		t.Error("classes with key indexes have entries")
	}
	if _, ok := d.Named("a"); ok {
		t.Error("a key index is no named one")
	}
}

// TestDefinitions_Many: a key index is found by its key, however many there are, and others are not.
func TestDefinitions_Many(t *testing.T) {
	tx := begin(t, open(t))
	for i := range uint32(40) {
		d, err := keyindex.Load(tx, graph)
		must(t, err)
		for symbol := range uint32(42) {
			def, ok := d.Key(table.VertexClass, symbol)
			if wanted := symbol >= 1 && symbol <= i; ok != wanted || d.Maintained(table.VertexClass, symbol) != wanted || ok && def.Name != fmt.Sprint("k", symbol) {
				t.Fatalf("of %d: key %d is %q, %v", i, symbol, def.Name, ok)
			}
		}
		must(t, keyindex.Define(tx, graph, table.VertexClass, fmt.Sprint("k", i+1), i+1))
	}
}

// Any looks at named indexes of the class alone.
// TestDefinitions_Unknown: what is defined in a family of later programs is no key index.
func TestDefinitions_Unknown(t *testing.T) {
	for family := table.IndexDeclared + 1; family <= 10; family++ {
		if family == table.IndexSchema || family == table.IndexTTL || family == table.IndexCounters || family.OfBuilder() { // which others read
			continue
		}
		tx := begin(t, open(t))
		k := table.IndexDefinition{Graph: graph, Family: family, Class: table.VertexClass, Name: "x"}
		must(t, tx.Set(table.AppendIndexDefinition(nil, k), []byte(`{"state":"ACTIVE","class":"vertex"}`)))
		if _, err := keyindex.Load(tx, graph); !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), "is unknown") {
			t.Errorf("family %d: %v", family, err)
		}
	}
}

func TestDefinitions_AnyOfNamed(t *testing.T) {
	for _, c := range []table.Class{table.VertexClass, table.EdgeClass} {
		tx := begin(t, open(t))
		_, err := keyindex.DefineNamed(tx, graph, c, "x")
		must(t, err)
		d, err := keyindex.Load(tx, graph)
		must(t, err)
		if d.Any(table.VertexClass) != (c == table.VertexClass) || d.Any(table.EdgeClass) != (c == table.EdgeClass) {
			t.Error(c)
		}
	}
}

func TestIsDefinition(t *testing.T) {
	def := func(f table.IndexFamily) []byte {
		return table.AppendIndexDefinition(nil, table.IndexDefinition{Graph: graph, Family: f, Class: table.VertexClass, Name: "x"})
	}
	for name, c := range map[string]struct {
		key  []byte
		want bool
	}{
		"key index": {def(table.IndexKey), true}, "named index": {def(table.IndexName), true}, "cursor": {def(table.IndexCursor), false},
		"version": {keyindex.VersionKey(graph), false}, "label": {table.AppendLabel(nil, table.Label{Graph: graph, Class: table.VertexClass}), false},
		"nothing": {nil, false}, "cut": {def(table.IndexKey)[:5], false},
	} {
		if got := keyindex.IsDefinition(c.key); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestDefinitions_Corrupt(t *testing.T) {
	bad := map[string]func(tx storage.Tx) error{
		"definition that is no JSON": func(tx storage.Tx) error {
			k := table.AppendIndexDefinition(nil, table.IndexDefinition{Graph: graph, Family: table.IndexKey, Class: table.VertexClass, Name: "name"})
			must(t, tx.Set(k, []byte("{")))
			if err := keyindex.Define(tx, graph, table.VertexClass, "name", symbol); !errors.Is(err, storage.ErrCorrupt) {
				t.Error("define:", err)
			}
			if err := keyindex.Undefine(tx, graph, table.VertexClass, "name"); !errors.Is(err, storage.ErrCorrupt) {
				t.Error("undefine:", err)
			}
			_, err := keyindex.Load(tx, graph)
			return err
		},
		"key of a definition": func(tx storage.Tx) error {
			must(t, tx.Set(append(table.AppendTable(nil, graph, table.IndexMetadata), 1), nil))
			_, err := keyindex.Load(tx, graph)
			return err
		},
		"sequence": func(tx storage.Tx) error {
			must(t, tx.Set(table.AppendMeta(nil, graph, "sequence/index"), []byte{1}))
			_, err := keyindex.DefineNamed(tx, graph, table.VertexClass, "x")
			return err
		},
		"reverse row": func(tx storage.Tx) error {
			must(t, keyindex.Define(tx, graph, table.VertexClass, "name", symbol))
			d, err := keyindex.Load(tx, graph)
			must(t, err)
			must(t, tx.Set(append(table.AppendKeyOwnedRow(nil, graph, table.VertexClass, 1), 1), nil))
			return new(keyindex.Scratch).RemoveElement(tx, graph, table.VertexClass, 1, d, false)
		},
	}
	for name, fn := range bad {
		if err := fn(begin(t, open(t))); !errors.Is(err, storage.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Equal values, and no others, stand together: what a posting holds is what a look-up by
// equality finds.
func TestPosting_HoldsWhatIsEqual(t *testing.T) {
	draw := rapid.OneOf(rapid.Custom(drawValue), valuetest.Storable(1))
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		var s keyindex.Scratch
		span, ok := s.Posting(graph, table.VertexClass, symbol, a)
		form, whole, err := value.AppendOrdered(nil, b)
		if err != nil {
			t.Skip("no form")
		}
		e := table.AppendKeyIndex(nil, table.KeyIndex{Graph: graph, Class: table.VertexClass, Key: symbol, Value: form, Element: 9})
		posting, rest, isPosting := keyindex.PostingOf(e)
		if string(posting)+string(rest) != string(e[4:]) || len(rest) < 8 {
			t.Fatalf("%x is taken apart into %x and %x", e, posting, rest)
		}
		if value.Identical(a, b) && ok && !isPosting {
			t.Fatalf("%v has a posting, its entry belongs to none", a)
		}
		if !ok || !whole {
			return
		}
		inside := string(e) >= string(span.From) && string(e) < string(span.To)
		if inside != value.Equal(a, b) || inside && (!isPosting || string(posting) != string(span.Key())) {
			t.Fatalf("%v beside %v: inside %v, posting %x, span %x", a, b, inside, posting, span.Key())
		}
	})
	if _, _, ok := keyindex.PostingOf([]byte{1, 2}); ok {
		t.Error("no entry has a posting")
	}
}
