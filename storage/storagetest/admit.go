package storagetest

import (
	"context"
	"errors"

	"github.com/gremlind/gremlind/storage"
)

// testAdmit: who is asked last is asked in the order of commits, once, and not about what
// has lost already; what is refused leaves no trace.
func testAdmit(b *bench) {
	errFull := errors.New("full")
	var order []uint64
	room := 2
	admit := func(t *tx) {
		t.Admit(func(c storage.Commit) error {
			n := 0
			c.Each(func(x storage.Change) { n += len(x.Value) })
			if room -= n; room < 0 {
				room += n
				return errFull
			}
			order = append(order, c.Seq)
			return nil
		})
	}
	lost := b.begin(storage.TxOptions{})
	b.eq(lost.get("a"), "-")
	lost.set("b", "1")
	admit(lost)
	for _, key := range []string{"a", "c"} {
		t := b.begin(storage.TxOptions{})
		t.set(key, "1")
		admit(t)
		if key == "a" {
			_, err := t.Commit(context.Background())
			b.ok(err)
			_, err = lost.Commit(context.Background())
			b.is(err, storage.ErrConflict)
			continue
		}
		_, err := await(t.Tx)
		b.ok(err)
	}
	if room != 0 || len(order) != 2 || order[0] >= order[1] {
		b.Errorf("room for %d, in the order %v", room, order)
	}
	seq := b.store.Seq()
	full := b.begin(storage.TxOptions{})
	full.set("d", "1")
	admit(full)
	_, err := full.Commit(context.Background())
	b.is(err, errFull)
	b.eq(b.store.Seq(), seq)
	last := b.begin(storage.TxOptions{})
	b.eq(last.get("d"), "-")
	last.set("e", "1")
	_, err = last.Commit(context.Background())
	b.ok(err)
	b.ok(b.store.Flush())
	b.eq(b.begin(storage.TxOptions{}).get("e"), "1")
}
