package occ

import (
	"runtime"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
)

// Scans that are not yet closed are charged: each has a cursor of the store. Few readers
// have more than one or two; a script that takes one result each of many traversals leaves
// a scan open for each, and may keep the traversal or forget it. Those that it forgot are
// closed in time, so that it pays for what it keeps.

const (
	scanBytes = 20 << 10 // of a scan, most of it in the store's cursor
	scansFree = 8        // that are nobody's
	sweepFrom = 64       // scans, below which none is looked for that was forgotten
	forceFrom = 256      // scans begun between two times that garbage is looked for
)

// scans counts the open scans of a snapshot.
type scans struct {
	paid  account.Ledger
	count int
	sweep int // how many there are before forgotten ones are looked for
	begun int // since garbage was looked for
}

func chargedTo(a *account.Account) scans { return scans{paid: account.Ledger{Account: a}} }

// another counts those of another snapshot, on the same account.
func (s *scans) another() scans { return chargedTo(s.paid.Account) }

func (s *scans) cover() error {
	return s.paid.Cover(int64(max(s.count+1-scansFree, 0)) * scanBytes)
}

// admit charges for one more scan.
func (s *snapshot) admit() error {
	if s.scans.count < scansFree {
		s.scans.count++
		return nil
	}
	if s.scans.count >= max(s.scans.sweep, sweepFrom) {
		s.closeForgotten()
		s.scans.sweep = 2 * s.scans.count
	}
	err := s.scans.cover()
	if err != nil && s.scans.begun >= forceFrom {
		s.scans.begun = 0
		account.Collect()
		s.closeForgotten()
		err = s.scans.cover()
	}
	if err != nil {
		return err
	}
	s.scans.begun++
	s.scans.count++
	return nil
}

// dismiss is the end of a scan that was admitted.
func (s *snapshot) dismiss() {
	s.scans.count--
	s.scans.paid.Shrink(int64(max(s.scans.count-scansFree, 0)) * scanBytes)
}

// closeForgotten closes the scans that nobody can reach any more.
func (s *snapshot) closeForgotten() {
	for it := s.open; it != nil; {
		next := it.next
		if it.forgotten.Load() {
			_ = it.Close() // who would read the error is gone
		}
		it = next
	}
}

// lent is a scan whose reader may forget it.
type lent struct {
	*iterator
	cleanup runtime.Cleanup
}

// lend returns the iterator as its reader gets it.
func (it *iterator) lend() storage.Iterator {
	if it.snap.scans.count <= scansFree {
		return it
	}
	l := &lent{iterator: it}
	l.cleanup = runtime.AddCleanup(l, func(f *atomic.Bool) { f.Store(true) }, &it.forgotten)
	return l
}

// Close implements storage.Iterator.
func (l *lent) Close() error {
	l.cleanup.Stop()
	return l.iterator.Close()
}
