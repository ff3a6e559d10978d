package occ

import (
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
)

// Scans that are not yet closed are charged: each has a cursor of the store. Few readers
// have more than one or two; a script that takes one result each of many traversals leaves
// a scan open for each.

const (
	scanBytes = 20 << 10 // of a scan, most of it in the store's cursor
	scansFree = 8        // that are nobody's
)

// scans counts the open scans of a snapshot.
type scans struct {
	paid   account.Ledger
	count  int
	relief storage.Relief // nil for none
}

func scansOf(o *storage.TxOptions) scans {
	return scans{paid: account.Ledger{Account: o.Account}, relief: o.Relief}
}

// another counts those of another snapshot, on the same account.
func (s *scans) another() scans { return scans{paid: account.Ledger{Account: s.paid.Account}} }

// begin charges for one more scan.
func (s *scans) begin() error {
	err := s.cover()
	if err != nil && s.relief != nil && s.relief.Relieve() {
		err = s.cover()
	}
	if err == nil {
		s.count++
	}
	return err
}

func (s *scans) cover() error {
	if s.count < scansFree {
		return nil
	}
	return s.paid.Cover(int64(s.count+1-scansFree) * scanBytes)
}

// end is the end of a scan that has begun.
func (s *scans) end() {
	if s.count--; s.count <= scansFree {
		s.paid.Clear()
	} else {
		s.paid.Shrink(int64(s.count-scansFree) * scanBytes)
	}
}
