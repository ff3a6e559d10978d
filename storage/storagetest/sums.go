package storagetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/storage"
)

// Counts among the writes of a random history. Who adds conflicts with nobody who adds, so
// that no order of versions says what a reader may see; but commit numbers do: the sum of what
// was acknowledged up to its snapshot, on top of which comes what it did itself.

// sumKeys are how many counts there are.
const sumKeys = 2

// summed is one change of a count: n is added, or set.
type summed struct {
	key string
	n   int64
	set bool
}

func (s summed) apply(to int64) int64 {
	if s.set {
		return s.n
	}
	return to + s.n
}

// sighting is a count as a transaction read it.
type sighting struct {
	key  string
	n    int64
	at   uint64 // the snapshot
	done int    // how many of its own changes came before
}

// sum adds to a count or sets it, or reads it.
func (c *client) sum() {
	key := fmt.Sprint("sum/", c.rng.IntN(sumKeys))
	n := int64(c.rng.IntN(1000) - 500)
	change := summed{key, n, c.rng.IntN(8) == 0}
	if c.rec.readOnly || c.rng.IntN(8) == 0 {
		c.see(key)
		return
	}
	var err error
	if change.set {
		err = c.tx.Set([]byte(key), storage.AppendCount(nil, n))
	} else {
		err = c.tx.Merge([]byte(key), n)
	}
	if c.level == storage.CommittedIsolation && errors.Is(err, storage.ErrConflict) {
		return // refreshed, and lost already
	}
	c.ok(err)
	c.rec.sums = append(c.rec.sums, change)
}

// see reads a count.
func (c *client) see(key string) {
	c.rec.sees = append(c.rec.sees, sighting{key, count(c.bench, c.tx, key), c.tx.Seq(), len(c.rec.sums)})
}

func count(b *bench, r storage.Reader, key string) int64 {
	v, err := r.Get([]byte(key))
	if errors.Is(err, storage.ErrNotFound) {
		return 0
	}
	b.ok(err)
	n, ok := storage.Count(v)
	if !ok {
		b.Fatalf("%s holds %x", key, v)
	}
	return n
}

// checkSums has every transaction have seen the sum of what had been committed.
func (r *historyRun) checkSums() {
	var writers []*record
	for _, rec := range r.h.records {
		if rec.committed && len(rec.sums) > 0 {
			writers = append(writers, rec)
		}
	}
	slices.SortFunc(writers, func(a, b *record) int { return cmp.Compare(a.seq, b.seq) })
	at := func(key string, seq uint64) (n int64) {
		for _, w := range writers {
			if w.seq <= seq {
				n = after(w.sums, key, n)
			}
		}
		return n
	}
	for _, rec := range r.h.records {
		for _, s := range rec.sees {
			if want := after(rec.sums[:s.done], s.key, at(s.key, s.at)); s.n != want {
				r.Errorf("transaction %d at commit %d read %s=%d where it is %d", rec.id, s.at, s.key, s.n, want)
			}
			// Who reads and writes stands at its commit, behind everything that came meanwhile.
			writes := rec.committed && len(rec.sums)+len(rec.writes) > 0
			if r.level == storage.StrictSerializable && writes && !rec.blind(s) && at(s.key, s.at) != at(s.key, rec.seq-1) {
				r.Errorf("transaction %d (commit %d) read %s at commit %d, and it has changed since", rec.id, rec.seq, s.key, s.at)
			}
		}
	}
	t, err := r.store.Begin(context.Background(), storage.TxOptions{ReadOnly: true})
	r.ok(err)
	for i := range sumKeys {
		key := fmt.Sprint("sum/", i)
		if n, want := count(r.bench, t, key), at(key, t.Seq()); n != want {
			r.Errorf("%s is %d in the end, and %d were acknowledged", key, n, want)
		}
	}
	r.ok(t.Close())
}

// blind reports whether r had set the count itself, so that it read nobody's.
func (r *record) blind(s sighting) bool {
	return slices.ContainsFunc(r.sums[:s.done], func(x summed) bool { return x.set && x.key == s.key })
}

// after is what changes make of a count.
func after(changes []summed, key string, n int64) int64 {
	for _, x := range changes {
		if x.key == key {
			n = x.apply(n)
		}
	}
	return n
}
