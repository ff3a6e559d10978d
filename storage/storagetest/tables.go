package storagetest

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// testCommitTablesBeside has others read and write meanwhile, which is told and makes those lose
// alone who read.
func testCommitTablesBeside(b *bench) {
	b.put("r1", "1", "r5", "1", "r6", "1")
	none := func([]storage.Touched) (storage.KeySource, error) { return nil, nil }
	beside := func(t *tx, late func([]storage.Touched) (storage.KeySource, error), sources ...storage.KeySource) error {
		seq, err := t.CommitTablesBeside(context.Background(), storage.Beside{Late: late}, sources...)
		if err == nil && seq != b.store.Seq() {
			b.Fatalf("commit %d, the last one is %d", seq, b.store.Seq())
		}
		return err
	}
	began := func(fn func(*tx), o storage.TxOptions) *tx {
		t := b.begin(o)
		fn(t)
		return t
	}
	writer := began(func(t *tx) { t.set("k04", "w"); t.del("k06") }, storage.TxOptions{})
	reader := began(func(t *tx) { t.scan("k045", "k047"); t.set("x", "1") }, storage.TxOptions{})
	t := b.begin(storage.TxOptions{})
	t.scan("r", "s")
	t.get("q")
	b.put("r1", "2", "k05", "o", "p", "o", "q", "o")
	began(func(t *tx) { t.delRange("r5", "r7") }, storage.TxOptions{}).commit()
	var told []string
	err := beside(t, func(touched []storage.Touched) (storage.KeySource, error) {
		for _, c := range touched {
			told = append(told, fmt.Sprintf("%s-%s", c.From, c.To))
		}
		return func(add func(key, value []byte) error) error {
			return errors.Join(add([]byte("along"), []byte("1")), add([]byte("alongside"), []byte("2")))
		}, nil
	}, evens("k", 2, 8))
	b.eq(err, nil)
	slices.Sort(told)
	b.eq(fmt.Sprint(told), "[q- r1- r5-r7]")
	b.eq(b.begin(storage.TxOptions{}).scan("a", "l"), "along=1 alongside=2 k02=t k04=t k05=o k06=t k08=t")
	writer.commit()
	reader.conflict()
	b.eq(b.begin(storage.TxOptions{}).scan("k", "l"), "k02=t k04=w k05=o k08=t")

	stop := errors.New("stop")
	b.eq(beside(b.begin(storage.TxOptions{}), func([]storage.Touched) (storage.KeySource, error) { return nil, stop }, evens("l", 2, 8)), stop)
	guarded := began(func(t *tx) { t.Guard([]byte("r1")) }, storage.TxOptions{})
	b.put("r1", "3")
	b.eq(errors.Is(beside(guarded, none, evens("l", 2, 8)), storage.ErrConflict), true)
	b.eq(b.begin(storage.TxOptions{}).scan("l", "m"), "")
	b.eq(beside(b.begin(storage.TxOptions{}), none), nil)
	b.eq(beside(b.begin(storage.TxOptions{}), func([]storage.Touched) (storage.KeySource, error) {
		return func(add func(key, value []byte) error) error { return add([]byte("alone"), nil) }, nil
	}), nil)
	b.eq(b.begin(storage.TxOptions{}).get("alone"), "")
}

// testCommitTablesOver has others write in ranges that count as written, with tables and without.
func testCommitTablesOver(b *bench) {
	weak := storage.TxOptions{Isolation: storage.SnapshotIsolation}
	over := storage.Beside{
		Late: func([]storage.Touched) (storage.KeySource, error) { return nil, nil },
		Over: []storage.Range{{From: []byte("a"), To: []byte("b")}, {From: []byte("k"), To: []byte("l")}},
	}
	for _, source := range []storage.KeySource{evens("k", 2, 8), evens("k", 0, -2)} {
		among, elsewhere, outside := b.begin(weak), b.begin(weak), b.begin(weak)
		among.set("k03", "w")
		elsewhere.del("a1")
		outside.set("b", "w")
		if _, err := b.begin(storage.TxOptions{}).CommitTablesBeside(context.Background(), over, source); err != nil {
			b.Fatal(err)
		}
		among.conflict()
		elsewhere.conflict()
		outside.commit()
		b.put("k03", "later", "a1", "later")
	}
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
