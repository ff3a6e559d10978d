package value

import (
	"errors"
	"fmt"
	"math/big"
	"unicode/utf8"
)

// A JavaText writes values as JavaString prints them, within bounds.
type JavaText struct {
	// Resolver shows stored elements by the ids users know; nil shows internal ids.
	Resolver Resolver
	// Grown, when not nil, is told now and then how many bytes dst holds. Its error ends
	// the writing.
	Grown func(n int) error

	values int // since Grown was asked
	asked  int // bytes in dst then
	most   int // bytes behind which nothing is written; 0 means all
	brief  bool
	strict bool // an element that cannot be read ends the writing
	err    error
}

// Grown is asked after so many values, or when so many bytes were added.
const (
	javaTextValues = 1 << 10
	javaTextBytes  = 64 << 10
)

// Append appends the text of v to dst, or what was written of it before an error, which is
// Grown's or the Resolver's.
func (t *JavaText) Append(dst []byte, v Value) ([]byte, error) {
	t.asked, t.strict = len(dst), true
	dst = t.append(dst, v)
	return dst, t.err
}

var errEnough = errors.New("enough is written")

// Ended reports whether nothing more is to be written.
func (t *JavaText) Ended() bool { return t.err != nil }

// over is Ended, and asks first whether dst may become longer when that is due.
func (t *JavaText) over(dst []byte) bool {
	t.values++
	switch {
	case t.err != nil:
	case t.most > 0 && len(dst) > t.most:
		t.err = errEnough
	case t.Grown != nil && (t.values >= javaTextValues || len(dst)-t.asked >= javaTextBytes):
		t.values, t.asked = 0, len(dst)
		t.err = t.Grown(len(dst))
	}
	return t.err != nil
}

// Value appends the text of v: a part of what holds it.
func (t *JavaText) Value(dst []byte, v Value) []byte { return t.append(dst, v) }

// Values appends the texts of a list, with a comma and a space between them.
func (t *JavaText) Values(dst []byte, list []Value) []byte {
	for i, v := range list {
		if t.Ended() {
			return dst
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = t.append(dst, v)
	}
	return dst
}

// Text appends s, or as much of it as there is to be.
func (t *JavaText) Text(dst []byte, s string) []byte {
	if t.most > 0 {
		s = s[:min(len(s), t.most+utf8.UTFMax)]
	}
	return append(dst, s...)
}

// number appends the digits of n. They are as many as it pleases whoever sent it, and
// take the square of that to write: a message says how many there are.
func (t *JavaText) number(dst []byte, n *big.Int) []byte {
	if t.brief && n.BitLen() > briefBits {
		return fmt.Appendf(dst, "a number of %d bits", n.BitLen())
	}
	return n.Append(dst, 10)
}

// beginning returns the text of v, of which it leaves out what comes behind most bytes.
func (t *JavaText) beginning(v Value, most int) string {
	if v.kind == KindString {
		return v.Str()
	}
	b := JavaText{Resolver: t.Resolver, most: most}
	return string(b.append(nil, v))
}

// briefBytes is the length of the longest text that a message shows of a value, briefBits
// that of numbers.
const (
	briefBytes = 200
	briefBits  = 3 * briefBytes
)

// Brief is JavaString for messages: of a long text it is the beginning, and it takes no
// longer than that to make, however much v holds.
func (v Value) Brief() string { return v.BriefWith(nil) }

// BriefWith is Brief with stored elements shown by the ids users know.
func (v Value) BriefWith(r Resolver) string { return v.Beginning(r, briefBytes) }

// Beginning is BriefWith of at most so many bytes.
func (v Value) Beginning(r Resolver, most int) string {
	t := JavaText{Resolver: r, most: most, brief: true}
	return Clip(string(t.append(make([]byte, 0, 64), v)), most)
}

// Brief is the beginning of a text, for messages that quote it.
func Brief(s string) string { return Clip(s, briefBytes) }

// Clip is s, or when it has more than most bytes its beginning with dots behind it.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := most - len(dots)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + dots
}

const dots = "..."
