package table

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/storage"
)

// sample is one key of each kind, with how it is decoded.
type sample struct {
	name   string
	key    []byte
	decode func([]byte) (any, error)
}

func decoder[T any](f func([]byte) (T, error)) func([]byte) (any, error) {
	return func(b []byte) (any, error) { return f(b) }
}

func decodeExists(f func([]byte) (uint32, uint64, error)) func([]byte) (any, error) {
	return func(b []byte) (any, error) {
		g, id, err := f(b)
		return fmt.Sprint(g, " ", id), err
	}
}

func decodeNamed(f func([]byte) (uint32, string, error)) func([]byte) (any, error) {
	return func(b []byte) (any, error) {
		g, name, err := f(b)
		return fmt.Sprint(g, " ", name), err
	}
}

func decodePast(b []byte) (any, error) {
	cell, until, err := DecodePastRow(nil, b)
	return fmt.Sprintf("%x until %d", cell, until), err
}

func samples() []sample {
	symbol := func(b []byte) (any, error) {
		g, s, err := DecodeSymbol(b)
		return fmt.Sprint(g, " ", s), err
	}
	userID := func(b []byte) (any, error) {
		g, c, id, err := DecodeUserID(b)
		return fmt.Sprintf("%d %s %q", g, c, id), err
	}
	catalog := decoder(DecodeCatalog)
	v, e := KeyIndex{1, VertexClass, 7, []byte("m\x00"), 42}, KeyIndex{1, EdgeClass, 7, []byte("m\x00"), 43}
	n := NamedEntry{1, 5, 7, []byte("m\x00"), 42}
	c := CompositeEntry{1, 5, 6, []byte("m\x00"), 42}
	return []sample{
		{"catalog", AppendCatalog(nil, "g"), catalog},
		{"symbol of a name", AppendSymbolName(nil, 1, "name"), decodeNamed(DecodeSymbolName)},
		{"name of a symbol", AppendSymbol(nil, 1, 7), symbol},
		{"counter", AppendCounter(nil, Counter{1, VertexCount, 7}), decoder(DecodeCounter)},
		{"meta", AppendMeta(nil, 0, "commit seq"), decodeNamed(DecodeMeta)},
		{"vertex id", AppendUserID(nil, 1, VertexClass, []byte("x")), userID},
		{"edge id", AppendUserID(nil, 1, EdgeClass, []byte("x")), userID},
		{"key index definition", AppendIndexDefinition(nil, IndexDefinition{1, IndexKey, VertexClass, "name"}), decoder(DecodeIndexDefinition)},
		{"named index definition", AppendIndexDefinition(nil, IndexDefinition{1, IndexName, 0, "people"}), decoder(DecodeIndexDefinition)},
		{"declared index definition", AppendIndexDefinition(nil, IndexDefinition{1, IndexDeclared, 0, "places"}), decoder(DecodeIndexDefinition)},
		{"cursor of an index", AppendIndexDefinition(nil, IndexDefinition{1, IndexCursor, VertexClass, "name"}), decoder(DecodeIndexDefinition)},
		{"vertex", AppendVertexExists(nil, 1, 42), decodeExists(DecodeVertexExists)},
		{"vertex property", AppendVertexProperty(nil, VertexProperty{1, 42, 7, 3}), decoder(DecodeVertexProperty)},
		{"out edge", AppendAdjacency(nil, Adjacency{1, 42, OutEdge, 8, 9, 43}), decoder(DecodeAdjacency)},
		{"in edge", AppendAdjacency(nil, Adjacency{1, 43, InEdge, 8, 9, 42}), decoder(DecodeAdjacency)},
		{"edge", AppendEdgeExists(nil, 1, 9), decodeExists(DecodeEdgeExists)},
		{"edge property", AppendEdgeProperty(nil, EdgeProperty{1, 9, 7}), decoder(DecodeEdgeProperty)},
		{"vertex stamp", AppendElementStamp(nil, ElementStamp{1, VertexClass, 42, StampAdded}), decoder(DecodeElementStamp)},
		{"edge stamp", AppendElementStamp(nil, ElementStamp{1, EdgeClass, 9, StampChanged}), decoder(DecodeElementStamp)},
		{"vertex end", AppendExpiry(nil, Expiry{Graph: 1, At: 1800000000000, Class: VertexClass, Element: 42}), decoder(DecodeExpiry)},
		{"end of a property", AppendExpiry(nil, Expiry{1, 1800000000000, EdgeClass, 9, true, 7, 0}), decoder(DecodeExpiry)},
		{"vertex label", AppendLabel(nil, Label{1, VertexClass, 8, 42}), decoder(DecodeLabel)},
		{"edge label", AppendLabel(nil, Label{1, EdgeClass, 8, 9}), decoder(DecodeLabel)},
		{"vertex key index", AppendKeyIndex(nil, v), decoder(DecodeKeyIndex)},
		{"edge key index", AppendKeyIndex(nil, e), decoder(DecodeKeyIndex)},
		{"named index", AppendNamedEntry(nil, n), decoder(DecodeNamedEntry)},
		{"vertex key reverse", AppendKeyOwned(nil, v), decoder(DecodeKeyOwned)},
		{"edge key reverse", AppendKeyOwned(nil, e), decoder(DecodeKeyOwned)},
		{"named index reverse", AppendNamedOwnedEntry(nil, n), decoder(DecodeNamedOwnedEntry)},
		{"composite index", AppendCompositeEntry(nil, c), decoder(DecodeCompositeEntry)},
		{"unique index", AppendCompositeValues(nil, 1, 5, 0, []byte("m\x00")), decoder(DecodeUniqueEntry)},
		{"composite reverse", AppendCompositeOwned(nil, c), decoder(DecodeCompositeOwned)},
		{"edge index", AppendEdgeEntry(nil, EdgeEntry{1, 42, 5, OutEdge, 6, []byte("m\x00"), 9, 43}), decoder(DecodeEdgeEntry)},
		{"text index", AppendTextEntry(nil, TextEntry{1, 5, 6, []byte("tok"), 42}), decoder(DecodeTextEntry)},
		{"text reverse", AppendTextOwned(nil, 1, 5, 42), decoder(DecodeTextOwned)},
		{"geo index", AppendGeoEntry(nil, GeoEntry{1, 5, 6, 7, 42}), decoder(DecodeGeoEntry)},
		{"vertex counter", AppendElementCounter(nil, ElementCounter{1, VertexClass, 42, 7, 0, 0}), decoder(DecodeElementCounter)},
		{"edge counter", AppendElementCounter(nil, ElementCounter{1, EdgeClass, 9, 7, 2, 3600}), decoder(DecodeElementCounter)},
		{"history", AppendPastRow(nil, AppendVertexExists(nil, 1, 42), 1<<44), decodePast},
		{"history of a vertex id", AppendPastRow(nil, AppendUserID(nil, 1, VertexClass, []byte("a\x00b")), 1<<44), decodePast},
		{"commit", AppendCommit(nil, 1, 1<<44), func(b []byte) (any, error) { g, s, err := DecodeCommit(b); return fmt.Sprint(g, " ", s), err }},
		{"definition of a counter", AppendCounterKey(nil, CounterKey{1, VertexClass, 8, 7}), decoder(DecodeCounterKey)},
	}
}

// TestGolden holds the bytes on disk: a difference means that old data is unreadable.
func TestGolden(t *testing.T) {
	var got strings.Builder
	for _, s := range samples() {
		x, err := s.decode(s.key)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		fmt.Fprintf(&got, "%s\n  %s row %d\n  %+v\n  %s\n", s.name, hex.EncodeToString(s.key), len(Layout.RowOf(s.key)), x, Describe(s.key))
	}
	golden.Check(t, "testdata/keys.golden", got.String())
}

// TestElementCounter_NoInterval: a count of an interval has one.
func TestElementCounter_NoInterval(t *testing.T) {
	for interval := range byte(3) {
		key := AppendElementCounter(nil, ElementCounter{1, VertexClass, 42, 7, 1, 3600})
		key[len(key)-9] = interval
		if c, err := DecodeElementCounter(key); (err == nil) != (interval > 0) || err == nil && c.Interval != interval {
			t.Errorf("interval %d: %+v, %v", interval, c, err)
		}
	}
}

// TestMalformed cuts and extends every sample: no decoder may accept what its Append
// does not write, or panic.
func TestMalformed(t *testing.T) {
	for _, s := range samples() {
		whole, _ := s.decode(s.key)
		for n := range s.key {
			if x, err := s.decode(s.key[:n]); err == nil && fmt.Sprint(x) == fmt.Sprint(whole) {
				t.Errorf("%s: %d of %d bytes decode to the same", s.name, n, len(s.key))
			}
			_ = Describe(s.key[:n])
		}
		for _, other := range samples() {
			if Code(other.key[4]) != Code(s.key[4]) && !strings.HasSuffix(other.name, s.name[strings.Index(s.name, " ")+1:]) {
				if _, err := s.decode(other.key); err == nil {
					t.Errorf("%s decodes the key of %s", s.name, other.name)
				}
			}
		}
	}
}

// TestCodes keeps codes unique and named.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for c, name := range codeNames {
		if name == "" || seen[name] {
			t.Errorf("table %#x: name %q", byte(c), name)
		}
		seen[name] = true
	}
	if len(codeNames) != 32 {
		t.Errorf("%d tables are named", len(codeNames))
	}
	if len(familyNames) != 15 {
		t.Errorf("%d families are named", len(familyNames))
	}
}

var (
	u32s  = rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, 3))
	u64s  = rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 3))
	names = rapid.OneOf(rapid.String(), rapid.StringMatching(`[ab\x00\xff]{0,3}`))
	class = rapid.SampledFrom([]Class{VertexClass, EdgeClass})
	// values are self-delimiting, as ordered forms are: a zero byte ends them.
	values = rapid.Map(rapid.SliceOfN(rapid.ByteRange(1, 4), 0, 4), func(b []byte) []byte { return append(b, 0) })
)

// checkOrder requires that bytes compare as fields do, and that keys decode.
func checkOrder[T any](t *testing.T, draw func(*rapid.T, string) T, enc func(T) []byte, dec func([]byte) (T, error), order func(a, b T) int) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		ka, kb := enc(a), enc(b)
		if got, want := bytes.Compare(ka, kb), order(a, b); got != want {
			t.Fatalf("bytes compare %d, fields %d: %x %x", got, want, ka, kb)
		}
		back, err := dec(ka)
		if err != nil || order(back, a) != 0 {
			t.Fatalf("%+v decodes as %+v, %v", a, back, err)
		}
		checkSplit(t, ka, kb)
		checkPrefixEnd(t, ka, kb)
	})
}

// checkSplit holds what Pebble requires of Comparer.Split.
func checkSplit(t *rapid.T, a, b []byte) {
	pa, pb := Layout.RowOf(a), Layout.RowOf(b)
	if bytes.Compare(a, b) <= 0 && bytes.Compare(pa, pb) > 0 || bytes.Compare(pa, pb) < 0 && bytes.Compare(a, b) >= 0 {
		t.Fatalf("rows %x %x do not order keys %x %x", pa, pb, a, b)
	}
	if len(Layout.RowOf(pa)) != len(pa) {
		t.Fatalf("row %x is not its own row", pa)
	}
}

func checkPrefixEnd(t *rapid.T, a, b []byte) {
	n := rapid.IntRange(0, len(a)).Draw(t, "n")
	end := PrefixEnd(nil, a[:n])
	in := bytes.Compare(b, a[:n]) >= 0 && (len(end) == 0 || bytes.Compare(b, end) < 0)
	if in != bytes.HasPrefix(b, a[:n]) {
		t.Fatalf("%x in [%x, %x): %v", b, a[:n], end, in)
	}
}

func TestOrderOfElements(t *testing.T) {
	checkOrder(t, func(t *rapid.T, n string) VertexProperty {
		return VertexProperty{u32s.Draw(t, n), u64s.Draw(t, n), u32s.Draw(t, n), u64s.Draw(t, n)}
	}, func(p VertexProperty) []byte { return AppendVertexProperty(nil, p) }, DecodeVertexProperty, func(a, b VertexProperty) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Vertex, b.Vertex), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	checkOrder(t, func(t *rapid.T, n string) EdgeProperty {
		return EdgeProperty{u32s.Draw(t, n), u64s.Draw(t, n), u32s.Draw(t, n)}
	}, func(p EdgeProperty) []byte { return AppendEdgeProperty(nil, p) }, DecodeEdgeProperty, func(a, b EdgeProperty) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Edge, b.Edge), cmp.Compare(a.Key, b.Key))
	})
	checkOrder(t, func(t *rapid.T, n string) Adjacency {
		dir := rapid.SampledFrom([]Family{OutEdge, InEdge}).Draw(t, n)
		return Adjacency{u32s.Draw(t, n), u64s.Draw(t, n), dir, u32s.Draw(t, n), u64s.Draw(t, n), u64s.Draw(t, n)}
	}, func(a Adjacency) []byte { return AppendAdjacency(nil, a) }, DecodeAdjacency, func(a, b Adjacency) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Vertex, b.Vertex), cmp.Compare(a.Direction, b.Direction),
			cmp.Compare(a.Label, b.Label), cmp.Compare(a.Edge, b.Edge), cmp.Compare(a.Other, b.Other))
	})
	checkOrder(t, func(t *rapid.T, n string) Label {
		return Label{u32s.Draw(t, n), class.Draw(t, n), u32s.Draw(t, n), u64s.Draw(t, n)}
	}, func(l Label) []byte { return AppendLabel(nil, l) }, DecodeLabel, func(a, b Label) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Label, b.Label), cmp.Compare(a.Element, b.Element))
	})
}

func TestOrderOfCounters(t *testing.T) {
	checkOrder(t, func(t *rapid.T, n string) ElementCounter {
		c := ElementCounter{u32s.Draw(t, n), class.Draw(t, n), u64s.Draw(t, n), u32s.Draw(t, n), rapid.ByteRange(0, 3).Draw(t, n), 0}
		if c.Interval > 0 {
			c.Start = rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3)).Draw(t, n)
		}
		return c
	}, func(c ElementCounter) []byte { return AppendElementCounter(nil, c) }, DecodeElementCounter, func(a, b ElementCounter) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Element, b.Element),
			cmp.Compare(a.Key, b.Key), cmp.Compare(a.Interval, b.Interval), cmp.Compare(a.Start, b.Start))
	})
	checkOrder(t, func(t *rapid.T, n string) CounterKey {
		return CounterKey{u32s.Draw(t, n), class.Draw(t, n), u32s.Draw(t, n), u32s.Draw(t, n)}
	}, func(c CounterKey) []byte { return AppendCounterKey(nil, c) }, DecodeCounterKey, func(a, b CounterKey) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Label, b.Label), cmp.Compare(a.Key, b.Key))
	})
}

func TestOrderOfExpiries(t *testing.T) {
	checkOrder(t, func(t *rapid.T, n string) Expiry {
		e := Expiry{u32s.Draw(t, n), u64s.Draw(t, n), class.Draw(t, n), u64s.Draw(t, n), rapid.Bool().Draw(t, n), 0, 0}
		if e.Property {
			e.Key, e.Ordinal = u32s.Draw(t, n), u64s.Draw(t, n)
		}
		return e
	}, func(e Expiry) []byte { return AppendExpiry(nil, e) }, DecodeExpiry, func(a, b Expiry) int {
		if c := cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.At, b.At), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Element, b.Element)); c != 0 || a.Property == b.Property {
			return cmp.Or(c, cmp.Compare(a.Key, b.Key), cmp.Compare(a.Ordinal, b.Ordinal))
		}
		if b.Property {
			return -1
		}
		return 1
	})
}

func TestOrderOfIndexes(t *testing.T) {
	drawKey := func(t *rapid.T, n string) KeyIndex {
		return KeyIndex{u32s.Draw(t, n), class.Draw(t, n), u32s.Draw(t, n), values.Draw(t, n), u64s.Draw(t, n)}
	}
	checkOrder(t, drawKey, func(e KeyIndex) []byte { return AppendKeyIndex(nil, e) }, DecodeKeyIndex, func(a, b KeyIndex) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Key, b.Key),
			bytes.Compare(a.Value, b.Value), cmp.Compare(a.Element, b.Element))
	})
	checkOrder(t, drawKey, func(e KeyIndex) []byte { return AppendKeyOwned(nil, e) }, DecodeKeyOwned, func(a, b KeyIndex) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Element, b.Element),
			cmp.Compare(a.Key, b.Key), bytes.Compare(a.Value, b.Value))
	})
	drawNamed := func(t *rapid.T, n string) NamedEntry {
		return NamedEntry{u32s.Draw(t, n), u32s.Draw(t, n), u32s.Draw(t, n), values.Draw(t, n), u64s.Draw(t, n)}
	}
	checkOrder(t, drawNamed, func(e NamedEntry) []byte { return AppendNamedEntry(nil, e) }, DecodeNamedEntry, func(a, b NamedEntry) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Key, b.Key),
			bytes.Compare(a.Value, b.Value), cmp.Compare(a.Element, b.Element))
	})
	checkOrder(t, drawNamed, func(e NamedEntry) []byte { return AppendNamedOwnedEntry(nil, e) }, DecodeNamedOwnedEntry, func(a, b NamedEntry) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Element, b.Element),
			cmp.Compare(a.Key, b.Key), bytes.Compare(a.Value, b.Value))
	})
	checkOrder(t, func(t *rapid.T, n string) IndexDefinition {
		return IndexDefinition{u32s.Draw(t, n), rapid.SampledFrom([]IndexFamily{IndexKey, IndexName}).Draw(t, n), class.Draw(t, n), names.Draw(t, n)}
	}, func(d IndexDefinition) []byte { return AppendIndexDefinition(nil, d) }, DecodeIndexDefinition, func(a, b IndexDefinition) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Family, b.Family), cmp.Compare(a.Class, b.Class), strings.Compare(a.Name, b.Name))
	})
}

func TestOrderOfSealedEntries(t *testing.T) {
	drawComposite := func(t *rapid.T, n string) CompositeEntry {
		return CompositeEntry{u32s.Draw(t, n), u32s.Draw(t, n), u32s.Draw(t, n), values.Draw(t, n), u64s.Draw(t, n)}
	}
	checkOrder(t, drawComposite, func(e CompositeEntry) []byte { return AppendCompositeEntry(nil, e) }, DecodeCompositeEntry, func(a, b CompositeEntry) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Seal, b.Seal),
			bytes.Compare(a.Values, b.Values), cmp.Compare(a.Element, b.Element))
	})
	checkOrder(t, drawComposite, func(e CompositeEntry) []byte { return AppendCompositeOwned(nil, e) }, DecodeCompositeOwned, func(a, b CompositeEntry) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Element, b.Element), cmp.Compare(a.Index, b.Index),
			cmp.Compare(a.Seal, b.Seal), bytes.Compare(a.Values, b.Values))
	})
	checkOrder(t, func(t *rapid.T, n string) EdgeEntry {
		dir := rapid.SampledFrom([]Family{OutEdge, InEdge}).Draw(t, n)
		return EdgeEntry{u32s.Draw(t, n), u64s.Draw(t, n), u32s.Draw(t, n), dir, u32s.Draw(t, n), values.Draw(t, n), u64s.Draw(t, n), u64s.Draw(t, n)}
	}, func(e EdgeEntry) []byte { return AppendEdgeEntry(nil, e) }, DecodeEdgeEntry, func(a, b EdgeEntry) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Vertex, b.Vertex), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Direction, b.Direction),
			cmp.Compare(a.Seal, b.Seal), bytes.Compare(a.Values, b.Values), cmp.Compare(a.Edge, b.Edge), cmp.Compare(a.Other, b.Other))
	})
	checkOrder(t, func(t *rapid.T, n string) TextEntry {
		token := rapid.SliceOfN(rapid.ByteRange(1, 4), 0, 4).Draw(t, n)
		return TextEntry{u32s.Draw(t, n), u32s.Draw(t, n), u32s.Draw(t, n), token, u64s.Draw(t, n)}
	}, func(e TextEntry) []byte { return AppendTextEntry(nil, e) }, DecodeTextEntry, func(a, b TextEntry) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Seal, b.Seal),
			bytes.Compare(a.Token, b.Token), cmp.Compare(a.Element, b.Element))
	})
	checkOrder(t, func(t *rapid.T, n string) GeoEntry {
		return GeoEntry{u32s.Draw(t, n), u32s.Draw(t, n), u32s.Draw(t, n), u64s.Draw(t, n), u64s.Draw(t, n)}
	}, func(e GeoEntry) []byte { return AppendGeoEntry(nil, e) }, DecodeGeoEntry, func(a, b GeoEntry) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Seal, b.Seal),
			cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Element, b.Element))
	})
}

// TestRowsToCome: what is written to tables of later programs is searched by rows that
// this one gives them, and a superseded cell lies with those of its element.
func TestRowsToCome(t *testing.T) {
	key := func(c Code, rest ...byte) []byte { return append(AppendTable(nil, 1, c), rest...) }
	long := []byte("0123456789abcdefghij")
	for c, want := range map[Code]int{
		EdgeIndex: 13, CompositeOwned: 13, TextOwned: 13, reservedGeoOwned: 13,
		reservedExtendedData: 14, reservedValueChunks: 14,
		CompositeIndex: 25, TextIndex: 25, GeoIndex: 25, reservedIndex: 25, reservedIndexOwned: 25,
	} {
		if got := len(Layout.RowOf(key(c, long...))); got != want {
			t.Errorf("%s: a row of %d bytes, want %d", c, got, want)
		}
	}
	for inner, want := range map[Code]int{Vertices: 14, NamedIndexOwned: 18, VertexLabels: 26, VertexIDs: 26, History: 26} {
		if got := len(Layout.RowOf(key(History, append([]byte{byte(inner)}, long...)...))); got != want {
			t.Errorf("history of %s: a row of %d bytes, want %d", inner, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		codes := rapid.ByteRange(0x10, 0x48)
		draw := func(n string) []byte {
			rest := rapid.SliceOfN(rapid.ByteRange(0, 3), 0, 16).Draw(t, n)
			return key(Code(codes.Draw(t, n)), append([]byte{codes.Draw(t, n)}, rest...)...)
		}
		checkSplit(t, draw("a"), draw("b"))
	})
}

func TestOrderOfNames(t *testing.T) {
	checkOrder(t, func(t *rapid.T, n string) string { return names.Draw(t, n) },
		func(s string) []byte { return AppendCatalog(nil, s) }, DecodeCatalog, strings.Compare)
	checkOrder(t, func(t *rapid.T, n string) Counter {
		return Counter{u32s.Draw(t, n), rapid.SampledFrom([]CounterKind{VertexCount, EdgeCount}).Draw(t, n), u32s.Draw(t, n)}
	}, func(c Counter) []byte { return AppendCounter(nil, c) }, DecodeCounter, func(a, b Counter) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Symbol, b.Symbol))
	})
	rapid.Check(t, func(t *rapid.T) {
		g, name, c := u32s.Draw(t, "graph"), names.Draw(t, "name"), class.Draw(t, "class")
		if g2, n2, err := DecodeMeta(AppendMeta(nil, g, name)); err != nil || g2 != g || n2 != name {
			t.Fatal(g2, n2, err)
		}
		if g2, n2, err := DecodeSymbolName(AppendSymbolName(nil, g, name)); err != nil || g2 != g || n2 != name {
			t.Fatal(g2, n2, err)
		}
		if g2, c2, id, err := DecodeUserID(AppendUserID(nil, g, c, []byte(name))); err != nil || g2 != g || c2 != c || string(id) != name {
			t.Fatal(g2, c2, id, err)
		}
		n := rapid.Int64().Draw(t, "count")
		if m, ok := storage.Count(storage.AppendCount(nil, n)); !ok || m != n {
			t.Fatal(m, ok)
		}
	})
}

// TestRowOrder shows what the families promise: properties stand before adjacency,
// counters between them.
func TestRowOrder(t *testing.T) {
	keys := [][]byte{
		AppendVertexExists(nil, 1, 42),
		AppendElementStamp(nil, ElementStamp{1, VertexClass, 42, StampAdded}),
		AppendElementStamp(nil, ElementStamp{1, VertexClass, 42, StampChanged}),
		AppendVertexProperty(nil, VertexProperty{1, 42, 1<<32 - 1, 1}),
		AppendElementCounter(nil, ElementCounter{Graph: 1, Class: VertexClass, Element: 42, Key: 7}),
		AppendElementCounter(nil, ElementCounter{Graph: 1, Class: VertexClass, Element: 42, Key: 7, Interval: 2, Start: -1}),
		AppendElementIntervals(nil, ElementCounter{Graph: 1, Class: VertexClass, Element: 42, Key: 7, Interval: 3}),
		AppendElementCounter(nil, ElementCounter{Graph: 1, Class: VertexClass, Element: 42, Key: 7, Interval: 3, Start: -1}),
		AppendAdjacency(nil, Adjacency{1, 42, OutEdge, 1, 5, 9}),
		AppendAdjacency(nil, Adjacency{1, 42, OutEdge, 1, 6, 2}),
		AppendAdjacency(nil, Adjacency{1, 42, OutEdge, 2, 1, 1}),
		AppendAdjacency(nil, Adjacency{1, 42, InEdge, 0, 0, 0}),
		AppendVertexExists(nil, 1, 43),
	}
	if !slices.IsSortedFunc(keys, bytes.Compare) {
		t.Fatal("the cells of a vertex are out of order")
	}
}

func FuzzDescribe(f *testing.F) {
	for _, s := range samples() {
		f.Add(s.key)
	}
	f.Fuzz(func(t *testing.T, key []byte) {
		_ = Describe(key)
		for _, s := range samples() {
			_, _ = s.decode(key) // must not panic
		}
		if n := len(Layout.RowOf(key)); n > len(key) {
			t.Fatalf("row of %d bytes in a key of %d", n, len(key))
		}
	})
}
