package storagetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// evens hands out the even keys from first to last with a prefix.
func evens(prefix string, first, last int) storage.KeySource {
	return func(add func(key, value []byte) error) error {
		for i := first; i <= last; i += 2 {
			if err := add(fmt.Appendf(nil, "%s%02d", prefix, i), []byte("t")); err != nil {
				return err
			}
		}
		return nil
	}
}

// tables commits sources, and wants an error of a kind, or none.
func (t *tx) tables(want error, sources ...storage.KeySource) {
	t.Helper()
	seq, err := t.Tx.CommitTables(context.Background(), sources...)
	if t.is(err, want); want == nil && seq != t.store.Seq() {
		t.Fatalf("commit %d, the last one is %d", seq, t.store.Seq())
	}
}

// testCommitTables commits tables among the keys of others.
func testCommitTables(b *bench) {
	b.put("k01", "1", "k02", "1", "k03", "1", "m05", "1", "z", "1")
	old := b.begin(storage.TxOptions{ReadOnly: true})
	b.begin(storage.TxOptions{}).tables(nil, evens("k", 2, 4), evens("l", 0, -2), evens("m", 4, 6))
	now := b.begin(storage.TxOptions{})
	b.eq(now.scan("k", "n"), "k01=1 k02=t k03=1 k04=t m04=t m05=1 m06=t")
	b.eq(old.scan("k", "n"), "k01=1 k02=1 k03=1 m05=1")
	b.put("k02", "2")
	b.eq(b.begin(storage.TxOptions{}).get("k02"), "2")
	before := b.store.Seq()
	b.begin(storage.TxOptions{}).tables(nil, evens("k", 0, -2))
	b.eq(b.store.Seq(), before)
}

// testCommitTablesConflicts has others read and write meanwhile.
func testCommitTablesConflicts(b *bench) {
	for what, before := range map[string]func(t *tx){
		"a read":     func(t *tx) { t.scan("r", "s") },
		"a guard":    func(t *tx) { t.Guard([]byte("r1")) },
		"in between": func(*tx) {},
	} {
		t := b.begin(storage.TxOptions{})
		before(t)
		key := "r1"
		if what == "in between" {
			key = "k03"
		}
		b.put(key, what)
		t.tables(storage.ErrConflict, evens("k", 2, 4))
		b.eq(b.begin(storage.TxOptions{}).get("k02"), "-")
	}
	began := func(fn func(*tx), o storage.TxOptions) *tx {
		t := b.begin(o)
		fn(t)
		return t
	}
	weak := storage.TxOptions{Isolation: storage.SnapshotIsolation}
	writer := began(func(t *tx) { t.set("k05", "w") }, weak)
	deleter := began(func(t *tx) { t.delRange("k045", "k047") }, weak)
	reader := began(func(t *tx) { t.scan("k045", "k047"); t.set("x", "1") }, storage.TxOptions{})
	careless := began(func(t *tx) { t.scan("k045", "k047"); t.set("y", "1") }, weak)
	outside := began(func(t *tx) { t.scan("k07", "k09"); t.set("k07", "w") }, storage.TxOptions{})
	b.begin(storage.TxOptions{}).tables(nil, evens("k", 2, 6))
	writer.conflict()
	deleter.conflict()
	reader.conflict()
	careless.commit()
	outside.commit()
}

// testCommitTablesRefused commits what cannot be, and wants nothing of it.
func testCommitTablesRefused(b *bench) {
	stop := errors.New("stop")
	t := b.begin(storage.TxOptions{})
	t.tables(stop, evens("k", 2, 4), func(func(key, value []byte) error) error { return stop })
	if _, err := b.begin(storage.TxOptions{}).CommitTables(context.Background(), evens("k", 2, 6), evens("k", 4, 8)); err == nil {
		b.Fatal("sources that overlap were committed")
	}
	b.begin(storage.TxOptions{ReadOnly: true}).tables(storage.ErrReadOnly, evens("k", 2, 4))
	t = b.begin(storage.TxOptions{})
	t.set("a", "1")
	if _, err := t.CommitTables(context.Background(), evens("k", 2, 4)); err == nil {
		b.Fatal("tables were committed with writes")
	}
	t = b.begin(storage.TxOptions{})
	if _, err := t.CommitTables(canceled(), evens("k", 2, 4)); !errors.Is(err, context.Canceled) {
		b.Fatal(err)
	}
	t.tables(storage.ErrClosed, evens("k", 2, 4))
	b.eq(b.begin(storage.TxOptions{}).scan("a", "n"), "")
}
