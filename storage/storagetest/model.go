package storagetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage"
)

// txModel is a transaction beside the plain map that it should behave like.
type txModel struct {
	store storage.Store
	tx    storage.Tx
	base  map[string]string // committed
	state map[string]string // with the own writes
	scans []*scanModel
	last  storage.Stamp // that was committed; in state noStamp stands for the next
}

// scanModel is an open scan and what it still has to show.
type scanModel struct {
	it   storage.Iterator
	all  []string // "key=value" of what it shows from its beginning; nil when it goes back
	left []string // of these
}

// Few keys of few bytes, so that everything meets.
var (
	modelKeys = rapid.StringMatching(`[a-c][a-c]?[a-c]?`)
	numbers   = rapid.Int64Range(-3, 3)
)

// RunModel compares a transaction with a map under random operations: reads, writes,
// range deletions, counters, scans in both directions that stay open over writes.
func RunModel(t *testing.T, open Open) {
	rapid.Check(t, func(rt *rapid.T) {
		t, s := rt, open(t)
		m := &txModel{store: s, base: map[string]string{}}
		m.begin(t)
		defer func() {
			for _, scan := range m.scans {
				scan.it.Close()
			}
			m.must(t, m.tx.Close())
			m.must(t, s.Close())
		}()
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				k, v := modelKeys.Draw(t, "key"), rapid.StringMatching(`[x-z]{0,3}`).Draw(t, "value")
				m.must(t, m.tx.Set([]byte(k), []byte(v)))
				m.state[k] = v
			},
			"delete": func(t *rapid.T) {
				k := modelKeys.Draw(t, "key")
				m.must(t, m.tx.Delete([]byte(k)))
				delete(m.state, k)
			},
			"setNew":      m.setNew,
			"stamp":       m.stamp,
			"stampKey":    m.stampKey,
			"deleteRange": m.deleteRange,
			"merge":       m.merge,
			"get": func(t *rapid.T) {
				k := modelKeys.Draw(t, "key")
				v, err := m.tx.Get([]byte(k))
				want, ok := m.state[k]
				if ok != (err == nil) || ok && string(v) != want {
					t.Fatalf("get %s: %q, %v; want %q, %v", k, v, err, want, ok)
				}
			},
			"getMany":  m.getMany,
			"scanMany": m.scanMany,
			"wrote":    m.wrote,
			"open":     m.openScan,
			"next":     m.next,
			"seek":     m.seek,
			"commit":   m.commit,
			"abort": func(t *rapid.T) {
				m.must(t, m.tx.Close())
				m.begin(t)
			},
		})
	})
}

func (m *txModel) must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (m *txModel) begin(t *rapid.T) {
	tx, err := m.store.Begin(context.Background(), storage.TxOptions{})
	m.must(t, err)
	m.tx, m.state, m.scans = tx, maps.Clone(m.base), nil
}

func (m *txModel) commit(t *rapid.T) {
	_, err := m.tx.Commit(context.Background())
	m.must(t, err)
	m.stamped(t)
	m.base = m.state
	m.begin(t)
}

// setNew sets a key that is not beneath, whatever the transaction did with it.
func (m *txModel) setNew(t *rapid.T) {
	k := modelKeys.Draw(t, "key")
	if _, there := m.base[k]; there {
		t.Skip("the key is there")
	}
	m.must(t, m.tx.SetNew([]byte(k), []byte("new")))
	m.state[k] = "new"
}

var noStamp = string(storage.AppendStamp(nil, storage.NoStamp))

func (m *txModel) stamp(t *rapid.T) {
	k := "m" + modelKeys.Draw(t, "key")
	m.must(t, m.tx.SetStamped([]byte(k), []byte("x"+blank+"x"), len(k)+1))
	m.state[k] = "x" + noStamp + "x"
}

func (m *txModel) stampKey(t *rapid.T) {
	from, to := "l"+modelKeys.Draw(t, "from"), modelKeys.Draw(t, "to")
	m.must(t, m.tx.SetStamped([]byte(from+blank+to), []byte("v"), len(from)))
	m.state[from+noStamp+to] = "v"
}

// stamped puts the stamp of the commit into the state, as it finds it in the store.
func (m *txModel) stamped(t *rapid.T) {
	snap, err := m.store.Snapshot()
	m.must(t, err)
	defer snap.Close()
	it := snap.Scan(storage.ScanOptions{From: []byte("l"), To: []byte("n")})
	defer it.Close()
	newest := m.last
	for it.Next() {
		for _, b := range [][]byte{it.Key(), it.Value()} {
			// What is no stamp there is made of letters, and no stamp begins with one.
			if at := bytes.IndexFunc(b, func(r rune) bool { return r < 'a' }); at >= 0 {
				newest = max(newest, stampOf(string(b), at))
			}
		}
	}
	m.must(t, it.Err())
	if s := string(storage.AppendStamp(nil, newest)); newest > m.last {
		for _, k := range slices.Collect(maps.Keys(m.state)) {
			v := m.state[k]
			if k[0] == 'n' { // -1 looks the same
				continue
			}
			delete(m.state, k)
			m.state[strings.ReplaceAll(k, noStamp, s)] = strings.ReplaceAll(v, noStamp, s)
		}
	}
	m.last = newest
}

func (m *txModel) merge(t *rapid.T) {
	k, n := "n"+modelKeys.Draw(t, "key"), numbers.Draw(t, "delta")
	m.must(t, m.tx.Merge([]byte(k), n))
	sum := n
	if v := m.state[k]; v != "" {
		sum += int64(binary.BigEndian.Uint64([]byte(v)))
	}
	m.state[k] = string(binary.BigEndian.AppendUint64(nil, uint64(sum)))
}

func inRange(k, from, to string) bool { return k >= from && (to == "" || k < to) }

func drawRange(t *rapid.T) (from, to string) {
	from = modelKeys.Draw(t, "from")
	if rapid.IntRange(0, 3).Draw(t, "open end") > 0 {
		to = modelKeys.Draw(t, "to")
	}
	return from, to
}

func (m *txModel) deleteRange(t *rapid.T) {
	from, to := drawRange(t)
	m.must(t, m.tx.DeleteRange([]byte(from), []byte(to)))
	maps.DeleteFunc(m.state, func(k, _ string) bool { return inRange(k, from, to) })
}

// wrote may not miss a difference between base and state.
func (m *txModel) wrote(t *rapid.T) {
	from, to := drawRange(t)
	if to == "" {
		to = "~"
	}
	got := m.tx.Wrote([]byte(from), []byte(to))
	for _, k := range slices.Concat(slices.Collect(maps.Keys(m.base)), slices.Collect(maps.Keys(m.state))) {
		if inRange(k, from, to) && m.base[k] != m.state[k] && !got {
			t.Fatalf("Wrote(%s, %s) misses %s", from, to, k)
		}
	}
	if got && !m.tx.Pending() {
		t.Fatal("Wrote without pending writes")
	}
}

func (m *txModel) openScan(t *rapid.T) {
	from, to := drawRange(t)
	reverse := rapid.Bool().Draw(t, "reverse")
	s := &scanModel{it: m.tx.Scan(storage.ScanOptions{From: []byte(from), To: []byte(to), Reverse: reverse})}
	for _, k := range slices.Sorted(maps.Keys(m.state)) {
		if inRange(k, from, to) {
			s.left = append(s.left, k+"="+m.state[k])
		}
	}
	if reverse {
		slices.Reverse(s.left)
	} else {
		s.all = s.left
	}
	m.scans = append(m.scans, s)
}

// seek moves a scan to another key.
func (m *txModel) seek(t *rapid.T) {
	if len(m.scans) == 0 {
		t.Skip("no scan is open")
	}
	s := m.scans[rapid.IntRange(0, len(m.scans)-1).Draw(t, "scan")]
	if s.all == nil {
		t.Skip("the scan goes back")
	}
	key := modelKeys.Draw(t, "key")
	s.it.Seek([]byte(key))
	at, _ := slices.BinarySearchFunc(s.all, key, func(shown, key string) int {
		k, _, _ := strings.Cut(shown, "=")
		return strings.Compare(k, key)
	})
	s.left = s.all[at:]
}

func (m *txModel) next(t *rapid.T) {
	if len(m.scans) == 0 {
		t.Skip("no scan is open")
	}
	i := rapid.IntRange(0, len(m.scans)-1).Draw(t, "scan")
	s := m.scans[i]
	for range rapid.IntRange(1, 4).Draw(t, "steps") {
		if !s.it.Next() {
			if len(s.left) > 0 || s.it.Err() != nil {
				t.Fatalf("the scan ends before %q: %v", s.left, s.it.Err())
			}
			m.must(t, s.it.Close())
			m.scans = slices.Delete(m.scans, i, i+1)
			return
		}
		got := fmt.Sprintf("%s=%s", s.it.Key(), s.it.Value())
		if len(s.left) == 0 || got != s.left[0] {
			t.Fatalf("the scan shows %q, want %q", got, s.left)
		}
		s.left = s.left[1:]
	}
}
