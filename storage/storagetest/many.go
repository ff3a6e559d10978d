package storagetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage"
)

// getMany returns "k=v k=-" of many keys, in the order of the keys.
func getMany(r storage.Reader, keys ...string) (string, error) {
	asked := make([][]byte, len(keys))
	for i, k := range keys {
		asked[i] = []byte(k)
	}
	out := make([]string, len(keys))
	err := r.GetMany(asked, func(i int, value []byte) error {
		if out[i] != "" {
			return fmt.Errorf("key %d comes twice", i)
		}
		out[i] = keys[i] + "=-"
		if value != nil {
			out[i] = keys[i] + "=" + string(value)
		}
		return nil
	})
	return strings.Join(out, " "), err
}

// scanMany returns "k=v k=v | k=v" of many ranges, in the order of the ranges.
func scanMany(r storage.Reader, ranges ...storage.ScanOptions) (string, error) {
	out := make([][]string, len(ranges))
	done, last := map[int]bool{}, -1
	err := r.ScanMany(ranges, func(i int, key, value []byte) (bool, error) {
		if i != last {
			if done[i] {
				return false, fmt.Errorf("range %d comes twice", i)
			}
			done[last], last = true, i
		}
		out[i] = append(out[i], string(key)+"="+string(value))
		return true, nil
	})
	var lines []string
	for _, o := range out {
		lines = append(lines, strings.Join(o, " "))
	}
	return strings.Join(lines, " | "), err
}

func span(from, to string) storage.ScanOptions {
	return storage.ScanOptions{From: []byte(from), To: []byte(to)}
}

func backwards(from, to string) storage.ScanOptions {
	o := span(from, to)
	o.Reverse = true
	return o
}

func (t *tx) getMany(keys ...string) string {
	t.Helper()
	s, err := getMany(t.Tx, keys...)
	t.ok(err)
	return s
}

func (t *tx) scanMany(ranges ...storage.ScanOptions) string {
	t.Helper()
	s, err := scanMany(t.Tx, ranges...)
	t.ok(err)
	return s
}

func testGetMany(b *bench) {
	b.put("a", "1", "b", "2", "c", "3", "empty", "")
	t := b.begin(storage.TxOptions{})
	b.eq(t.getMany(), "")
	b.eq(t.getMany("c", "a", "x", "a", "empty"), "c=3 a=1 x=- a=1 empty=")
	t.set("x", "own")
	t.del("a")
	t.delRange("b", "c")
	t.merge("n", 2)
	b.eq(t.getMany("c", "a", "x", "b"), "c=3 a=- x=own b=-")
	b.eq(t.getMany("n"), "n=\x00\x00\x00\x00\x00\x00\x00\x02")
	s, err := getMany(t.Snapshot(), "x", "a")
	b.ok(err)
	b.eq(s, "x=- a=1")
	stop := errors.New("stop")
	calls := 0
	b.is(t.GetMany([][]byte{[]byte("a"), []byte("c")}, func(int, []byte) error { calls++; return stop }), stop)
	b.eq(calls, 1)
}

func testScanMany(b *bench) {
	b.put("a", "1", "b", "2", "c", "3", "d", "4")
	t := b.begin(storage.TxOptions{})
	for range 2 {
		b.eq(t.scanMany(), "")
		b.eq(t.scanMany(span("a", "c"), span("c", ""), span("x", "")), "a=1 b=2 | c=3 d=4 | ")
		b.eq(t.scanMany(backwards("a", "c"), span("b", "d"), span("b", "b"), span("d", "a")), "b=2 a=1 | b=2 c=3 |  | ")
		t = b.begin(storage.TxOptions{})
		t.set("A", "far away") // has the same read beside an overlay
	}
	t = b.begin(storage.TxOptions{})
	t.set("bb", "own")
	t.del("a")
	t.delRange("d", "")
	b.eq(t.scanMany(span("a", "c"), backwards("b", ""), span("d", "")), "b=2 bb=own | c=3 bb=own b=2 | ")
	s, err := scanMany(t.Snapshot(), span("a", "c"))
	b.ok(err)
	b.eq(s, "a=1 b=2")
}

// testScanManyEnds ends ranges, and all of them, before their end.
func testScanManyEnds(b *bench) {
	b.put("a", "1", "b", "2", "c", "3", "d", "4")
	for _, own := range []bool{false, true} {
		t := b.begin(storage.TxOptions{})
		if own {
			t.set("x", "9")
		}
		seen := ""
		b.ok(t.ScanMany([]storage.ScanOptions{span("a", "c"), span("c", "e")}, func(i int, key, _ []byte) (bool, error) {
			seen += fmt.Sprint(i, string(key))
			return false, nil
		}))
		b.eq(seen, "0a1c")
		stop := errors.New("stop")
		seen = ""
		b.is(t.ScanMany([]storage.ScanOptions{span("a", "c"), span("c", "e")}, func(i int, key, _ []byte) (bool, error) {
			seen += fmt.Sprint(i, string(key))
			return true, stop
		}), stop)
		b.eq(seen, "0a")
	}
}

// testManyObserve: what many reads have shown counts as read, and nothing else does.
func testManyObserve(b *bench) {
	reads := map[string]func(t *tx){
		"get":  func(t *tx) { t.getMany("k", "m") },
		"scan": func(t *tx) { t.scanMany(span("k", "l"), span("m", "n")) },
		"partly": func(t *tx) {
			t.ok(t.ScanMany([]storage.ScanOptions{span("k", "l"), span("m", "z")}, func(_ int, key, _ []byte) (bool, error) {
				return string(key) != "m", nil
			}))
		},
		"backwards": func(t *tx) {
			t.ok(t.ScanMany([]storage.ScanOptions{backwards("j", "l"), backwards("m", "n")}, func(_ int, key, _ []byte) (bool, error) {
				return string(key) != "k", nil
			}))
		},
		"unobserved": func(t *tx) {
			o := span("k", "z")
			o.Unobserved = true
			t.scanMany(o)
		},
		"beneath": func(t *tx) {
			_, err := scanMany(t.Snapshot(), span("k", "z"))
			t.ok(err)
		},
	}
	for name, read := range reads {
		for _, key := range []string{"j", "k", "l", "m", "mm"} {
			for _, own := range []bool{false, true} {
				b.put("k", "1", "m", "1")
				t := b.begin(storage.TxOptions{})
				if own {
					t.set("own", "1")
				}
				read(t)
				t.set("elsewhere", "1")
				b.put(key, "2")
				_, err := t.Commit(context.Background())
				whole := name == "scan" || name == "backwards" // of the second range
				want := name != "unobserved" && name != "beneath" && (key == "k" || key == "m" || whole && key == "mm")
				if got := errors.Is(err, storage.ErrConflict); got != want || err != nil && !got {
					b.Errorf("%s, own writes %v, then %s is written: %v", name, own, key, err)
				}
				b.begin(storage.TxOptions{}).clear()
			}
		}
	}
}

// clear empties the store.
func (t *tx) clear() {
	t.Helper()
	t.delRange("", "")
	t.commit()
}

func testManyOver(b *bench) {
	b.put("a", "1")
	t := b.begin(storage.TxOptions{})
	b.ok(t.Close())
	_, err := getMany(t.Tx, "a")
	b.is(err, storage.ErrClosed)
	_, err = scanMany(t.Tx, span("a", ""))
	b.is(err, storage.ErrClosed)
	s, err := b.store.Snapshot()
	b.ok(err)
	b.ok(s.Close())
	_, err = getMany(s, "a")
	b.is(err, storage.ErrClosed)
	_, err = scanMany(s, span("a", ""))
	b.is(err, storage.ErrClosed)
}

// testReadsEnd ends reads with the context of their transaction, at the latest behind a
// page, and not with the one that it had before.
func testReadsEnd(b *bench) {
	var pairs []string
	for i := range 3 * PageCells {
		pairs = append(pairs, fmt.Sprintf("k%05d", i), "")
	}
	b.put(pairs...)
	ctx, cancel := context.WithCancel(context.Background())
	t, err := b.store.Begin(ctx, storage.TxOptions{ReadOnly: true})
	b.ok(err)
	defer t.Close()
	all := []storage.ScanOptions{span("k", "l")}
	read := func() error { return t.ScanMany(all, func(int, []byte, []byte) (bool, error) { return true, nil }) }
	b.ok(read())
	it := t.Scan(span("k", "l"))
	b.eq(it.Next(), true)
	cancel()
	for it.Next() {
	}
	b.is(it.Close(), context.Canceled)
	b.is(read(), context.Canceled)
	_, err = getMany(t, "k00001")
	b.is(err, context.Canceled)
	t.SetContext(context.Background())
	b.ok(read())
}

// The model's reads of many keys and ranges.

func (m *txModel) getMany(t *rapid.T) {
	keys := rapid.SliceOfN(modelKeys, 0, 6).Draw(t, "keys")
	var want []string
	for _, k := range keys {
		v, ok := m.state[k]
		if !ok {
			v = "-"
		}
		want = append(want, k+"="+v)
	}
	if got, err := getMany(m.tx, keys...); err != nil || got != strings.Join(want, " ") {
		t.Fatalf("get many: %q, %v; want %q", got, err, want)
	}
}

func (m *txModel) scanMany(t *rapid.T) {
	var ranges []storage.ScanOptions
	var want []string
	for range rapid.IntRange(0, 4).Draw(t, "ranges") {
		from, to := drawRange(t)
		o := span(from, to)
		o.Reverse, o.Limit = rapid.Bool().Draw(t, "reverse"), rapid.IntRange(0, 3).Draw(t, "limit")
		var cells []string
		for _, k := range slices.Sorted(maps.Keys(m.state)) {
			if inRange(k, from, to) {
				cells = append(cells, k+"="+m.state[k])
			}
		}
		if o.Reverse {
			slices.Reverse(cells)
		}
		ranges, want = append(ranges, o), append(want, strings.Join(cells, " "))
	}
	if got, err := scanMany(m.tx, ranges...); err != nil || got != strings.Join(want, " | ") {
		t.Fatalf("scan many: %q, %v; want %q", got, err, want)
	}
}
