package keyed_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gremlind/gremlind/storage/keyed"
)

// rowsOfPairs are edges of so many vertices, eight each, among each other.
func rowsOfPairs(vertices int) [][]uint32 {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([][]uint32, vertices)
	for i := range rows {
		for range r.IntN(16) {
			rows[i] = append(rows[i], 7, uint32(r.IntN(vertices)))
		}
	}
	return rows
}

// BenchmarkAddPairs adds the edges of all vertices of a small graph and of a greater one: most
// of what counting hops does.
func BenchmarkAddPairs(b *testing.B) {
	for _, vertices := range []int{800, 100_000} {
		rows := rowsOfPairs(vertices)
		b.Run(fmt.Sprintf("table/%d", vertices), func(b *testing.B) {
			var arrays keyed.Arrays[int64]
			for b.Loop() {
				t := keyed.Table[int64]{Arrays: &arrays}
				for _, row := range rows {
					if err := t.AddPairs(row, 2); err != nil {
						b.Fatal(err)
					}
				}
				t.Release()
			}
		})
		b.Run(fmt.Sprintf("set/%d", vertices), func(b *testing.B) {
			for b.Loop() {
				var s keyed.Set
				for _, row := range rows {
					if err := s.AddPairs(row); err != nil {
						b.Fatal(err)
					}
				}
				s.Release()
			}
		})
	}
}
