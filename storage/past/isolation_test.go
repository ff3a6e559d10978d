package past_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

// TestIsolation_AsOf: while some write, others read times of the past, also one that is now. Each
// of these reads is what exactly one commit left, the last of its time: of all commits in the
// order in which history has them, done again one after the other. What was acknowledged before a
// time is in it.
func TestIsolation_AsOf(t *testing.T) {
	storagetest.Seeds(t, 2, func(t *testing.T, seed uint64) {
		s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
		if err != nil {
			t.Fatal(err)
		}
		r := &race{T: t, store: s, cells: keys(), done: map[uint64]*written{}}
		defer s.Close()
		var writers, readers sync.WaitGroup
		var over atomic.Bool
		begun := time.Now()
		for i := range uint64(4) {
			rnd := storagetest.Rand(seed<<8 + i)
			writers.Go(func() {
				for n := uint64(0); n < 20 || !over.Load(); n++ {
					r.writer(i<<32|n, rnd)
				}
			})
		}
		for i := range uint64(2) {
			rnd := storagetest.Rand(seed<<8 + 16 + i)
			readers.Go(func() {
				for range 15 {
					r.reader(rnd, begun)
				}
			})
		}
		readers.Wait()
		over.Store(true)
		writers.Wait()
		r.judge()
	})
}

// race is a store, what was written to it and what was read.
type race struct {
	*testing.T
	store storage.Store
	cells [][]byte
	mu    sync.Mutex
	done  map[uint64]*written
	acked []uint64
	reads []seen
}

// written is what a commit wrote; "" deletes.
type written struct{ cells map[string]string }

// seen is what was read of a time.
type seen struct {
	at    storage.Stamp
	acked int // how many were, before
	cells map[string]string
}

// writer makes a commit, which has a number that its note tells, unless it loses a conflict.
func (r *race) writer(id uint64, rnd *rand.Rand) {
	if err := r.write(id, storage.Isolation(rnd.IntN(2)), rnd); err != nil && !errors.Is(err, storage.ErrConflict) {
		r.Error(err)
	}
}

func (r *race) write(id uint64, level storage.Isolation, rnd *rand.Rand) error {
	tx, err := r.store.Begin(ctx, storage.TxOptions{Isolation: level})
	if err != nil {
		return err
	}
	defer tx.Close()
	w := &written{map[string]string{}}
	for range 1 + rnd.IntN(5) {
		k, val := r.cells[rnd.IntN(len(r.cells))], fmt.Sprint(id)
		if rnd.IntN(4) == 0 {
			val = ""
			err = tx.Delete(k)
		} else {
			err = tx.Set(k, []byte(val))
		}
		if w.cells[string(k)] = val; err != nil {
			return err
		}
	}
	if err := past.Keep(tx, graph, binary.BigEndian.AppendUint64(nil, id), nil); err != nil {
		return err
	}
	r.mu.Lock()
	r.done[id] = w
	r.mu.Unlock()
	if _, err = tx.Commit(ctx); err == nil {
		r.mu.Lock()
		r.acked = append(r.acked, id)
		r.mu.Unlock()
	}
	return err
}

// reader reads all cells as of a time since begun, one in two of which is now.
func (r *race) reader(rnd *rand.Rand, begun time.Time) {
	r.mu.Lock()
	read := seen{acked: len(r.acked)}
	r.mu.Unlock()
	// Behind a time that somebody was served, what is committed has the next millisecond.
	<-time.After(2 * time.Millisecond)
	when := time.Now()
	if rnd.IntN(2) == 0 {
		read.acked, when = 0, begun.Add(time.Duration(rnd.Int64N(int64(time.Since(begun))+1)))
	}
	read.at = storage.LastOf(when)
	if err := r.store.PassStamp(ctx, read.at); err != nil {
		r.Error(err)
		return
	}
	tx, err := r.store.Begin(ctx, storage.TxOptions{ReadOnly: true})
	if err != nil {
		r.Error(err)
		return
	}
	defer tx.Close()
	p := past.New(tx, graph, read.at)
	read.cells = map[string]string{}
	err = p.GetMany(r.cells, func(i int, v []byte) error {
		if v != nil {
			read.cells[string(r.cells[i])] = string(v)
		}
		return nil
	})
	if err != nil {
		r.Error(err)
	}
	r.mu.Lock()
	r.reads = append(r.reads, read)
	r.mu.Unlock()
}

// judge does the commits again in the order of history.
func (r *race) judge() {
	snap, err := r.store.Snapshot()
	if err != nil {
		r.Fatal(err)
	}
	defer snap.Close()
	var stamps []storage.Stamp
	var after []map[string]string // what each left
	was, place := map[string]string{}, map[uint64]int{}
	it := snap.Scan(storage.ScanOptions{From: table.AppendTable(nil, graph, table.Commits), To: table.AppendTable(nil, graph, table.Commits+1)})
	defer it.Close()
	for it.Next() {
		_, at, err := table.DecodeCommit(it.Key())
		c := table.DecodeChanged(it.Value())
		if err != nil || len(c.Note) != 8 {
			r.Fatal(err, c.Note)
		}
		id := binary.BigEndian.Uint64(c.Note)
		place[id] = len(stamps)
		was = maps.Clone(was)
		for k, v := range r.done[id].cells {
			if was[k] = v; v == "" {
				delete(was, k)
			}
		}
		stamps, after = append(stamps, at), append(after, was)
	}
	for _, read := range r.reads {
		n := 0
		for n < len(stamps) && stamps[n] <= read.at {
			n++
		}
		want := map[string]string{}
		if n > 0 {
			want = after[n-1]
		}
		if !maps.Equal(read.cells, want) {
			r.Errorf("as of %d, behind %d of %d commits: %q, want %q", read.at, n, len(stamps), read.cells, want)
		}
		for _, id := range r.acked[:read.acked] {
			if i, has := place[id]; has && i >= n {
				r.Errorf("as of %d: commit %d was acknowledged before and is not in it", read.at, id)
			}
		}
	}
	if len(stamps) < 20 {
		r.Errorf("%d commits tell nothing", len(stamps))
	}
}
