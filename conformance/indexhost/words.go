package indexhost

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

func randomQuery(r *rand.Rand, vocabulary []string) string {
	query := vocabulary[r.IntN(len(vocabulary))]
	if r.IntN(2) == 0 {
		query += " " + vocabulary[r.IntN(len(vocabulary))]
	}
	if r.IntN(3) == 0 {
		query += "*"
	}
	return query
}

// testWords: what a search finds are the elements that have all words, whatever is
// written, and none keeps what it was charged.
func testWords(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		g := newGraph(t, blueprints.Options{Isolation: level})
		seed := rand.Uint64()
		t.Log("seed", seed)
		r := rand.New(rand.NewPCG(seed, 1))
		vocabulary := strings.Fields("tale tales two Cities city café cafe Tal of the mårk 東京 don't x")
		text := func() string {
			var words []string
			for range r.IntN(6) {
				words = append(words, vocabulary[r.IntN(len(vocabulary))])
			}
			return strings.Join(words, []string{" ", ", ", "\n"}[r.IntN(3)])
		}
		texts := map[blueprints.VertexID]string{}
		var vs []blueprints.VertexID
		write := func(tx *blueprints.Tx) error {
			for range 10 {
				v := vs[r.IntN(len(vs))]
				texts[v] = text()
				setProperty(t, tx, v, "title", texts[v])
			}
			return nil
		}
		update(t, g, func(tx *blueprints.Tx) error {
			for range 60 {
				vs = append(vs, addVertex(t, tx, "book"))
			}
			return write(tx)
		})
		Declare(t, g, blueprints.IndexSpec{Name: "b", Class: blueprints.VertexClass, Keys: []string{"title"}, Analyzer: "words"})
		for range 40 {
			update(t, g, write)
			query := randomQuery(r, vocabulary)
			var want []uint64
			for _, v := range vs {
				if hasTerms(texts[v], query) {
					want = append(want, uint64(v))
				}
			}
			view(t, g, func(tx *blueprints.Tx) {
				a := account.New(nil, "queryMemory", 1<<20)
				_, found, release, err := tx.SearchWords(a, "b", query)
				if err != nil {
					t.Fatal(err)
				}
				var got []uint64
				for i, f := range found {
					if got = append(got, f.Element); i > 0 && f.Score > found[i-1].Score {
						t.Errorf("%s: not the best first: %v", query, found)
					}
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", query, got, want)
				}
				if release(); a.Used() != 0 {
					t.Errorf("%d bytes stay charged", a.Used())
				}
				if _, _, release, err = tx.SearchWords(account.New(nil, "queryMemory", 8), "b", query); err == nil && len(want) > 0 {
					t.Error("nothing was charged")
				}
				release()
			})
		}
		Verified(t, g, "b")
		wantSound(t, g)
	}
}

// hasTerms reports whether a text has all words of a query.
func hasTerms(text, query string) bool {
	terms, _ := keyindex.ParseTerms(query)
	var words []string
	keyindex.EachWord(text, func(w string) bool { words = append(words, w); return true })
	for _, term := range terms {
		if !slices.ContainsFunc(words, func(w string) bool { return w == term.Word || term.Begins && strings.HasPrefix(w, term.Word) }) {
			return false
		}
	}
	return true
}

// testLongText: of a text with very many words the first are found, and it can be
// written and taken back.
func testLongText(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	Declare(t, g, blueprints.IndexSpec{Name: "b", Class: blueprints.VertexClass, Keys: []string{"title"}, Analyzer: "words"})
	Declare(t, g, blueprints.IndexSpec{Name: "t", Class: blueprints.VertexClass, Keys: []string{"title"}, Analyzer: "trigram"})
	var text strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&text, "w%d ", i)
	}
	var v blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		v = addVertex(t, tx, "book", "title", text.String())
		return nil
	})
	if rep := Verified(t, g, "b"); rep.Entries != 4096 {
		t.Errorf("%+v", rep)
	}
	Verified(t, g, "t")
	update(t, g, func(tx *blueprints.Tx) error {
		setProperty(t, tx, v, "title", value.String("w1").Str())
		return nil
	})
	if rep := Verified(t, g, "b"); rep.Entries != 1 {
		t.Errorf("%+v", rep)
	}
	wantSound(t, g)
}
