package blueprints

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/table"
)

// scratch is what a graph of one user has in place of commits and a worker.
type scratch struct {
	account *account.Account
	paid    int64              // bytes, beside the writes
	keys    [2]map[string]bool // that an index was asked for, by class
}

const (
	// scratchBytes is what an empty graph and its transaction take, about.
	scratchBytes = 16 << 10
	// scratchKeyBytes is what a key takes beside its text.
	scratchKeyBytes = 128
)

var errScratch = errors.New("a graph that a script opened has one transaction, and neither named indexes nor loads")

// Scratch makes an empty graph for one user and opens the one transaction that it has:
// what is written is there at once for whoever holds the transaction, never for anybody
// else, and gone with Close. The account, which may be nil, is charged for the graph and
// for all that is written, also for what was removed again.
func (db *Database) Scratch(ctx context.Context, o Options, a *account.Account) (*Tx, error) {
	o, err := o.normalized()
	if err != nil {
		return nil, err
	}
	o.Isolation, o.Transactional = storage.SnapshotIsolation, false
	s, err := db.scratch.open(db.newScratch)
	if err != nil {
		return nil, err
	}
	if err := a.Charge(scratchBytes); err != nil {
		return nil, err
	}
	own := &scratch{account: a, paid: scratchBytes}
	tx, err := beginScratch(ctx, s, o, own)
	if err != nil {
		own.release()
	}
	return tx, err
}

func beginScratch(ctx context.Context, s storage.Store, o Options, own *scratch) (*Tx, error) {
	g, err := newGraph(s, "graph", scratchNumber, o, nil, nil)
	if err != nil {
		return nil, err
	}
	t, err := s.Begin(ctx, storage.TxOptions{Isolation: o.Isolation, Account: own.account})
	if err != nil {
		return nil, err
	}
	g.scratch = own
	// Alone: ids are written with all else, not in transactions apart.
	return &Tx{txState: txState{ctx: ctx, g: g, tx: t, options: TxOptions{Alone: true, Account: own.account}, seq: t.Seq(), ownPaid: account.Ledger{Account: own.account}}}, nil
}

// scratchNumber is the number of every such graph: nothing of them meets in the store.
const scratchNumber = 1

// scratchStore is what they lie on: an empty store, which nobody ever commits to.
type scratchStore struct {
	mu    sync.Mutex
	store storage.Store
}

var errNoScratch = errors.New("no store for graphs of scripts")

func (s *scratchStore) open(open func() (storage.Store, error)) (storage.Store, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store != nil {
		return s.store, nil
	}
	if open == nil {
		return nil, errNoScratch
	}
	var err error
	s.store, err = open()
	return s.store, err
}

func (s *scratchStore) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store == nil {
		return nil
	}
	return s.store.Close()
}

// release gives back what was charged beside the writes.
func (s *scratch) release() {
	if s != nil {
		s.account.Release(s.paid)
		s.paid = 0
	}
}

// define notes that a key is indexed: which keys are says nothing about the answers, and
// a graph in memory needs no entries to find what it holds.
func (s *scratch) define(c ElementClass, key string) error {
	keys := s.keys[classSlot(c)]
	if keys[key] {
		return nil
	}
	bytes := int64(len(key) + scratchKeyBytes)
	if err := s.account.Charge(bytes); err != nil {
		return err
	}
	if s.paid += bytes; keys == nil {
		keys = map[string]bool{}
		s.keys[classSlot(c)] = keys
	}
	keys[key] = true
	return nil
}

func (s *scratch) undefine(c ElementClass, key string) {
	keys := s.keys[classSlot(c)]
	if !keys[key] {
		return
	}
	delete(keys, key)
	bytes := int64(len(key) + scratchKeyBytes)
	s.paid -= bytes
	s.account.Release(bytes)
}

func (s *scratch) indexes(c ElementClass) []IndexInfo {
	var infos []IndexInfo
	for _, key := range slices.Sorted(maps.Keys(s.keys[classSlot(c)])) {
		infos = append(infos, IndexInfo{Name: key, Class: c, State: keyindex.Active})
	}
	return infos
}

func classSlot(c ElementClass) int {
	if c == table.EdgeClass {
		return 1
	}
	return 0
}
