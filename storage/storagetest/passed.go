package storagetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// testPassStamp: a time that is passed has no more commits, and one to come is not passed.
func testPassStamp(b *bench) {
	t := b.begin(storage.TxOptions{})
	t.stamp("v", blank, 1)
	t.commit()
	first := stampOf(b.begin(storage.TxOptions{}).get("v"), 0)
	for _, s := range []storage.Stamp{1, first, storage.LastOf(first.Time())} {
		b.ok(b.store.PassStamp(context.Background(), s))
	}
	t = b.begin(storage.TxOptions{})
	t.stamp("v", blank, 1)
	t.commit()
	second := stampOf(b.begin(storage.TxOptions{}).get("v"), 0)
	b.eq(second > storage.LastOf(first.Time()), true)
	b.is(b.store.PassStamp(context.Background(), storage.LastOf(time.Now().Add(24*time.Hour))), storage.ErrFuture)
}

// testChanges: what a transaction would commit, in order, and without what it would not.
func testChanges(b *bench) {
	b.put("a1", "1")
	b.put("b", "1")
	t := b.begin(storage.TxOptions{})
	changes := func() (all string) {
		b.ok(t.Changes(func(c storage.Change) error {
			all += fmt.Sprintf("%s-%s=%s %v %v; ", c.Key, c.To, c.Value, c.Deleted, c.New)
			return nil
		}))
		return all
	}
	b.eq(changes(), "")
	t.set("a2", "gone")
	t.delRange("a", "b")
	t.set("a3", "3")
	t.del("b")
	b.ok(t.SetNew([]byte("c"), []byte("new")))
	const want = "a-b= true false; a3-=3 false false; b-= true false; c-=new false true; "
	b.eq(changes(), want)
	b.eq(changes(), want) // it changes nothing
	stop := errors.New("enough")
	for last := range 4 {
		seen := 0
		b.is(t.Changes(func(storage.Change) error {
			if seen++; seen > last {
				return stop
			}
			return nil
		}), stop)
		b.eq(seen, last+1)
	}
	t.commit()
	b.eq(b.begin(storage.TxOptions{}).scan("a", ""), "a3=3 c=new")
	b.is(t.Changes(func(storage.Change) error { return nil }), nil)
}

// testOnShown: who is told that commits are shown finds what he was told of before.
func testOnShown(b *bench) {
	var told, found uint64
	b.store.OnCommit(func(c storage.Commit) { told = c.Seq })
	b.store.OnShown(func() {
		snap, err := b.store.Snapshot()
		if err != nil {
			b.Error(err)
			return
		}
		found = snap.Seq()
		b.ok(snap.Close())
	})
	for range 3 {
		t := b.begin(storage.TxOptions{})
		t.set("a", "1")
		seq := t.commit() // behind the calls
		b.eq(told, seq)
		b.eq(found, seq)
	}
}
