package value

import "errors"

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
	err    error
}

// Grown is asked after so many values, or when so many bytes were added.
const (
	javaTextValues = 1 << 10
	javaTextBytes  = 64 << 10
)

// Append appends the text of v to dst, or what was written of it before Grown's error.
func (t *JavaText) Append(dst []byte, v Value) ([]byte, error) {
	t.asked = len(dst)
	dst = t.append(dst, v)
	return dst, t.err
}

var errEnough = errors.New("enough is written")

// ended reports whether nothing more is to be written.
func (t *JavaText) ended() bool { return t.err != nil }

// over is ended, and asks first whether dst may become longer when that is due.
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

// beginning returns the text of v, of which it leaves out what comes behind most bytes.
func (t *JavaText) beginning(v Value, most int) string {
	if v.kind == KindString {
		return v.Str()
	}
	b := JavaText{Resolver: t.Resolver, most: most}
	return string(b.append(nil, v))
}
