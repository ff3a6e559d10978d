package storagetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/storage"
)

type testCase struct {
	name string
	run  func(b *bench)
}

// contract is what store.go promises, one promise per case.
var contract = []testCase{
	{"GetSetDelete", testGetSetDelete},
	{"ScanBothWays", testScanBothWays},
	{"OverlayOverBase", testOverlayOverBase},
	{"ScanSeesEarlierWritesOnly", testScanSeesEarlierWritesOnly},
	{"ScanMoves", testScanMoves},
	{"DeleteRange", testDeleteRange},
	{"DeleteRangeMany", testDeleteRangeMany},
	{"Merge", testMerge},
	{"SetNew", testSetNew},
	{"Stamps", testStamps},
	{"StampsNowhere", testStampsNowhere},
	{"StampsLarge", testStampsLarge},
	{"PassStamp", testPassStamp},
	{"Changes", testChanges},
	{"Wrote", testWrote},
	{"SnapshotsDoNotMove", testSnapshotsDoNotMove},
	{"Fork", testFork},
	{"ReadOnly", testReadOnly},
	{"Over", testOver},
	{"Recycle", testRecycle},
	{"OnCommit", testOnCommit},
	{"OnShown", testOnShown},
	{"Admit", testAdmit},
	{"Alone", testAlone},
	{"AloneWithin", testAloneWithin},
	{"Refresh", testRefresh},
	{"Ingest", testIngest},
	{"CommitTables", testCommitTables},
	{"CommitTablesConflicts", testCommitTablesConflicts},
	{"CommitTablesBeside", testCommitTablesBeside},
	{"CommitTablesOver", testCommitTablesOver},
	{"CommitTablesRefused", testCommitTablesRefused},
	{"Canceled", testCanceled},
	{"CommitAsync", testCommitAsync},
	{"GetMany", testGetMany},
	{"ScanMany", testScanMany},
	{"ScanManyEnds", testScanManyEnds},
	{"ManyObserve", testManyObserve},
	{"ManyOver", testManyOver},
	{"ReadsEnd", testReadsEnd},
}

// await commits without waiting, and waits.
func await(t storage.Tx) (uint64, error) {
	type outcome struct {
		seq uint64
		err error
	}
	done := make(chan outcome)
	go t.CommitAsync(context.Background(), func(seq uint64, err error) { done <- outcome{seq, err} })
	o := <-done
	return o.seq, o.err
}

func testCommitAsync(b *bench) {
	first, second := b.begin(storage.TxOptions{}), b.begin(storage.TxOptions{})
	b.eq(first.get("a"), "-")
	b.eq(second.get("a"), "-")
	first.set("a", "1")
	second.set("a", "2")
	seq, err := await(first.Tx)
	b.ok(err)
	b.eq(b.store.Seq(), seq)
	b.eq(b.begin(storage.TxOptions{}).get("a"), "1")
	_, err = await(second.Tx)
	b.is(err, storage.ErrConflict)
	_, err = await(second.Tx)
	b.is(err, storage.ErrClosed)

	for _, o := range []storage.TxOptions{{}, {ReadOnly: true}} { // nothing to write
		t := b.begin(o)
		b.eq(t.get("a"), "1")
		got, err := await(t.Tx)
		b.ok(err)
		b.eq(got, seq)
	}
	alone := b.begin(storage.TxOptions{Alone: true})
	alone.set("a", "3")
	_, err = await(alone.Tx)
	b.ok(err)
	b.put("a", "4") // nobody is alone any more
}

func testGetSetDelete(b *bench) {
	t := b.begin(storage.TxOptions{})
	b.eq(t.get("a"), "-")
	t.set("a", "1")
	t.set("b", "")
	b.eq(t.get("a"), "1")
	b.eq(t.get("b"), "")
	first := t.commit()
	t = b.begin(storage.TxOptions{})
	b.eq(t.Seq(), first)
	b.eq(t.get("a"), "1")
	b.eq(t.get("b"), "")
	t.del("a")
	b.eq(t.get("a"), "-")
	b.eq(t.commit(), first+1)
	t = b.begin(storage.TxOptions{})
	b.eq(t.get("a"), "-")
	b.eq(b.store.Seq(), first+1)
	b.eq(t.commit(), first+1) // nothing to write: no commit
}

func testScanBothWays(b *bench) {
	b.put("b", "2", "a", "1", "d", "4", "c", "3")
	t := b.begin(storage.TxOptions{})
	b.eq(scan(b, t.Tx, "a", "", false), "a=1 b=2 c=3 d=4")
	b.eq(scan(b, t.Tx, "b", "d", false), "b=2 c=3")
	b.eq(scan(b, t.Tx, "b", "d", true), "c=3 b=2")
	b.eq(scan(b, t.Tx, "bb", "", true), "d=4 c=3")
	b.eq(scan(b, t.Tx, "e", "", false), "")
	b.eq(scan(b, t.Tx, "c", "c", false), "")
}

func testOverlayOverBase(b *bench) {
	b.put("a", "1", "b", "2", "c", "3", "e", "5")
	t := b.begin(storage.TxOptions{})
	t.set("b", "B")
	t.del("c")
	t.set("d", "D")
	t.set("0", "first")
	t.set("f", "F")
	t.del("x") // was never there
	b.eq(scan(b, t.Tx, "0", "", false), "0=first a=1 b=B d=D e=5 f=F")
	b.eq(scan(b, t.Tx, "0", "", true), "f=F e=5 d=D b=B a=1 0=first")
	b.eq(scan(b, t.Tx, "b", "e", true), "d=D b=B")
	b.eq(scan(b, t.Snapshot(), "0", "", false), "a=1 b=2 c=3 e=5")
	t.commit()
	b.eq(b.begin(storage.TxOptions{}).scan("0", ""), "0=first a=1 b=B d=D e=5 f=F")
}

func testScanSeesEarlierWritesOnly(b *bench) {
	b.put("a", "1", "c", "3")
	for _, reverse := range []bool{false, true} {
		t := b.begin(storage.TxOptions{})
		t.set("b", "2")
		it := t.Scan(storage.ScanOptions{From: []byte("a"), To: []byte("z"), Reverse: reverse})
		t.set("b", "changed")
		t.set("b", "changed again")
		t.del("a")
		t.delRange("a", "c")
		n := 0
		for it.Next() {
			n++
			t.set("b"+string(it.Key()), "new") // must not feed the scan
			t.set("y"+string(it.Key()), "new")
			if string(it.Key()) == "b" {
				b.eq(string(it.Value()), "2")
			}
		}
		b.ok(it.Close())
		b.eq(n, 3)
		b.eq(t.scan("a", "d"), "ba=new bb=new bc=new c=3")
		b.ok(t.Close())
	}
}

// testScanMoves moves scans forward and back: they see what they would have seen, and have
// read all that they were opened for.
func testScanMoves(b *bench) {
	b.put("a", "1", "b", "2", "c", "3", "d", "4", "e", "5")
	for _, own := range []bool{false, true} {
		t := b.begin(storage.TxOptions{})
		if own {
			t.set("bb", "own")
			t.del("c")
		}
		it := t.Scan(storage.ScanOptions{From: []byte("b"), To: []byte("e")})
		if own {
			t.set("cc", "late")
			t.del("d")
		}
		seen := ""
		for _, to := range []string{"", "d", "bb", "a", "e", "bb", "z", "d"} {
			it.Seek([]byte(to))
			for range 2 {
				if it.Next() {
					seen += string(it.Key()) + "=" + string(it.Value()) + " "
				}
			}
			seen += "| "
		}
		want := "b=2 c=3 | d=4 | c=3 d=4 | b=2 c=3 | | c=3 d=4 | | d=4 | "
		if own {
			want = "b=2 bb=own | d=4 | bb=own d=4 | b=2 bb=own | | bb=own d=4 | | d=4 | "
		}
		b.eq(seen, want)
		b.ok(it.Close())
		it.Seek([]byte("b"))
		b.eq(it.Next(), false)
		b.ok(t.Close())
	}
	for _, beyond := range []bool{false, true} {
		t := b.begin(storage.TxOptions{})
		it := t.Scan(storage.ScanOptions{From: []byte("b"), To: []byte("e")})
		it.Seek([]byte("bb"))
		b.eq(it.Next(), true)
		b.ok(it.Close())
		t.set("x", "1")
		if beyond {
			b.put("e", "6")
			t.commit()
		} else {
			b.put("d", "6") // it was not shown, but asked for
			t.conflict()
		}
	}
}

func testDeleteRange(b *bench) {
	b.put("a", "1", "b", "2", "c", "3", "d", "4", "e", "5")
	t := b.begin(storage.TxOptions{})
	t.set("bb", "x")
	t.delRange("b", "d")
	t.set("c", "back")
	b.eq(t.get("b"), "-")
	b.eq(t.get("bb"), "-")
	b.eq(t.get("c"), "back")
	b.eq(t.scan("a", ""), "a=1 c=back d=4 e=5")
	b.eq(scan(b, t.Tx, "a", "", true), "e=5 d=4 c=back a=1")
	t.delRange("c", "dd") // over a bound of the first one
	b.eq(t.scan("a", ""), "a=1 e=5")
	t.set("cc", "late")
	b.eq(t.scan("a", ""), "a=1 cc=late e=5")
	t.commit()
	b.eq(b.begin(storage.TxOptions{}).scan("a", ""), "a=1 cc=late e=5")
	t = b.begin(storage.TxOptions{})
	b.ok(t.DeleteRange([]byte("cc"), nil))
	b.eq(t.scan("a", ""), "a=1")
	t.commit()
	b.eq(b.begin(storage.TxOptions{}).scan("a", ""), "a=1")
}

// testDeleteRangeMany removes more keys than an implementation may list one by one.
func testDeleteRangeMany(b *bench) {
	t := b.begin(storage.TxOptions{})
	for i := range 5000 {
		t.set(fmt.Sprintf("k%05d", i), "v")
	}
	t.set("z", "stays")
	t.commit()
	t = b.begin(storage.TxOptions{})
	t.delRange("k", "l")
	t.set("k00042", "again")
	b.eq(t.scan("k", ""), "k00042=again z=stays")
	t.commit()
	b.eq(b.begin(storage.TxOptions{}).scan("k", ""), "k00042=again z=stays")
}

func testMerge(b *bench) {
	n := func(s string) int64 {
		if s == "-" {
			return 0
		}
		return int64(binary.BigEndian.Uint64([]byte(s)))
	}
	t := b.begin(storage.TxOptions{})
	t.merge("n", 5)
	t.merge("n", -2)
	b.eq(n(t.get("n")), int64(3))
	t.commit()
	t1, t2 := b.begin(storage.TxOptions{}), b.begin(storage.TxOptions{})
	t1.merge("n", 10)
	t2.merge("n", 100)
	it := t2.Scan(storage.ScanOptions{From: []byte("n"), Unobserved: true})
	if !it.Next() || n(string(it.Value())) != 103 {
		b.Fatalf("scan shows %x", it.Value())
	}
	b.ok(it.Close())
	t1.commit()
	t2.commit() // deltas commute
	b.eq(n(b.begin(storage.TxOptions{}).get("n")), int64(113))
	t = b.begin(storage.TxOptions{})
	t.del("n")
	t.merge("n", 7)
	b.eq(n(t.get("n")), int64(7))
	t.commit()
	b.eq(n(b.begin(storage.TxOptions{}).get("n")), int64(7))
	t = b.begin(storage.TxOptions{})
	t.delRange("m", "o")
	t.merge("n", 1)
	t.commit()
	t = b.begin(storage.TxOptions{})
	t.merge("n", 1)
	t.commit()
	b.eq(n(b.begin(storage.TxOptions{}).get("n")), int64(2))
}

func testWrote(b *bench) {
	t := b.begin(storage.TxOptions{})
	b.eq(t.Pending(), false)
	b.eq(t.Wrote([]byte("a"), []byte("z")), false)
	t.set("c", "3")
	t.delRange("m", "p")
	b.eq(t.Pending(), true)
	for _, c := range []struct {
		from, to string
		want     bool
	}{{"a", "c", false}, {"a", "d", true}, {"c", "", true}, {"d", "m", false}, {"d", "n", true}, {"n", "", true}, {"o", "z", true}, {"p", "z", false}} {
		var to []byte
		if c.to != "" {
			to = []byte(c.to)
		}
		if got := t.Wrote([]byte(c.from), to); got != c.want {
			b.Fatalf("Wrote(%q, %q) = %v", c.from, c.to, got)
		}
	}
}

func testSnapshotsDoNotMove(b *bench) {
	b.put("a", "1")
	s, err := b.store.Snapshot()
	b.ok(err)
	b.put("a", "2", "b", "1")
	b.eq(scan(b, s, "a", "", false), "a=1")
	b.eq(get(b, s, "a"), "1")
	b.eq(s.Seq()+1, b.store.Seq())
	b.ok(s.Close())
	b.ok(s.Close())
	_, err = s.Get([]byte("a"))
	b.is(err, storage.ErrClosed)
}

func testReadOnly(b *bench) {
	b.put("a", "1")
	t := b.begin(storage.TxOptions{ReadOnly: true})
	b.is(t.Set([]byte("a"), nil), storage.ErrReadOnly)
	b.is(t.Merge([]byte("a"), 1), storage.ErrReadOnly)
	b.eq(t.get("a"), "1")
	b.put("a", "2")
	b.eq(t.get("a"), "1")
	_, err := t.Commit(context.Background()) // never conflicts
	b.ok(err)
}

func testOver(b *bench) {
	t := b.begin(storage.TxOptions{})
	t.set("a", "1")
	t.commit()
	b.is(t.Set([]byte("a"), nil), storage.ErrClosed)
	_, err := t.Get([]byte("a"))
	b.is(err, storage.ErrClosed)
	_, err = t.Commit(context.Background())
	b.is(err, storage.ErrClosed)
	b.ok(t.Close())
	t = b.begin(storage.TxOptions{})
	t.set("a", "2")
	b.ok(t.Close())
	b.eq(b.begin(storage.TxOptions{}).get("a"), "1")
}

// testRecycle begins transactions of both kinds with the memory of others, whose
// iterators were left open: each reads its own state and keeps to its own options.
func testRecycle(b *bench) {
	begin := func(o storage.TxOptions) storage.Tx {
		t, err := b.store.Begin(context.Background(), o)
		b.ok(err)
		return t
	}
	recycle := func(t storage.Tx) {
		b.ok(t.Close())
		t.Recycle()
	}
	for _, now := range []string{"1", "2", "3"} {
		b.put("a", now)
		reader, beside := begin(storage.TxOptions{ReadOnly: true}), begin(storage.TxOptions{ReadOnly: true})
		b.put("a", "later")
		b.eq(get(b, reader, "a"), now)
		b.eq(scan(b, reader, "a", "", false), "a="+now)
		b.is(reader.Set([]byte("a"), nil), storage.ErrReadOnly)
		reader.Scan(storage.ScanOptions{From: []byte("a")}).Next()
		reader.Recycle() // not over: nothing happens
		b.eq(get(b, reader, "a"), now)
		recycle(reader)
		writer := begin(storage.TxOptions{})
		b.eq(get(b, writer, "a"), "later")
		b.eq(get(b, beside, "a"), now)
		b.ok(writer.Set([]byte("a"), []byte("own")))
		writer.Recycle()
		_, err := writer.Commit(context.Background())
		b.ok(err)
		recycle(writer)
		recycle(beside)
	}
	b.eq(b.begin(storage.TxOptions{}).get("a"), "own")
}

func testOnCommit(b *bench) {
	got := ""
	var seqs []uint64
	b.store.OnCommit(func(c storage.Commit) {
		seqs = append(seqs, c.Seq)
		c.Each(func(x storage.Change) { got += fmt.Sprintf("%s-%s-%s-%v ", x.Key, x.To, x.Value, x.Deleted) })
	})
	t := b.begin(storage.TxOptions{})
	t.set("b", "1")
	t.del("a")
	t.merge("n", 1)
	t.delRange("x", "z")
	seq := t.commit()
	b.eq(got, "x-z--true a---true b--1-false n---false ")
	b.eq(seqs[0], seq)
}

// testAlone shows that a transaction which is alone cannot lose, and that others wait
// for it.
func testAlone(b *bench) {
	b.put("a", "0")
	alone := b.begin(storage.TxOptions{Alone: true})
	alone.get("a")
	other := b.begin(storage.TxOptions{})
	other.set("a", "other")
	result := make(chan error)
	go func() {
		_, err := other.Commit(context.Background())
		result <- err
	}()
	select {
	case err := <-result:
		b.Fatalf("a transaction committed while another was alone: %v", err)
	case <-time.After(20 * time.Millisecond): // it would be through by now
	}
	second, err := b.store.Begin(canceled(), storage.TxOptions{Alone: true})
	if err == nil {
		b.Fatal("two transactions are alone", second)
	}
	alone.set("a", "alone")
	alone.commit()
	b.is(<-result, storage.ErrConflict)
	b.eq(b.begin(storage.TxOptions{}).get("a"), "alone")
	again := b.begin(storage.TxOptions{Alone: true})
	b.ok(again.Close()) // lets others go on
	b.put("a", "2")
}

// testAloneWithin shows that a transaction which is alone within a prefix holds up
// nobody who writes elsewhere, and who else is alone elsewhere.
func testAloneWithin(b *bench) {
	first := b.begin(storage.TxOptions{Alone: true, Within: []byte("a")})
	second := b.begin(storage.TxOptions{Alone: true, Within: []byte("b")})
	b.put("c", "1")
	second.set("b1", "1")
	second.commit()
	first.set("a1", "1")
	within := b.begin(storage.TxOptions{})
	within.delRange("Z", "a9")
	result := make(chan error)
	go func() {
		_, err := within.Commit(context.Background())
		result <- err
	}()
	select {
	case err := <-result:
		b.Fatalf("a range was deleted where another was alone: %v", err)
	case <-time.After(20 * time.Millisecond): // it would be through by now
	}
	first.commit()
	b.is(<-result, storage.ErrConflict)
}

// testRefresh shows that a refreshed transaction reads the newest commit beneath its own
// writes, that a scan under way goes on, and that written keys and guards still conflict.
func testRefresh(b *bench) {
	ctx := context.Background()
	b.put("a", "1", "b", "1", "c", "1")
	committed := storage.TxOptions{Isolation: storage.CommittedIsolation}
	t, loser, guard, reader := b.begin(committed), b.begin(committed), b.begin(committed),
		b.begin(storage.TxOptions{Isolation: storage.CommittedIsolation, ReadOnly: true})
	snapshot := b.begin(storage.TxOptions{Isolation: storage.SnapshotIsolation})
	t.set("own", "1")
	t.delRange("c", "d")
	loser.set("a", "mine")
	guard.Guard([]byte("b"))
	it := t.Scan(storage.ScanOptions{From: []byte("a"), To: []byte("z")})
	if !it.Next() || string(it.Value()) != "1" {
		b.Fatal("the scan did not begin")
	}
	b.put("a", "2", "b", "2", "c1", "2")
	b.eq(t.get("a"), "1")
	for _, x := range []*tx{t, loser, guard, reader, snapshot} {
		b.ok(x.Refresh(ctx))
	}
	b.eq(t.scan("a", "z"), "a=2 b=2 own=1")
	b.eq(reader.scan("a", "z"), "a=2 b=2 c=1 c1=2")
	b.eq(snapshot.get("a"), "1")
	if !it.Next() || string(it.Value()) != "1" {
		b.Fatal("the scan moved on to the newest commit")
	}
	b.ok(it.Close())
	b.is(loser.Tx.Set([]byte("z"), nil), storage.ErrConflict)
	b.eq(loser.get("b"), "2")
	loser.conflict()
	b.is(guard.Tx.Set([]byte("z"), nil), storage.ErrConflict)
	t.conflict() // c1 lies in the range that it deleted
	again := b.begin(committed)
	again.set("own", "1")
	b.put("a", "3")
	b.ok(again.Refresh(ctx))
	again.set("a", "4")
	again.commit()
	b.eq(b.begin(committed).scan("a", "z"), "a=4 b=2 c=1 c1=2 own=1")
}

func testIngest(b *bench) {
	b.put("a", "1")
	rows := func(first, last int, prefix string) storage.KeySource {
		return func(add func(key, value []byte) error) error {
			for i := first; i <= last; i++ {
				if err := add(fmt.Appendf(nil, "%s%06d", prefix, i), []byte("v")); err != nil {
					return err
				}
			}
			return nil
		}
	}
	reader := b.begin(storage.TxOptions{})
	b.eq(reader.scan("i", "j"), "")
	reader.set("x", "1")
	ctx := context.Background()
	before := b.store.Seq()
	b.ok(b.store.Ingest(ctx, []byte("i"), []byte("j"), rows(1, 600, "i"), rows(1, 0, "i"), rows(601, 1000, "i")))
	b.eq(b.store.Seq(), before+1)
	reader.conflict()
	t := b.begin(storage.TxOptions{})
	b.eq(t.get("i000001"), "v")
	b.eq(t.get("i001000"), "v")
	b.eq(bytes.Count([]byte(t.scan("i", "j")), []byte("=")), 1000)
	if b.store.Ingest(ctx, []byte("i"), []byte("j"), rows(1, 5, "i")) == nil {
		b.Fatal("a range that is not empty was ingested into")
	}
	if b.store.Ingest(ctx, []byte("k"), []byte("l"), rows(1, 5, "m")) == nil {
		b.Fatal("keys outside the range were ingested")
	}
	if b.store.Ingest(ctx, []byte("k"), []byte("l"), rows(5, 9, "k"), rows(9, 12, "k")) == nil {
		b.Fatal("sources that overlap were ingested")
	}
	stop := errors.New("stop")
	err := b.store.Ingest(ctx, []byte("k"), []byte("l"), rows(1, 5, "k"), func(func(key, value []byte) error) error { return stop })
	if !errors.Is(err, stop) {
		b.Fatalf("a source that failed: %v", err)
	}
	b.eq(b.begin(storage.TxOptions{}).scan("k", "n"), "")
	b.put("i000001", "changed")
	b.eq(b.begin(storage.TxOptions{}).get("i000001"), "changed")
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func testCanceled(b *bench) {
	_, err := b.store.Begin(canceled(), storage.TxOptions{})
	b.is(err, context.Canceled)
	t := b.begin(storage.TxOptions{})
	t.set("a", "1")
	_, err = t.Commit(canceled())
	b.is(err, context.Canceled)
	b.eq(b.begin(storage.TxOptions{}).get("a"), "-")
}
