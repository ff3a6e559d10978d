package blueprints

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
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

// symbols are the labels and keys of a graph. This process owns the store, so memory
// has the last word. A name may be reserved before it is durable: a serializable
// transaction that asks for an unknown label then observes the ranges that the label
// will have once another transaction makes it.
type symbols struct {
	byName atomic.Pointer[symbolTable]
	// names are by symbol, names[0] is nobody's. A reader of an older slice sees only
	// its own length.
	names atomic.Pointer[[]string]

	mu            sync.Mutex // held by writers
	bytes         int64      // of all
	reserved      int        // not durable
	reservedBytes int64
}

// symbol is a name with its number.
type symbol struct {
	name    string
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

// find returns the symbol, or nil and the slot for it.
func (t *symbolTable) find(name string) (*symbol, *atomic.Pointer[symbol]) {
	mask := uint64(len(t.slots) - 1)
	for i := maphash.String(symbolSeed, name) & mask; ; i = (i + 1) & mask {
		s := t.slots[i].Load()
		if s == nil {
			return nil, &t.slots[i]
		}
		if s.name == name {
			return s, nil
		}
	}
}

func (t *symbolTable) add(s *symbol) {
	_, slot := t.find(s.name)
	slot.Store(s)
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
		defer s.byName.Store(t)
	}
	t.add(sym)
	s.bytes += int64(len(sym.name)) + symbolBytes
}

func (s *symbols) get(name string) *symbol {
	sym, _ := s.byName.Load().find(name)
	return sym
}

// lookup finds the symbol of a name and whether it is durable.
func (s *symbols) lookup(name string) (sym Symbol, durable, ok bool) {
	if found := s.get(name); found != nil {
		return found.number, found.durable.Load(), true
	}
	return 0, false, false
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
		if _, durable, known := g.symbols.lookup(name); known && durable {
			return name, next, true
		}
	}
	return "", next, false
}

// count is one more than the highest symbol.
func (s *symbols) count() Symbol { return Symbol(len(*s.names.Load())) }

// ask reserves a name for one who only asks for it; ok is false when too many are.
func (s *symbols) ask(name string) (sym Symbol, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.get(name); found != nil {
		return found.number, true
	}
	if s.reserved >= reservedMax || s.reservedBytes >= reservedBytesMax || s.bytes >= symbolBytesMax {
		return 0, false
	}
	return s.append(name), true
}

// reserve gives a name its number, for one who is about to store it.
func (s *symbols) reserve(name string) (Symbol, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.get(name); found != nil {
		return found.number, nil
	}
	if s.bytes >= symbolBytesMax {
		return 0, fmt.Errorf("%w: the graph has %d different labels and property keys, whose names fill the %d bytes there are for them",
			storage.ErrTooLarge, s.count()-1, int64(symbolBytesMax))
	}
	return s.append(name), nil
}

// number returns the number of a name, which it gives to one that has none, and
// whether it is durable.
func (s *symbols) number(name string) (sym Symbol, durable bool, err error) {
	sym, durable, ok := s.lookup(name)
	if !ok {
		sym, err = s.reserve(name)
	}
	return sym, durable, err
}

func (s *symbols) append(name string) Symbol {
	names := *s.names.Load()
	sym := &symbol{name: strings.Clone(name), number: Symbol(len(names))}
	names = append(names, sym.name)
	s.names.Store(&names)
	s.add(sym)
	s.reserved++
	s.reservedBytes += int64(len(name))
	return sym.number
}

// settle marks symbols as durable.
func (s *symbols) settle(syms ...Symbol) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range syms {
		sym := s.get(s.name(n))
		if sym.durable.CompareAndSwap(false, true) {
			s.reserved--
			s.reservedBytes -= int64(len(sym.name))
		}
	}
}

func setSymbol(tx storage.Tx, graph uint32, sym Symbol, name string) error {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(sym))
	if err := tx.Set(table.AppendSymbolName(nil, graph, name), n[:]); err != nil {
		return err
	}
	return tx.Set(table.AppendSymbol(nil, graph, uint32(sym)), []byte(name))
}

// intern makes a name durable in a transaction of its own.
func (g *Graph) intern(ctx context.Context, name string) (Symbol, error) {
	sym, durable, err := g.symbols.number(name)
	if err != nil || durable {
		return sym, err
	}
	return sym, g.settle(ctx, []Symbol{sym})
}

// settle makes names durable that have their numbers, in a transaction of its own.
func (g *Graph) settle(ctx context.Context, syms []Symbol) error {
	if len(syms) == 0 {
		return nil
	}
	err := g.small(ctx, func(tx storage.Tx) error {
		for _, s := range syms {
			if err := setSymbol(tx, g.number, s, g.symbols.name(s)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep the name %.64q: %w", g.symbols.name(syms[0]), err)
	}
	g.symbols.settle(syms...)
	return nil
}

// small runs a transaction that reads nothing and writes what only this process
// decides, until it wins.
func (g *Graph) small(ctx context.Context, fn func(storage.Tx) error) error {
	if g.scratch != nil {
		return errScratch
	}
	for {
		tx, err := g.store.Begin(ctx, storage.TxOptions{})
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
