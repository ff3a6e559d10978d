package storagetest

import (
	"context"
	"strings"

	"github.com/gremlind/gremlind/storage"
)

// testFork reads one state through several handles, each on a goroutine of its own, while
// others are closed and commits land.
func testFork(b *bench) {
	b.put("a", "1", "b", "2")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tx, err := b.store.Begin(ctx, storage.TxOptions{})
	b.ok(err)
	b.ok(tx.Set([]byte("own"), nil))
	fork, err := tx.Snapshot().Fork()
	b.ok(err)
	second, err := fork.Fork()
	b.ok(err)
	b.eq(fork.Seq(), tx.Seq())
	read := func(r storage.Reader) (got string) {
		for range 100 {
			for it := r.Scan(span("a", "")); ; {
				if !it.Next() {
					got += "|"
					if it.Close() != nil {
						got += "an error"
					}
					break
				}
				got += string(it.Key()) + string(it.Value())
			}
		}
		return got
	}
	want := strings.Repeat("a1b2|", 100)
	results := make(chan string)
	for _, s := range []storage.Snapshot{fork, second} {
		go func() { results <- read(s) }()
	}
	b.eq(read(tx.Snapshot()), want)
	b.put("a", "9", "c", "9")
	b.eq(<-results, want)
	b.eq(<-results, want)
	b.ok(tx.Close())
	_, err = tx.Snapshot().Fork()
	b.is(err, storage.ErrClosed)
	b.eq(read(fork), want)
	tx.SetContext(context.Background())
	cancel()
	_, err = scanMany(fork, span("a", ""))
	b.is(err, context.Canceled) // that of the fork
	b.ok(fork.Close())
	b.ok(fork.Close())
	_, err = fork.Get([]byte("a"))
	b.is(err, storage.ErrClosed)
	_, err = fork.Fork()
	b.is(err, storage.ErrClosed)
	b.eq(get(b, second, "a"), "1")
	b.ok(second.Close())
}
