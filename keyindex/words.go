package keyindex

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/gremlind/gremlind/storage"
)

// Words is the analyzer that takes the words of a text, as Unicode divides it, without what
// tells upper case from lower and letters with accents from those without.
const Words = "words"

// UnicodeTables names what decides where words begin and how they are folded. An index that
// was made with others might lack what it is asked for. The number behind is one more when
// the rules here are others, or those of uniseg.
const UnicodeTables = norm.Version + "/1"

const (
	// wordsMax is how many different words an element has in an index at most; what comes
	// behind them is not found.
	wordsMax = 4096
	// wordBytes is what is kept of a word; those that begin alike are one.
	wordBytes = 64
	// wordsRead is how many bytes of an element's texts are read.
	wordsRead = 1 << 20
)

// EachWord gives fn the folded words of a text, until it returns false.
func EachWord(s string, fn func(word string) bool) {
	state := -1
	for len(s) > 0 {
		var part string
		part, s, state = uniseg.FirstWordInString(s, state)
		if strings.IndexFunc(part, wordly) < 0 {
			continue
		}
		if part = foldWord(part); part != "" && !fn(part) {
			return
		}
	}
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// The marks that fold away are those of Latin, Greek and Cyrillic letters: in other scripts
// they are vowels.
const firstMark, lastMark = 0x300, 0x36f

func foldWord(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] < utf8.RuneSelf
	}
	if plain {
		s = strings.ToLower(s)
	} else {
		s = strings.Map(func(r rune) rune {
			if r >= firstMark && r <= lastMark || r == 0 {
				return -1
			}
			return r
		}, norm.NFKD.String(cases.Fold().String(s)))
		s = norm.NFC.String(s)
	}
	if len(s) > wordBytes {
		n := wordBytes
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return s
}

// words makes n the words of an element, ascending, each with how often it comes and how many
// there are of all.
func (n *Entries) words(d *Definition, e *Element, els Elements) error {
	counts, all, left := map[string]int{}, 0, wordsRead
	for _, symbol := range d.Symbols {
		var err error
		if n.vals, err = els.Values(n.vals[:0], e.Class, e.ID, symbol); err != nil {
			return err
		}
		for _, v := range n.vals {
			s := textOf(v)
			if s = s[:min(len(s), left)]; s == "" {
				continue
			}
			left -= len(s)
			EachWord(s, func(word string) bool {
				if _, has := counts[word]; !has && len(counts) == wordsMax {
					return false
				}
				counts[word]++
				all++
				return true
			})
		}
	}
	words := make([]string, 0, len(counts))
	for w := range counts {
		words = append(words, w)
	}
	slices.Sort(words)
	n.ordered = true
	for _, w := range words {
		start := len(n.buf)
		n.buf = append(append(n.buf, w...), 0)
		n.buf = binary.AppendUvarint(binary.AppendUvarint(n.buf, uint64(counts[w])), uint64(all))
		n.list = append(n.list, entry{start: start, end: len(n.buf)})
	}
	return nil
}

// TokenOf takes what an entry of a text index says apart: the token, and the value that stands
// behind its key.
func TokenOf(values []byte) (token, val []byte) {
	if i := bytes.IndexByte(values, 0); i >= 0 {
		return values[:i], values[i+1:]
	}
	return values, nil
}

// wordCounts reads the value of an entry.
func wordCounts(val []byte) (often, all uint32, err error) {
	a, n := binary.Uvarint(val)
	if n <= 0 {
		return 0, 0, fmt.Errorf("index entry: %w", storage.ErrCorrupt)
	}
	b, m := binary.Uvarint(val[n:])
	if m <= 0 || n+m != len(val) || a > b {
		return 0, 0, fmt.Errorf("index entry: %w", storage.ErrCorrupt)
	}
	return uint32(a), uint32(b), nil
}
