package occ

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
)

// TestFinger writes tables side by side, in order, backwards, at random and in runs, and
// looks at every level of the list behind it.
func TestFinger(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	orders := map[string]func(table, i int) uint64{
		"in order":  func(_, i int) uint64 { return uint64(i) },
		"backwards": func(_, i int) uint64 { return uint64(10_000 - i) },
		"at random": func(int, int) uint64 { return r.Uint64N(5_000) },
		"in runs":   func(_, i int) uint64 { return uint64(i%100)*1000 + uint64(i/100) },
		"by turns":  func(table, i int) uint64 { return uint64(i) * uint64(table%3+1) % 4099 },
	}
	var l skiplist
	for name, order := range orders {
		for _, tables := range []int{1, 5, 3 * fingersMax} {
			l.init()
			var want []string
			for i := range raced.Part(2000, 4) {
				for table := range tables {
					key := binary.BigEndian.AppendUint64([]byte{0, 1, byte(table)}, order(table, i))
					n, isNew := l.insert(key, bytes.Clone)
					if !bytes.Equal(n.key, key) || l.find(key) != n {
						t.Fatalf("%s, %d tables: %x is found as %x", name, tables, key, n.key)
					}
					if isNew {
						want = append(want, string(key))
					}
					if other := append(key, 0); l.find(other) != nil {
						t.Fatalf("%s, %d tables: %x is found", name, tables, other)
					}
				}
			}
			slices.Sort(want)
			if err := whole(&l, want); err != nil {
				t.Fatalf("%s, %d tables: %v", name, tables, err)
			}
			l.reset()
		}
	}
}

// whole is an error unless each level has all nodes of its height, in order.
func whole(l *skiplist, want []string) error {
	heights := map[string]int{}
	for level := range maxHeight {
		var keys []string
		for n := l.head.next[level]; n != nil; n = n.next[level] {
			keys = append(keys, string(n.key))
			heights[string(n.key)] = len(n.next)
		}
		of := slices.DeleteFunc(slices.Clone(want), func(k string) bool { return level > 0 && heights[k] <= level })
		if !slices.Equal(keys, of) {
			return fmt.Errorf("level %d has %d nodes in some order, want %d", level, len(keys), len(of))
		}
	}
	last := ""
	for n := l.last; n != nil; n = n.prev {
		last = string(n.key)
	}
	if len(want) > 0 && last != want[0] {
		return fmt.Errorf("the first node from behind is %x", last)
	}
	return nil
}

// BenchmarkInsert writes five tables side by side, each in the order of its keys, and keys
// at random.
func BenchmarkInsert(b *testing.B) {
	for _, random := range []bool{false, true} {
		b.Run(map[bool]string{false: "tables", true: "random"}[random], func(b *testing.B) {
			r := rand.New(rand.NewPCG(3, 4))
			var l skiplist
			var keys arena
			var key [11]byte
			for i := range b.N {
				if i%500_000 == 0 {
					l = skiplist{}
					l.init()
				}
				n := uint64(i / 5)
				if random {
					n = r.Uint64()
				}
				key[2] = byte(i % 5)
				binary.BigEndian.PutUint64(key[3:], n)
				l.insert(key[:], keys.copy)
			}
		})
	}
}
