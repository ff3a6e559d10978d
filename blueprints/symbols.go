package blueprints

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Bounds of names.
const (
	// reservedMax and reservedBytesMax bound the names that were only asked for, never
	// stored.
	reservedMax      = 1 << 16
	reservedBytesMax = 16 << 20
	// symbolBytesMax bounds all names of a graph, which stay in memory: their text and
	// symbolBytes for each.
	symbolBytesMax = 256 << 20
	symbolBytes    = 96
)

// symbols are the labels and keys of a graph, each with its number: keys of the store have
// the number in place of the name. All of them are in memory, and since no other process
// writes to the store, memory is right where it differs from what is read of the disk.
//
// A name gets its number when it is first asked for, though nothing may have it yet. So a
// serializable transaction that looks for vertices of an unknown label finds none in the
// range of that number, and conflicts with a transaction that adds one meanwhile.
type symbols struct {
	byName atomic.Pointer[symbolTable]
	// names are by symbol, names[0] is nobody's. A reader of an older slice sees only
	// its own length.
	names atomic.Pointer[[]string]

	mu            sync.Mutex // held by writers
	bytes         int64      // of all
	reserved      int        // names that were asked for and that nothing has
	reservedBytes int64
}

// symbol is a name with its number.
type symbol struct {
	name    string
	hash    uint64 // of name
	number  Symbol
	durable atomic.Bool
}

// symbolTable finds symbols by a hash of their name: in the first slot that is free or
// their own. Slots are only ever filled, so readers need no lock; a table that is half
// full is followed by one of twice the size.
type symbolTable struct {
	slots []atomic.Pointer[symbol]
	used  int // the writer's
}

const symbolSlotsMin = 64

var symbolSeed = maphash.MakeSeed()

func newSymbolTable(slots int) *symbolTable {
	return &symbolTable{slots: make([]atomic.Pointer[symbol], slots)}
}

func hashName(name string) uint64 { return maphash.String(symbolSeed, name) }

// find returns the symbol of a name with its hash, nil when there is none.
func (t *symbolTable) find(name string, hash uint64) *symbol {
	mask := uint64(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := t.slots[i].Load()
		if s == nil || s.hash == hash && s.name == name {
			return s
		}
	}
}

// add puts a symbol into the table that is not there.
func (t *symbolTable) add(s *symbol) {
	mask := uint64(len(t.slots) - 1)
	i := s.hash & mask
	for t.slots[i].Load() != nil {
		i = (i + 1) & mask
	}
	t.slots[i].Store(s)
	t.used++
}

// larger is a table of twice the size.
func (t *symbolTable) larger() *symbolTable {
	next := newSymbolTable(2 * len(t.slots))
	for i := range t.slots {
		if s := t.slots[i].Load(); s != nil {
			next.add(s)
		}
	}
	return next
}

func newSymbols() *symbols {
	s := &symbols{}
	s.byName.Store(newSymbolTable(symbolSlotsMin))
	s.names.Store(&[]string{""})
	return s
}

func loadSymbols(r storage.Reader, graph uint32) (*symbols, error) {
	s := newSymbols()
	from := table.AppendTable(nil, graph, table.NameBySymbol)
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Unobserved: true})
	defer it.Close()
	names := []string{""}
	for it.Next() {
		_, n, err := table.DecodeSymbol(it.Key())
		if err != nil {
			return nil, fmt.Errorf("symbols of graph %d: %w: %w", graph, storage.ErrCorrupt, err)
		}
		for uint32(len(names)) <= n {
			names = append(names, "")
		}
		sym := &symbol{name: string(it.Value()), number: Symbol(n)}
		sym.hash = hashName(sym.name)
		sym.durable.Store(true)
		names[n] = sym.name
		s.add(sym)
	}
	s.names.Store(&names)
	return s, it.Err()
}

// add puts a symbol into the table. The caller is the only writer.
func (s *symbols) add(sym *symbol) {
	t := s.byName.Load()
	if t.used >= len(t.slots)/2 {
		t = t.larger()
		t.add(sym)
		s.byName.Store(t)
	} else {
		t.add(sym)
	}
	s.bytes += int64(len(sym.name)) + symbolBytes
}

func (s *symbols) get(name string) *symbol {
	return s.byName.Load().find(name, hashName(name))
}

func (s *symbols) name(sym Symbol) string {
	names := *s.names.Load()
	if int(sym) < len(names) {
		return names[sym]
	}
	return ""
}

// NameAfter returns the label or property key with the next number that is stored; false
// behind the last. It begins behind 0.
func (g *Graph) NameAfter(sym Symbol) (name string, next Symbol, ok bool) {
	for next = sym + 1; next < g.symbols.count(); next++ {
		name = g.symbols.name(next)
		if known := g.symbols.get(name); known != nil && known.durable.Load() {
			return name, next, true
		}
	}
	return "", next, false
}

// NameUse says whether a name is the label of a vertex or of an edge; one of neither is a
// property key, or was one of these.
type NameUse struct{ Vertices, Edges bool }

// NameUse says what a name is used for; false for one that nothing has. A transaction that
// writes observes nothing by it: who asks for a remark shall not lose a conflict.
func (t *Tx) NameUse(name string) (use NameUse, known bool, err error) {
	sym := t.g.symbols.get(name)
	if sym == nil {
		return use, false, nil
	}
	if t.known != nil && t.known.Has(uint64(sym.number)) {
		return NameUse{true, true}, true, nil
	}
	if !sym.durable.Load() {
		return use, false, nil // somebody asked for it
	}
	if !t.options.ReadOnly && t.g.scratch == nil {
		err = t.g.View(t.ctx, func(other *Tx) error {
			use, known, err = other.NameUse(name)
			return err
		})
		return use, known, err
	}
	vertices, err := t.VertexCount(sym.number)
	if err != nil {
		return use, true, err
	}
	edges, err := t.EdgeCount(sym.number)
	return NameUse{vertices > 0, edges > 0}, true, err
}

// Names yields the labels and property keys that are stored.
func (t *Tx) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name, sym, ok := t.g.NameAfter(0); ok; name, sym, ok = t.g.NameAfter(sym) {
			if !yield(name) {
				return
			}
		}
	}
}

// count is one more than the highest symbol.
func (s *symbols) count() Symbol { return Symbol(len(*s.names.Load())) }

// ask reserves a name for one who only asks for it; ok is false when too many are.
func (s *symbols) ask(name string) (sym Symbol, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := hashName(name)
	if found := s.byName.Load().find(name, hash); found != nil {
		return found.number, true
	}
	if s.reserved >= reservedMax || s.reservedBytes >= reservedBytesMax || s.bytes >= symbolBytesMax {
		return 0, false
	}
	return s.append(name, hash).number, true
}

// reserve gives a name its number, for one who is about to store it.
func (s *symbols) reserve(name string) (*symbol, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := hashName(name)
	if found := s.byName.Load().find(name, hash); found != nil {
		return found, nil
	}
	if s.bytes >= symbolBytesMax {
		return nil, fmt.Errorf("%w: the graph has %d different labels and property keys, whose names fill the %d bytes there are for them",
			storage.ErrTooLarge, s.count()-1, int64(symbolBytesMax))
	}
	return s.append(name, hash), nil
}

// of returns the symbol of a name, which gets its number if it has none.
func (s *symbols) of(name string) (*symbol, error) {
	if sym := s.get(name); sym != nil {
		return sym, nil
	}
	return s.reserve(name)
}

func (s *symbols) append(name string, hash uint64) *symbol {
	names := *s.names.Load()
	sym := &symbol{name: strings.Clone(name), hash: hash, number: Symbol(len(names))}
	names = append(names, sym.name)
	s.names.Store(&names)
	s.add(sym)
	s.reserved++
	s.reservedBytes += int64(len(name))
	return sym
}

// settle marks symbols as durable.
func (s *symbols) settle(syms []*symbol) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sym := range syms {
		if sym.durable.CompareAndSwap(false, true) {
			s.reserved--
			s.reservedBytes -= int64(len(sym.name))
		}
	}
}

// set writes a symbol. Whoever stores what refers to one that is not known to be durable
// writes it in the same transaction: so nothing is ever stored without its names, nobody
// waits for another's, and a number that no commit has is free again behind a crash.
//
// buf is scratch, which comes back.
func (s *symbol) set(tx storage.Tx, graph uint32, buf []byte) ([]byte, error) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(s.number))
	buf = table.AppendSymbolName(buf[:0], graph, s.name)
	if err := tx.SetSame(buf, n[:]); err != nil {
		return buf, err
	}
	buf = table.AppendSymbol(buf[:0], graph, uint32(s.number))
	key := len(buf)
	buf = append(buf, s.name...)
	return buf, tx.SetSame(buf[:key], buf[key:])
}

// intern makes a name durable in a transaction of its own.
func (g *Graph) intern(ctx context.Context, name string) (Symbol, error) {
	sym, err := g.symbols.of(name)
	if err != nil {
		return 0, err
	}
	if sym.durable.Load() {
		return sym.number, nil
	}
	return sym.number, g.settle(ctx, []*symbol{sym})
}

// settle makes names durable that have their numbers, in a transaction of its own.
func (g *Graph) settle(ctx context.Context, syms []*symbol) error {
	if len(syms) == 0 {
		return nil
	}
	err := g.small(ctx, func(tx storage.Tx) (err error) {
		var buf []byte
		for _, s := range syms {
			if buf, err = s.set(tx, g.number, buf); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep the name %.64q: %w", syms[0].name, err)
	}
	g.symbols.settle(syms)
	return nil
}

// small runs a transaction that reads nothing and writes what only this process
// decides, until it wins.
func (g *Graph) small(ctx context.Context, fn func(storage.Tx) error) error {
	return g.smallWith(ctx, storage.TxOptions{}, fn)
}

// alone is small while nobody else commits to the graph.
func (g *Graph) alone(ctx context.Context, fn func(storage.Tx) error) error {
	return g.smallWith(ctx, storage.TxOptions{Alone: true, Within: table.AppendGraph(nil, g.number)}, fn)
}

func (g *Graph) smallWith(ctx context.Context, o storage.TxOptions, fn func(storage.Tx) error) error {
	if g.scratch != nil {
		return errScratch
	}
	for {
		tx, err := g.store.Begin(ctx, o)
		if err != nil {
			return err
		}
		if err = fn(tx); err == nil {
			_, err = tx.Commit(ctx)
		}
		tx.Close()
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}
