package past_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

// cells are three in a row; that in the middle is the one that changed.
var cells = [3][]byte{table.AppendVertexExists(nil, graph, 1), table.AppendVertexExists(nil, graph, 2), table.AppendVertexExists(nil, graph, 3)}

// changedOften returns a store with a history in which the cell in the middle was 0, 1, 2 and so on,
// which it was first as of stamp(0), stamp(1), stamp(2).
func changedOften(t *testing.T, times int) (s storage.Store, stamp func(i int) storage.Stamp) {
	t.Helper()
	clock := time.Unix(1700000000, 0)
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, Now: func() time.Time { return clock }})
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	for i := range times {
		clock = clock.Add(time.Second)
		tx, err := s.Begin(ctx, storage.TxOptions{})
		ok(t, err)
		if i == 0 {
			floor := table.FloorKey(graph)
			ok(t, tx.SetStamped(floor, make([]byte, storage.StampSize), len(floor)))
			ok(t, tx.Set(cells[0], []byte("first")))
			ok(t, tx.Set(cells[2], []byte("last")))
		}
		ok(t, tx.Set(cells[1], fmt.Append(nil, i)))
		ok(t, past.Keep(tx, graph, nil, nil))
		_, err = tx.Commit(ctx)
		ok(t, err)
	}
	return s, func(i int) storage.Stamp { return storage.LastOf(time.Unix(1700000001+int64(i), 0)) }
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func begin(t *testing.T, s storage.Store) storage.Tx {
	t.Helper()
	tx, err := s.Begin(ctx, storage.TxOptions{})
	ok(t, err)
	t.Cleanup(func() { ok(t, tx.Close()) })
	return tx
}

// around is a scan of all three cells.
func around(reverse bool) storage.ScanOptions {
	return storage.ScanOptions{From: cells[0], To: append(cells[2][:len(cells[2]):len(cells[2])], 0), Reverse: reverse}
}

// drain reads to the end.
func drain(it storage.Iterator) (all string, err error) {
	for it.Next() {
		all += string(it.Value()) + " "
	}
	return all, errors.Join(it.Err(), it.Close())
}

// TestScan_PassesManyRows: of a cell that changed 200 times a scan reads few rows, however
// many lie before and behind the time that it asks for.
func TestScan_PassesManyRows(t *testing.T) {
	const times = 200
	s, stamp := changedOften(t, times)
	counting := &storagetest.Counting{Store: s}
	for _, i := range []int{0, 1, times / 2, times - 2, times - 1} {
		tx := begin(t, counting)
		for reverse, want := range map[bool]string{false: fmt.Sprintf("first %d last ", i), true: fmt.Sprintf("last %d first ", i)} {
			counting.Reset()
			got, err := drain(past.New(tx, graph, stamp(i)).Scan(around(reverse)))
			if err != nil || got != want {
				t.Errorf("as of change %d: %q, %v, want %q", i, got, err, want)
			}
			if n := counting.Reads(); n.Keys > 50 || n.Trips > 10 {
				t.Errorf("as of change %d, reverse %t: %+v", i, reverse, n)
			}
		}
	}
}

// TestKeep_Same: a cell that is removed with others and written again as it was has not changed.
func TestKeep_Same(t *testing.T) {
	s, _ := changedOften(t, 1)
	tx := begin(t, s)
	ok(t, tx.DeleteRange(cells[0], cells[2]))
	ok(t, tx.Set(cells[0], []byte("first")))
	ok(t, past.Keep(tx, graph, nil, nil))
	var kept []string
	ok(t, tx.Changes(func(c storage.Change) error {
		if cell, _, err := table.DecodePastRow(nil, c.Key); err == nil {
			kept = append(kept, string(cell))
		}
		return nil
	}))
	if want := []string{string(cells[1])}; !slices.Equal(kept, want) {
		t.Errorf("%x is kept, want %x", kept, want)
	}
}

// readings are all ways to read what there was.
var readings = map[string]func(tx storage.Tx, at storage.Stamp) error{
	"Get": func(tx storage.Tx, at storage.Stamp) error {
		_, err := past.New(tx, graph, at).Get(cells[1])
		return err
	},
	"GetMany": func(tx storage.Tx, at storage.Stamp) error {
		return past.New(tx, graph, at).GetMany(cells[:], func(int, []byte) error { return nil })
	},
	"Scan": func(tx storage.Tx, at storage.Stamp) error {
		_, err := drain(past.New(tx, graph, at).Scan(around(false)))
		return err
	},
	"Scan back": func(tx storage.Tx, at storage.Stamp) error {
		_, err := drain(past.New(tx, graph, at).Scan(around(true)))
		return err
	},
	"ScanMany": func(tx storage.Tx, at storage.Stamp) error {
		return past.New(tx, graph, at).ScanMany([]storage.ScanOptions{around(false), {From: cells[2], To: around(false).To}},
			func(int, []byte, []byte) (bool, error) { return true, nil })
	},
	"Span": func(tx storage.Tx, at storage.Stamp) error {
		_, _, err := past.Around(tx, graph, at-1, at).Get(cells[1])
		return err
	},
}

// TestFaults: whatever fails beneath who reads the past, or makes it, comes back from it, and
// nothing stays open.
func TestFaults(t *testing.T) {
	s, stamp := changedOften(t, 20)
	faulty := &storagetest.Faulty{Store: s}
	does := map[string]func(tx storage.Tx) error{
		"Keep": func(tx storage.Tx) error {
			if err := errors.Join(tx.DeleteRange(cells[0], cells[2]), tx.Set(cells[0], nil)); err != nil {
				return err
			}
			return past.Keep(tx, graph, nil, nil)
		},
	}
	for name, read := range readings {
		does[name] = func(tx storage.Tx) error { return read(tx, stamp(3)) }
	}
	for name, do := range does {
		for call := int64(0); ; call++ {
			tx := begin(t, s)
			f := faulty.At(call, func() error { return do(faulty.Tx(tx)) })
			if f.Open != 0 || f.Happened != errors.Is(f.Err, storagetest.ErrDisk) || !f.Happened && f.Err != nil {
				t.Errorf("%s, call %d: %+v", name, call, f)
			}
			if !f.Happened {
				break
			}
		}
	}
	for call := int64(0); ; call++ {
		f := faulty.At(call, func() error {
			_, _, err := past.Shorten(storagetest.Asking(ctx), faulty, graph, past.Place{}, stamp(1))
			return err
		})
		if f.Open != 0 || f.Happened != errors.Is(f.Err, storagetest.ErrDisk) {
			t.Errorf("Shorten, call %d: %+v", call, f)
		}
		if !f.Happened {
			break
		}
	}
}

// TestDamaged: rows of history that nobody wrote are told as damage, whoever reads them.
func TestDamaged(t *testing.T) {
	row := table.AppendPastRow(nil, cells[1], storage.LastOf(time.Unix(1800000000, 0)))
	for name, read := range readings {
		s, stamp := changedOften(t, 1)
		tx := begin(t, s)
		ok(t, tx.Set(row, []byte{9}))
		if err := read(tx, stamp(0)); !errors.Is(err, storage.ErrCorrupt) {
			t.Errorf("%s of a value that is none: %v", name, err)
		}
	}
	s, stamp := changedOften(t, 1)
	id := table.AppendUserID(nil, graph, table.VertexClass, []byte("id"))
	row = table.AppendPastRow(nil, id, stamp(9))
	tx := begin(t, s)
	ok(t, tx.Set(append(row[:len(id)+1:len(id)+1], row[len(row)-storage.StampSize:]...), nil)) // the id does not end
	for _, reverse := range []bool{false, true} {
		o := storage.ScanOptions{From: cells[0], To: table.PrefixEnd(nil, id), Reverse: reverse}
		if _, err := drain(past.New(tx, graph, stamp(0)).Scan(o)); !errors.Is(err, table.ErrKey) {
			t.Errorf("reverse %t: a scan of a key that is none: %v", reverse, err)
		}
	}
}

// unclosed is a reader whose iterators are counted, and of which the one with the number fails to
// be closed.
type unclosed struct {
	storage.Reader
	bad, scans, closed int
}

type unclosedIterator struct {
	storage.Iterator
	u      *unclosed
	number int
}

func (u *unclosed) Scan(o storage.ScanOptions) storage.Iterator {
	u.scans++
	return &unclosedIterator{u.Reader.Scan(o), u, u.scans}
}

func (it *unclosedIterator) Close() error {
	it.u.closed++
	if err := it.Iterator.Close(); err != nil || it.number != it.u.bad {
		return err
	}
	return storagetest.ErrDisk
}

// TestScan_CloseFails: who closes a scan hears of each iterator beneath that cannot be closed, and
// the others are closed all the same.
func TestScan_CloseFails(t *testing.T) {
	s, stamp := changedOften(t, 20)
	for _, reverse := range []bool{false, true} {
		for bad, scans := 1, 1; bad <= scans; bad++ {
			u := &unclosed{Reader: begin(t, s), bad: bad}
			if _, err := drain(past.At(u, graph, stamp(3)).Scan(around(reverse))); !errors.Is(err, storagetest.ErrDisk) {
				t.Errorf("reverse %t: iterator %d of %d failed to be closed: %v", reverse, bad, u.scans, err)
			}
			if scans = u.scans; u.closed < scans {
				t.Errorf("reverse %t: %d of %d iterators are closed", reverse, u.closed, scans)
			}
		}
	}
}
