package blueprints

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// reservedMax bounds the names that were only asked for, never stored.
const reservedMax = 1 << 16

// symbols are the labels and keys of a graph. This process owns the store, so memory
// has the last word. A name may be reserved before it is durable: a serializable
// transaction that asks for an unknown label then observes the ranges that the label
// will have once another transaction makes it.
type symbols struct {
	mu       sync.Mutex // held by writers of state
	state    atomic.Pointer[symbolState]
	reserved int
}

// symbolState is immutable but for appended names: a reader of an older state sees
// only its own length.
type symbolState struct {
	byName map[string]Symbol
	names  []string // by symbol; names[0] is nobody's
	// durable by symbol; a new slice on each change.
	durable []bool
}

func loadSymbols(r storage.Reader, graph uint32) (*symbols, error) {
	st := &symbolState{byName: map[string]Symbol{}, names: []string{""}, durable: []bool{false}}
	from := table.AppendTable(nil, graph, table.NameBySymbol)
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Unobserved: true})
	defer it.Close()
	for it.Next() {
		_, n, err := table.DecodeSymbol(it.Key())
		if err != nil {
			return nil, fmt.Errorf("symbols of graph %d: %w: %w", graph, storage.ErrCorrupt, err)
		}
		for uint32(len(st.names)) <= n {
			st.names, st.durable = append(st.names, ""), append(st.durable, false)
		}
		name := string(it.Value())
		st.names[n], st.durable[n], st.byName[name] = name, true, Symbol(n)
	}
	s := &symbols{}
	s.state.Store(st)
	return s, it.Err()
}

// lookup finds the symbol of a name and whether it is durable.
func (s *symbols) lookup(name string) (sym Symbol, durable, ok bool) {
	st := s.state.Load()
	sym, ok = st.byName[name]
	return sym, ok && st.durable[sym], ok
}

func (s *symbols) name(sym Symbol) string {
	st := s.state.Load()
	if int(sym) < len(st.names) {
		return st.names[sym]
	}
	return ""
}

// count is one more than the highest symbol.
func (s *symbols) count() Symbol { return Symbol(len(s.state.Load().names)) }

// reserve gives a name its number, or ok=false when too many are only reserved and
// asking is all that the caller does.
func (s *symbols) reserve(name string, asking bool) (Symbol, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.state.Load()
	if sym, ok := st.byName[name]; ok {
		return sym, true
	}
	if asking && s.reserved >= reservedMax {
		return 0, false
	}
	next := st.clone()
	sym := Symbol(len(next.names))
	next.names, next.durable = append(next.names, name), append(next.durable, false)
	next.byName[name] = sym
	s.reserved++
	s.state.Store(next)
	return sym, true
}

// settle marks symbols as durable.
func (s *symbols) settle(syms ...Symbol) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.state.Load().clone()
	for _, sym := range syms {
		if !next.durable[sym] {
			next.durable[sym] = true
			s.reserved--
		}
	}
	s.state.Store(next)
}

func (st *symbolState) clone() *symbolState {
	next := &symbolState{
		byName:  make(map[string]Symbol, len(st.byName)+1),
		names:   append(make([]string, 0, len(st.names)+1), st.names...),
		durable: append(make([]bool, 0, len(st.durable)+1), st.durable...),
	}
	for k, v := range st.byName {
		next.byName[k] = v
	}
	return next
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
	sym, durable, ok := g.symbols.lookup(name)
	if durable {
		return sym, nil
	}
	if !ok {
		sym, _ = g.symbols.reserve(name, false)
	}
	err := g.small(ctx, func(tx storage.Tx) error { return setSymbol(tx, g.number, sym, name) })
	if err != nil {
		return 0, fmt.Errorf("intern %.64q: %w", name, err)
	}
	g.symbols.settle(sym)
	return sym, nil
}

// small runs a transaction that reads nothing and writes what only this process
// decides, until it wins.
func (g *Graph) small(ctx context.Context, fn func(storage.Tx) error) error {
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
