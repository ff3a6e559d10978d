package pebble_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
)

// workload is a serial writer that knows what the store must hold after each commit.
// It is the ledger of the crash tests: what was acknowledged must be there, what was
// not may be there as a whole or not at all.
type workload struct {
	dir    string
	opts   pebble.Options
	store  *pebble.Store
	rng    *rand.Rand
	states []map[string]string // by commit number
	acked  atomic.Int64        // last commit that was acknowledged
	issued atomic.Int64        // last commit that was asked for
	tell   func(what string, seq int)
	copies []string // checkpoints that were completed
	copyAt []int
}

func newWorkload(dir string, o pebble.Options, rng *rand.Rand) *workload {
	tell := func(string, int) {}
	return &workload{dir: dir, opts: o, rng: rng, tell: tell, states: []map[string]string{{}}}
}

// run opens the store, does n steps and closes it. It stops at the first error.
func (w *workload) run(n int) (err error) {
	if w.store, err = pebble.Open(w.dir, w.opts); err != nil {
		return err
	}
	for i := range n {
		if err := w.step(i); err != nil {
			_ = w.store.Close() // the first error counts
			return err
		}
	}
	return w.store.Close()
}

// step is mostly a commit, and in turn one of the things that move files about.
func (w *workload) step(i int) (err error) {
	switch i % 12 {
	case 1:
		err = w.commitTables()
	case 2:
		err = w.commitTablesBeside(i)
	case 3:
		err = w.store.DB().Flush()
	case 5:
		w.store.Tick()
	case 7:
		err = w.ingest(i)
	case 9:
		dir := fmt.Sprintf("%s-copy-%d", w.dir, i)
		if err = w.store.Checkpoint(context.Background(), dir); err == nil {
			w.copies, w.copyAt = append(w.copies, dir), append(w.copyAt, len(w.states)-1)
		}
	case 10:
		err = w.store.DB().Compact(context.Background(), []byte("a"), []byte("z"), false)
	case 11:
		if err = w.store.Close(); err == nil {
			w.store, err = pebble.Open(w.dir, w.opts)
		}
	}
	if err != nil {
		return err
	}
	return w.commit()
}

// commit writes several keys of different kinds, so that half a commit would show.
func (w *workload) commit() error {
	t, err := w.store.Begin(context.Background(), storage.TxOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = t.Close() }()
	state := maps.Clone(w.states[len(w.states)-1])
	mark := fmt.Sprint(len(w.states))
	writes := []error{
		set(t, state, "mark/first", mark),
		set(t, state, fmt.Sprintf("key/%02d", w.rng.IntN(40)), mark+strings.Repeat(".", w.rng.IntN(2000))),
		del(t, state, fmt.Sprintf("key/%02d", w.rng.IntN(40))),
		merge(t, state, fmt.Sprintf("counter/%d", w.rng.IntN(3)), int64(w.rng.IntN(100))),
	}
	if w.rng.IntN(4) == 0 {
		from := w.rng.IntN(40)
		writes = append(writes, delRange(t, state, fmt.Sprintf("key/%02d", from), fmt.Sprintf("key/%02d", from+w.rng.IntN(10))))
	}
	writes = append(writes, set(t, state, "mark/last", mark))
	for _, err := range writes {
		if err != nil {
			return err
		}
	}
	w.issue(state)
	seq, err := t.Commit(context.Background())
	return w.ack(seq, err)
}

func (w *workload) issue(state map[string]string) {
	w.states = append(w.states, state)
	w.issued.Store(int64(len(w.states) - 1))
	w.tell("issued", len(w.states)-1)
}

func (w *workload) ack(seq uint64, err error) error {
	if err != nil {
		return err
	}
	if int(seq) != len(w.states)-1 {
		return fmt.Errorf("commit has number %d instead of %d", seq, len(w.states)-1)
	}
	w.acked.Store(int64(seq))
	w.tell("acked", int(seq))
	return nil
}

func (w *workload) ingest(n int) error {
	state := maps.Clone(w.states[len(w.states)-1])
	from := fmt.Sprintf("ingested/%03d/", n)
	w.issue(state)
	err := w.store.Ingest(context.Background(), []byte(from), []byte(from+"~"), func(add func(key, value []byte) error) error {
		for i := 1; i <= 20; i++ {
			key := fmt.Sprintf("%s%02d", from, i)
			state[key] = "v"
			if err := add([]byte(key), []byte("v")); err != nil {
				return err
			}
		}
		return nil
	})
	return w.ack(w.store.Seq(), err)
}

// commitTables writes every fifth key, among those of others, which are in the log yet.
func (w *workload) commitTables() error {
	return w.tables(func(t storage.Tx, state map[string]string) (uint64, error) {
		return t.CommitTables(context.Background(), every(5, "table", state))
	})
}

// commitTablesBeside writes every seventh key, and says along what number that had.
func (w *workload) commitTablesBeside(n int) error {
	return w.tables(func(t storage.Tx, state map[string]string) (uint64, error) {
		along := func(add func(key, value []byte) error) error {
			key, value := "along", fmt.Sprint(n)
			state[key] = value
			return add([]byte(key), []byte(value))
		}
		late := func([]storage.Touched) (storage.KeySource, error) { return along, nil }
		return t.CommitTablesBeside(context.Background(), storage.Beside{Late: late}, every(7, "beside", state))
	})
}

// tables commits tables, of which commit notes what they hold.
func (w *workload) tables(commit func(t storage.Tx, state map[string]string) (uint64, error)) error {
	t, err := w.store.Begin(context.Background(), storage.TxOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = t.Close() }()
	state := maps.Clone(w.states[len(w.states)-1])
	w.issue(state)
	seq, err := commit(t, state)
	return w.ack(seq, err)
}

// every hands out every n-th key, and notes that it is set.
func every(n int, val string, state map[string]string) storage.KeySource {
	return func(add func(key, value []byte) error) error {
		for i := 0; i < 40; i += n {
			key := fmt.Sprintf("key/%02d", i)
			state[key] = val
			if err := add([]byte(key), []byte(val)); err != nil {
				return err
			}
		}
		return nil
	}
}

func set(t storage.Tx, state map[string]string, key, value string) error {
	state[key] = value
	return t.Set([]byte(key), []byte(value))
}

func del(t storage.Tx, state map[string]string, key string) error {
	delete(state, key)
	return t.Delete([]byte(key))
}

func delRange(t storage.Tx, state map[string]string, from, to string) error {
	for k := range state {
		if k >= from && k < to {
			delete(state, k)
		}
	}
	return t.DeleteRange([]byte(from), []byte(to))
}

func merge(t storage.Tx, state map[string]string, key string, by int64) error {
	n := int64(0)
	if v := state[key]; v != "" {
		n = int64(binary.BigEndian.Uint64([]byte(v)))
	}
	state[key] = string(binary.BigEndian.AppendUint64(nil, uint64(n+by)))
	return t.Merge([]byte(key), by)
}

// verify opens a directory and compares it with the ledger: it must hold exactly the
// state after some commit between acked and issued.
func (w *workload) verify(dir string, o pebble.Options, acked, issued int) error {
	seq, err := w.recover(dir, o)
	if err != nil {
		return err
	}
	return between(seq, acked, issued)
}

// recover opens a directory and returns the number of the last commit in it: it holds
// exactly the state after that.
func (w *workload) recover(dir string, o pebble.Options) (int, error) {
	s, err := pebble.Open(dir, o)
	if err != nil {
		return 0, err
	}
	seq := int(s.Seq())
	if seq >= len(w.states) {
		_ = s.Close() // the first error counts
		return 0, fmt.Errorf("recovered %d, the last commit is %d", seq, len(w.states)-1)
	}
	if err := compare(s, w.states[seq]); err != nil {
		_ = s.Close() // the first error counts
		return 0, fmt.Errorf("state %d: %w", seq, err)
	}
	return seq, s.Close()
}

// between requires that what was recovered holds all that was acknowledged, and nothing
// that nobody asked for.
func between(seq, acked, issued int) error {
	if seq < acked || seq > issued {
		return fmt.Errorf("lost: recovered %d, acknowledged %d, issued %d", seq, acked, issued)
	}
	return nil
}

// compare requires that the store holds want and nothing else.
func compare(s storage.Store, want map[string]string) error {
	snap, err := s.Snapshot()
	if err != nil {
		return err
	}
	defer func() { _ = snap.Close() }()
	it := snap.Scan(storage.ScanOptions{From: []byte("a")}) // the commit number is in front of it
	keys := slices.Sorted(maps.Keys(want))
	for ; it.Next(); keys = keys[1:] {
		if len(keys) == 0 || string(it.Key()) != keys[0] {
			return fmt.Errorf("key %q, want %q", it.Key(), keys[:min(1, len(keys))])
		}
		if string(it.Value()) != want[keys[0]] {
			return fmt.Errorf("%s is %q, want %q", keys[0], it.Value(), want[keys[0]])
		}
	}
	if err := it.Close(); err != nil {
		return err
	}
	if len(keys) > 0 {
		return fmt.Errorf("%d keys are missing, first %q", len(keys), keys[0])
	}
	return nil
}
