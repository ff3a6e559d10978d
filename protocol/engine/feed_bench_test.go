package engine

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// BenchmarkFeed has one reader read changes as the endpoint does, down to their text: commits
// of one change each, and of a hundred. changes/s is the figure. Bar: 50,000.
func BenchmarkFeed(b *testing.B) {
	for _, size := range []int{1, 100} {
		b.Run(fmt.Sprint("changes in a commit/", size), func(b *testing.B) {
			e := open(b)
			g, err := e.o.Database.Graph("crew")
			if err != nil {
				b.Fatal(err)
			}
			if err := g.KeepHistory(b.Context(), blueprints.Forever); err != nil {
				b.Fatal(err)
			}
			var v blueprints.VertexID
			update := func(n int) {
				err := g.Update(b.Context(), func(tx *blueprints.Tx) (err error) {
					if v == 0 {
						v, err = tx.AddVertex("x", value.Null)
					}
					for k := range size {
						if err == nil {
							_, err = tx.SetVertexProperty(v, "single", fmt.Sprint("k", k), value.Long(int64(n)), value.Null, nil)
						}
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			commits := max(2000/size, 1)
			for n := range commits {
				update(n)
			}
			told, after := 0, ""
			text := graphson.Encoder{Form: graphson.Form{Version: 3}}
			var buf []byte
			b.ResetTimer()
			for told < b.N {
				q := contract.FeedQuery{Identity: traversal.Anyone, Source: "gcrew", After: after, Account: account.New(nil, "", math.MaxInt64)}
				at, err := e.Changes(context.Background(), &q, func(c contract.Told) (_ bool, err error) {
					buf, err = text.Append(buf[:0], c.Commit.Value())
					told += size
					return true, err
				})
				if err != nil {
					b.Fatal(err)
				}
				if after = at.Cursor; at.End {
					after = ""
				}
			}
			b.ReportMetric(float64(told)/b.Elapsed().Seconds(), "changes/s")
		})
	}
}
