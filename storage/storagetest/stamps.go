package storagetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage"
)

// stampOf reads the stamp at an offset.
func stampOf(b string, at int) storage.Stamp {
	if len(b) < at+storage.StampSize {
		return 0
	}
	return storage.Stamp(binary.BigEndian.Uint64([]byte(b)[at:]))
}

// blank is where a stamp is to stand.
const blank = "########"

func (t *tx) stamp(key, value string, at int) {
	t.Helper()
	t.ok(t.SetStamped([]byte(key), []byte(value), at))
}

func testSetNew(b *bench) {
	b.put("old", "1")
	t1, t2 := b.begin(storage.TxOptions{}), b.begin(storage.TxOptions{})
	for _, t := range []*tx{t1, t2} {
		b.ok(t.SetNew([]byte("a"), []byte("1")))
		b.eq(t.get("a"), "1")
	}
	b.ok(t1.SetNew([]byte("b"), nil))
	t1.set("b", "2") // new all the same
	b.ok(t1.SetNew([]byte("c"), nil))
	t1.del("c")
	b.eq(t1.scan("a", ""), "a=1 b=2 old=1")
	t1.commit()
	t2.conflict() // both cannot have known
	b.eq(b.begin(storage.TxOptions{}).scan("a", ""), "a=1 b=2 old=1")
}

func testStamps(b *bench) {
	t := b.begin(storage.TxOptions{})
	key, value := []byte("key/"+blank+"/end"), []byte("a"+blank+"z")
	b.ok(t.SetStamped(key, []byte("in key"), 4))
	b.ok(t.SetStamped([]byte("v"), value, 2))
	b.eq(string(key)+string(value), "key/"+blank+"/end"+"a"+blank+"z") // the caller's
	b.eq(stampOf(t.get("v"), 1), storage.NoStamp)
	own := t.scan("key/", "key0")
	b.eq(stampOf(own, 4), storage.NoStamp)
	b.eq(own[12:], "/end=in key")
	t.commit()

	t = b.begin(storage.TxOptions{})
	first := stampOf(t.get("v"), 1)
	b.eq(t.get("v"), "a"+string(storage.AppendStamp(nil, first))+"z")
	b.eq(t.scan("key/", "key0"), "key/"+string(storage.AppendStamp(nil, first))+"/end=in key")
	if first == 0 || first == storage.NoStamp {
		b.Fatalf("the stamp is %d", first)
	}
	t.set("x", "1")
	t.commit() // without a stamp
	t = b.begin(storage.TxOptions{})
	t.stamp("v", "a"+blank, 2)
	t.stamp("v", blank, 1) // the last one counts
	t.stamp("key/"+blank, "", 4)
	t.del("gone")
	t.commit()
	t = b.begin(storage.TxOptions{})
	second := stampOf(t.get("v"), 0)
	b.eq(second > first, true)
	b.eq(strings.Count(t.scan("key/", "key0"), "key/"), 2)
	b.eq(stampOf(scanLast(b, t, "key/", "key0"), 4), second)

	t.stamp("v", blank, 1) // what the transaction changed otherwise has no stamp
	t.set("v", "plain")
	t.stamp("key/"+blank, "", 4)
	t.delRange("key/", "key0")
	t.commit()
	t = b.begin(storage.TxOptions{})
	b.eq(t.get("v"), "plain")
	b.eq(t.scan("key/", "key0"), "")
}

func scanLast(b *bench, t *tx, from, to string) string {
	it := t.Scan(storage.ScanOptions{From: []byte(from), To: []byte(to), Reverse: true})
	key := ""
	if it.Next() {
		key = string(it.Key())
	}
	b.ok(it.Close())
	return key
}

// testStampsNowhere: there must be room for a stamp, in the key or in the value.
func testStampsNowhere(b *bench) {
	t := b.begin(storage.TxOptions{})
	for _, at := range []int{-1, 1, 5, 9, 100} {
		if err := t.SetStamped([]byte("12345678"), []byte(blank), at); err == nil {
			b.Errorf("a stamp at %d of 16 bytes", at)
		}
	}
	b.eq(t.Pending(), false)
	for _, at := range []int{0, 8} {
		t.stamp("12345678", blank, at)
	}
	b.is(b.begin(storage.TxOptions{ReadOnly: true}).SetStamped([]byte("k"), []byte(blank), 1), storage.ErrReadOnly)
}

// testStampsLarge: a stamp is filled in wherever the store encodes the writes, and
// listeners get it.
func testStampsLarge(b *bench) {
	var heard []string
	b.store.OnCommit(func(c storage.Commit) {
		c.Each(func(x storage.Change) {
			if strings.HasPrefix(string(x.Key), "log/") {
				heard = append(heard, string(x.Key)+string(x.Value))
			}
		})
	})
	filler := strings.Repeat("x", 1<<10)
	var pending []*tx
	for i := range 4 {
		t := b.begin(storage.TxOptions{})
		for k := range 100 * (i % 2) {
			t.set(fmt.Sprint("filler/", i, "/", k), filler)
		}
		t.delRange(fmt.Sprint("none/", i, "/"), fmt.Sprint("none/", i, "0"))
		t.stamp("modified", blank, len("modified"))
		t.stamp("log/"+blank, blank, 4)
		pending = append(pending, t)
	}
	done := make(chan error)
	for _, t := range pending {
		go t.CommitAsync(context.Background(), func(_ uint64, err error) { done <- err })
	}
	for range pending {
		b.ok(<-done) // they commute
	}
	t := b.begin(storage.TxOptions{})
	b.eq(t.get("modified"), string(storage.AppendStamp(nil, stampOf(scanLast(b, t, "log/", "log0"), 4))))
	b.eq(len(heard), len(pending))
	b.eq(slices.IsSorted(heard), true)
}

// stamp has a transaction that wrote leave a stamp behind, in a key of its own and in the
// value of a key that all of them write.
func (c *client) stamp() {
	if len(c.rec.writes) == 0 {
		return
	}
	for _, err := range []error{
		c.tx.SetStamped([]byte(stampLog+blank), []byte(strconv.Itoa(c.rec.id)), len(stampLog)),
		c.tx.SetStamped([]byte("modified"), []byte(blank), len("modified")),
	} {
		if c.level != storage.CommittedIsolation || !errors.Is(err, storage.ErrConflict) {
			c.ok(err)
		}
	}
}

const stampLog = "log/"

// checkStamps: each transaction that committed writes left one stamp, and their order is
// that of the commits.
func (r *historyRun) checkStamps() {
	snap, err := r.store.Snapshot()
	r.ok(err)
	defer snap.Close()
	it := snap.Scan(storage.ScanOptions{From: []byte(stampLog), To: []byte("log0")})
	defer it.Close()
	n, last, seq := 0, "", uint64(0)
	for it.Next() {
		id, err := strconv.Atoi(string(it.Value()))
		r.ok(err)
		rec := r.h.records[id]
		if !rec.committed || rec.seq <= seq {
			r.Errorf("transaction %d, commit %d, has a stamp behind commit %d", id, rec.seq, seq)
		}
		n, last, seq = n+1, string(it.Key()[len(stampLog):]), rec.seq
	}
	r.ok(it.Err())
	for _, rec := range r.h.records {
		if rec.committed && len(rec.writes) > 0 {
			n--
		}
	}
	if n != 0 {
		r.Errorf("%d stamps too many", n)
	}
	if last != "" && get(r, snap, "modified") != last {
		r.Errorf("the last stamp is %x, of what all write %x", last, get(r, snap, "modified"))
	}
}
