package keyindex

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/table"
)

// Term is a word that a text has to have, or how one begins.
type Term struct {
	Word   string
	Begins bool
}

// termsMax is how many words a query may have.
const termsMax = 64

// ParseTerms reads a query: words, of which each has to be there; tal* stands for all words
// that begin so.
func ParseTerms(query string) ([]Term, error) {
	var terms []Term
	for _, part := range strings.Fields(query) {
		part, begins := strings.CutSuffix(part, "*")
		before := len(terms)
		EachWord(part, func(word string) bool {
			terms = append(terms, Term{Word: word})
			return len(terms) <= termsMax
		})
		if len(terms) > before {
			terms[len(terms)-1].Begins = begins
		}
	}
	if len(terms) == 0 || len(terms) > termsMax {
		return nil, fmt.Errorf("a query has 1 to %d words, not %d", termsMax, len(terms))
	}
	return terms, nil
}

// Found is an element with how well it fits.
type Found struct {
	Element uint64
	Score   float64
}

// posted is an element of a term.
type posted struct {
	element    uint64
	often, all uint32
}

// The parameters of BM25, which are those of most search engines.
const (
	bm25K = 1.2
	bm25B = 0.75
)

// SearchWords returns the elements of a text index that have all terms, those that fit best
// first, of elements that fit alike the older. Of is how many elements there are. What it
// keeps is charged to a, until release is called.
func SearchWords(a *account.Account, r storage.Reader, graph uint32, d *Definition, terms []Term, of int64) (all []Found, release func(), err error) {
	lists := make([][]posted, len(terms))
	release = func() {
		for _, l := range lists {
			account.Free(a, l)
		}
		account.Free(a, all)
	}
	for i, t := range terms {
		if lists[i], err = postings(a, r, graph, d, t); err != nil {
			return nil, release, err
		}
	}
	mean := meanLength(lists[0])
	weights := make([]float64, len(terms))
	for i, l := range lists {
		df := float64(len(l))
		weights[i] = math.Log(1 + (max(float64(of), df)-df+0.5)/(df+0.5))
	}
	at := make([]int, len(lists))
	for _, p := range lists[0] {
		score, has := 0.0, true
		for i := range lists {
			for at[i] < len(lists[i]) && lists[i][at[i]].element < p.element {
				at[i]++
			}
			if has = at[i] < len(lists[i]) && lists[i][at[i]].element == p.element; !has {
				break
			}
			often := float64(lists[i][at[i]].often)
			score += weights[i] * often * (bm25K + 1) / (often + bm25K*(1-bm25B+bm25B*float64(p.all)/mean))
		}
		if !has {
			continue
		}
		if all, err = account.Append(a, all, Found{p.element, score}); err != nil {
			return nil, release, err
		}
	}
	slices.SortFunc(all, func(x, y Found) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Element, y.Element))
	})
	return all, release, nil
}

// meanLength is how many words elements have, on average, that have the first term: how long
// others are would be no secret else, once entries are sealed.
func meanLength(list []posted) float64 {
	sum := 0.0
	for _, p := range list {
		sum += float64(p.all)
	}
	return max(sum, 1) / float64(max(len(list), 1))
}

// postings are the elements of a term, ascending.
func postings(a *account.Account, r storage.Reader, graph uint32, d *Definition, t Term) (list []posted, err error) {
	from := table.AppendTextToken(nil, graph, d.Number, 0, []byte(t.Word))
	if t.Begins {
		from = table.AppendTextBeginning(nil, graph, d.Number, 0, []byte(t.Word))
	}
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	for it.Next() {
		k := it.Key()
		if n := len(k) - elementLen; n < len(from) || k[n-1] != 0 { // where the token ends
			return list, fmt.Errorf("index entry: %w", storage.ErrCorrupt)
		}
		p := posted{element: binary.BigEndian.Uint64(k[len(k)-elementLen:])}
		if p.often, p.all, err = wordCounts(it.Value()); err != nil {
			return list, err
		}
		if list, err = account.Append(a, list, p); err != nil {
			return list, err
		}
	}
	if t.Begins {
		list = sumPosted(list)
	}
	return list, it.Err()
}

// sumPosted makes one of what elements have under several words.
func sumPosted(list []posted) []posted {
	slices.SortFunc(list, func(x, y posted) int { return cmp.Compare(x.element, y.element) })
	n := 0
	for _, p := range list {
		if n > 0 && list[n-1].element == p.element {
			list[n-1].often += p.often
			continue
		}
		list[n] = p
		n++
	}
	return list[:n]
}
