package check

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// pollEvery is how many keys are read between two looks at the context.
const pollEvery = 1024

// Run checks a graph at the latest snapshot. The error says why the check could not be
// done; what it found is in the Report.
func Run(ctx context.Context, g *blueprints.Graph) (Report, error) {
	snap, err := g.Store().Snapshot()
	if err != nil {
		return Report{}, err
	}
	defer snap.Close()
	return RunSnapshot(ctx, snap, g.Name(), g.Number(), g.Options())
}

// RunSnapshot checks the graph of a number, with the options it was made with, in a
// snapshot.
func RunSnapshot(ctx context.Context, snap storage.Snapshot, name string, graph uint32, o blueprints.Options) (Report, error) {
	c := checker{snap: snap, graph: graph, options: o, sum: &sum{seed: maphash.MakeSeed()}}
	r, settled, err := c.pass(ctx, name)
	if settled || err != nil {
		return r, err
	}
	c = checker{snap: snap, graph: graph, options: o}
	r, _, err = c.pass(ctx, name)
	return r, err
}

// pass reads all cells once. With a sum it only adds up what is promised, and is settled
// when nothing is wrong; without one it looks every promise up and says what is wrong.
func (c *checker) pass(ctx context.Context, name string) (r Report, settled bool, err error) {
	c.report = &r
	r.Graph, r.Seq = name, c.snap.Seq()
	c.counts = map[table.Counter]int64{}
	c.counters = map[table.Counter]int64{}
	if err := c.loadDefinitions(); err != nil {
		return r, false, err
	}
	from := table.AppendGraph(nil, c.graph)
	it := c.snap.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Unobserved: true})
	defer it.Close()
	for it.Next() {
		if r.Keys++; r.Keys%pollEvery == 0 && ctx.Err() != nil {
			return r, false, ctx.Err()
		}
		if err := c.cell(it.Key(), it.Value()); err != nil {
			return r, false, fmt.Errorf("check graph %s: %w", name, err)
		}
	}
	err = it.Err()
	if err == nil {
		err = c.endRow()
	}
	if err != nil {
		return r, false, fmt.Errorf("check graph %s: %w", name, err)
	}
	c.checkCounters()
	c.checkSequences()
	return r, r.OK() && c.sum != nil && c.sum.open == 0, nil
}

// checker is one pass. Keys come in order, so the cells of an element are together.
type checker struct {
	snap    storage.Snapshot
	graph   uint32
	options blueprints.Options
	report  *Report
	sum     *sum   // nil when promises are looked up
	key     []byte // of what is looked up or promised

	defs  *keyindex.Definitions
	rules *blueprints.Rules // nil for none
	// countable are the keys that are counters, nil for none.
	countable *blueprints.CounterKeys
	plainKeys map[uint32]bool // of the row, where there may be counters
	// counts are what was counted, counters what is stored.
	counts, counters map[table.Counter]int64
	// sequences are the stored ends; the maxima are what is in use.
	sequences                     map[string]uint64
	maxVertex, maxEdge, maxNumber uint64
	anyVertex, anyEdge, anyNumber bool

	row         row
	crowd       crowd
	indexing    indexing
	scratch     keyindex.Scratch
	symbolKnown map[uint32]bool
	lastStamp   storage.Stamp // of the store, 0 until it is asked for
}

// row is the element whose cells are being read.
type row struct {
	class  table.Class
	id     uint64
	exists bool
	first  []byte // the first key, to report a row without its element

	// Of an element that rules are for.
	rules   *blueprints.LabelRules
	userID  value.Value
	out, in blueprints.VertexID // of an edge
	props   []blueprints.PropertyEntry

	// Of a graph that has counters.
	counter uint32 // the key of the last sum that was read
	counted bool   // there was one
}

func (c *checker) bad(invariant string, key []byte, format string, args ...any) {
	c.report.add(invariant, key, format, args...)
}

// get looks a key up; found is false when it does not exist.
func (c *checker) get(key []byte) (val []byte, found bool, err error) {
	val, err = c.snap.Get(key)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, false, nil
	}
	return val, err == nil, err
}

func (c *checker) loadDefinitions() error {
	defs, err := keyindex.Load(c.snap, c.graph)
	if errors.Is(err, storage.ErrCorrupt) {
		c.bad("I9", table.AppendTable(nil, c.graph, table.IndexMetadata), "%v", err)
		defs, err = &keyindex.Definitions{}, nil
	}
	c.defs = defs
	c.sequences = map[string]uint64{}
	if err != nil {
		return err
	}
	if c.countable, err = blueprints.ReadCounterKeys(c.snap, c.graph); errors.Is(err, storage.ErrCorrupt) {
		c.bad("I9", table.AppendCounterKeys(nil, c.graph), "%v", err)
		err = nil
	}
	if err != nil {
		return err
	}
	return c.loadRules()
}

// cell checks one key and its value.
func (c *checker) cell(key, val []byte) error {
	_, code, ok := table.Head(key)
	if !ok {
		c.bad("I1", key, "key is too short")
		return nil
	}
	if code != table.Vertices && code != table.Edges {
		if err := c.endRow(); err != nil {
			return err
		}
	}
	switch code {
	case table.SymbolByName, table.NameBySymbol:
		return c.symbol(code, key, val)
	case table.Counters:
		c.counter(key, val)
	case table.Meta:
		c.meta(key, val)
	case table.VertexIDs, table.EdgeIDs:
		return c.userID(key, val)
	case table.IndexMetadata:
		return c.definition(key)
	case table.Vertices:
		return c.vertexCell(key, val)
	case table.Edges:
		return c.edgeCell(key, val)
	case table.VertexLabels, table.EdgeLabels:
		return c.label(key, val)
	case table.VertexKeyIndex, table.EdgeKeyIndex:
		return c.keyEntry(key)
	case table.VertexKeyOwned, table.EdgeKeyOwned:
		return c.keyOwned(key)
	case table.CompositeIndex, table.EdgeIndex, table.TextIndex, table.GeoIndex:
		return c.declaredEntry(code, key, val)
	case table.NamedIndex:
		return c.namedEntry(key, val)
	case table.NamedIndexOwned:
		return c.namedOwned(key)
	case table.Expiries:
		return c.expiry(key, val)
	case table.History:
		return c.past(key, val)
	case table.Commits:
		return c.commit(key, val)
	default:
		c.bad("I1", key, "table %#02x is unknown", byte(code))
	}
	return nil
}

// symbol checks a name and a symbol against each other.
func (c *checker) symbol(code table.Code, key, val []byte) error {
	if code == table.SymbolByName {
		_, name, err := table.DecodeSymbolName(key)
		if err != nil || len(val) != 4 {
			c.bad("I1", key, "malformed")
			return nil
		}
		back, found, err := c.get(table.AppendSymbol(nil, c.graph, binary.BigEndian.Uint32(val)))
		if err == nil && (!found || string(back) != name) {
			c.bad("I11", key, "symbol #%d has the name %q", binary.BigEndian.Uint32(val), back)
		}
		return err
	}
	_, sym, err := table.DecodeSymbol(key)
	if err != nil || len(val) == 0 || sym == 0 {
		c.bad("I1", key, "malformed")
		return nil
	}
	back, found, err := c.get(table.AppendSymbolName(nil, c.graph, string(val)))
	if err == nil && (!found || len(back) != 4 || binary.BigEndian.Uint32(back) != sym) {
		c.bad("I11", key, "name %q does not lead back", val)
	}
	return err
}

// known checks that a symbol has a name.
func (c *checker) known(key []byte, sym uint32) error {
	if c.symbolKnown[sym] {
		return nil
	}
	_, found, err := c.get(table.AppendSymbol(nil, c.graph, sym))
	if err != nil {
		return err
	}
	if !found {
		c.bad("I11", key, "symbol #%d has no name", sym)
		return nil
	}
	if c.symbolKnown == nil || len(c.symbolKnown) > 1<<16 {
		c.symbolKnown = map[uint32]bool{}
	}
	c.symbolKnown[sym] = true
	return nil
}

func (c *checker) counter(key, val []byte) {
	k, err := table.DecodeCounter(key)
	n, ok := storage.Count(val)
	if err != nil || !ok || len(val) != 8 {
		c.bad("I1", key, "malformed")
		return
	}
	c.counters[k] = n
}

func (c *checker) checkCounters() {
	for k, n := range c.counts {
		if have := c.counters[k]; have != n {
			c.bad("I7", table.AppendCounter(nil, k), "says %d, counted %d", have, n)
		}
	}
	for k, n := range c.counters {
		if _, ok := c.counts[k]; !ok && n != 0 {
			c.bad("I7", table.AppendCounter(nil, k), "says %d, counted 0", n)
		}
	}
}

func (c *checker) tally(kind table.CounterKind, label uint32) {
	for _, s := range [...]uint32{0, label} {
		c.counts[table.Counter{Graph: c.graph, Kind: kind, Symbol: s}]++
	}
}

const (
	sequencePrefix = "sequence/"
	notePrefix     = "note/" // of a command that was stopped half way
)

func (c *checker) meta(key, val []byte) {
	_, name, err := table.DecodeMeta(key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return
	}
	seq, isSequence := bytes.CutPrefix([]byte(name), []byte(sequencePrefix))
	switch {
	case name == sequencePrefix+"index":
		if len(val) != 4 {
			c.bad("I1", key, "malformed")
			return
		}
		c.sequences["index"] = uint64(binary.BigEndian.Uint32(val))
	case isSequence:
		if len(val) != 8 {
			c.bad("I1", key, "malformed")
			return
		}
		c.sequences[string(seq)] = binary.BigEndian.Uint64(val)
	case name == "user-ids" || name == "index-version" || strings.HasPrefix(name, notePrefix):
	case bytes.Equal(key, table.FloorKey(c.graph)), bytes.Equal(key, table.StampsKey(c.graph)):
		if len(val) != storage.StampSize {
			c.bad("I1", key, "malformed")
		}
	case bytes.Equal(key, table.LineageKey(c.graph)):
		if len(val) != table.LineageSize {
			c.bad("I1", key, "malformed")
		}
	default:
		c.bad("I1", key, "name is unknown")
	}
}

func (c *checker) checkSequences() {
	for _, s := range []struct {
		name string
		used bool
		max  uint64
	}{{"vertex", c.anyVertex, c.maxVertex}, {"edge", c.anyEdge, c.maxEdge}, {"number", c.anyNumber, c.maxNumber}} {
		if end := c.sequences[s.name]; s.used && s.max >= end {
			c.bad("I8", table.AppendMeta(nil, c.graph, sequencePrefix+s.name), "is at %d, but %d is in use", end, s.max)
		}
	}
	numbers := []uint32{}
	for _, d := range c.defs.AllNamed() {
		numbers = append(numbers, d.Number)
	}
	for _, class := range [...]table.Class{table.VertexClass, table.EdgeClass} {
		for _, d := range c.defs.Declared(class) {
			numbers = append(numbers, d.Number)
		}
	}
	for _, n := range numbers {
		if end := c.sequences["index"]; uint64(n) >= end {
			c.bad("I8", table.AppendMeta(nil, c.graph, sequencePrefix+"index"), "is at %d, but %d is in use", end, n)
		}
	}
}
