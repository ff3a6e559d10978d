package steps

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
)

// A frontier sums as a map would, however many vertices come and however far apart.
func TestFrontier_SumsAsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f, other frontier
		least := rapid.SampledFrom([]int64{-2, 1}).Draw(t, "least bulk")
		for range 2 {
			want := map[uint64]int64{}
			spread := rapid.SampledFrom([]uint64{1 << 8, 1 << 20, 1 << 40}).Draw(t, "spread")
			for range rapid.IntRange(0, 2000).Draw(t, "walkers") {
				id := rapid.Uint64Range(1, spread).Draw(t, "vertex")
				bulk := rapid.Int64Range(least, 3).Draw(t, "bulk")
				if bulk == 0 {
					continue
				}
				want[id] += bulk
				if id>>32 == 0 {
					f.addEnds(blueprints.Expanded{Pairs: []uint32{7, uint32(id)}}, bulk)
				} else {
					f.add(id, bulk)
				}
			}
			if least > 0 {
				checkBulks(t, &f, want)
			}
			checkFrontier(t, &f, want)
			f, other = other, f
		}
		f.release()
	})
}

func checkBulks(t *rapid.T, f *frontier, want map[uint64]int64) {
	for id, n := range want {
		if got := f.bulk(id); got != n {
			t.Fatalf("%d walkers at %d, want %d", got, id, n)
		}
	}
}

// checkFrontier takes everything out. Where bulks cancelled out on the way, a vertex
// may come in two parts.
func checkFrontier(t *rapid.T, f *frontier, want map[uint64]int64) {
	var vs []blueprints.VertexID
	var ns []int64
	got := map[uint64]int64{}
	f.begin()
	for {
		if vs, ns = f.next(vs[:0], ns[:0], 7); len(vs) == 0 {
			break
		}
		for i, v := range vs {
			got[uint64(v)] += ns[i]
		}
	}
	for id := range got {
		want[id] += 0
	}
	for id, n := range want {
		if got[id] != n {
			t.Fatalf("%d walkers left %d, want %d", got[id], id, n)
		}
	}
}

func TestPages_CountNewOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p pages
		seen := map[uint64]bool{}
		for range rapid.IntRange(0, 500).Draw(t, "vertices") {
			id := rapid.SampledFrom([]uint64{1 << 7, 1 << 14, 1 << 31, 1 << 40}).Draw(t, "spread") + rapid.Uint64Range(0, 99).Draw(t, "vertex")
			fresh := !seen[id]
			seen[id] = true
			if id>>32 != 0 {
				if p.add(id) != fresh {
					t.Fatalf("%d: new is %v", id, !fresh)
				}
			} else if n := p.addEnds(blueprints.Expanded{Pairs: []uint32{1, uint32(id)}}); (n == 1) != fresh {
				t.Fatalf("%d: %d new", id, n)
			}
		}
	})
}
