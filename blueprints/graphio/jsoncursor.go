package graphio

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

// jsonCursor goes through the text of one value in one pass: whoever visits an item takes
// it, or passes it with skip, which checks no more than where it ends.
type jsonCursor struct {
	text string
	at   int
}

// next returns the first byte of what comes next, 0 at the end.
func (c *jsonCursor) next() byte {
	for ; c.at < len(c.text); c.at++ {
		switch b := c.text[c.at]; b {
		case ' ', '\n', '\t', '\r':
		default:
			return b
		}
	}
	return 0
}

// entries visits the entries of an object: keys, whose values visit takes.
func (c *jsonCursor) entries(visit func(key string) error) error {
	return c.items('{', '}', func() error {
		key, err := c.string()
		if err != nil {
			return fmt.Errorf("a key: %w", err)
		}
		if c.next() != ':' {
			return fmt.Errorf("':' is expected behind the key %q", key)
		}
		c.at++
		switch c.next() {
		case 0, ',', '}', ']', ':':
			return fmt.Errorf("the key %q has no value", key)
		}
		return visit(key)
	})
}

// elements visits the elements of an array, which visit takes.
func (c *jsonCursor) elements(visit func() error) error {
	return c.items('[', ']', func() error {
		switch c.next() {
		case 0, ',', '}', ']', ':':
			return fmt.Errorf("a value is expected, not %s", c.brief())
		}
		return visit()
	})
}

// items visits what stands between brackets and commas.
func (c *jsonCursor) items(begin, end byte, item func() error) error {
	if c.next() != begin {
		return fmt.Errorf("%q is expected, not %s", begin, c.brief())
	}
	c.at++
	for first := true; ; first = false {
		b := c.next()
		switch {
		case b == 0:
			return fmt.Errorf("%q is missing", end)
		case b == end:
			c.at++
			return nil
		case first:
		case b != ',':
			return fmt.Errorf("',' or %q is expected, not %s", end, c.brief())
		default:
			c.at++
			c.next()
		}
		if err := item(); err != nil {
			return err
		}
	}
}

// brief is what comes next, for a message.
func (c *jsonCursor) brief() string { return fmt.Sprintf("%.20q", c.text[c.at:]) }

// skip passes a value and returns its text.
func (c *jsonCursor) skip() string {
	c.next()
	var k jsonSkip
	from := c.at
	n, _ := jsonOver(&k, c.text[from:], 0)
	c.at = from + n
	return c.text[from:c.at]
}

// string takes a string.
func (c *jsonCursor) string() (string, error) {
	if c.next() == '"' {
		rest := c.text[c.at+1:]
		if n := strings.IndexByte(rest, '"'); n >= 0 && plainText(rest[:n]) {
			c.at += n + 2
			return rest[:n], nil
		}
	}
	return jsonText(c.skip())
}

// jsonSpace passes space, which is that of XML too.
func jsonSpace(text string) string {
	n := 0
	for n < len(text) && (text[n] == ' ' || text[n] == '\n' || text[n] == '\t' || text[n] == '\r') {
		n++
	}
	return text[n:]
}

// jsonText reads a string.
func jsonText(raw string) (string, error) {
	if n := len(raw); n >= 2 && raw[0] == '"' && plainText(raw[1:n-1]) {
		return raw[1 : n-1], nil
	}
	n, err := graphson.Parse([]byte(raw))
	if err == nil && n.Kind() != graphson.NodeString {
		err = fmt.Errorf("a string is expected, not %s", n.Kind())
	}
	return n.Text(), err
}

// plainText reports whether the content of a string is its text: without escapes and
// errors.
func plainText(s string) bool {
	ascii := true
	for i := range len(s) {
		c := s[i]
		if c < 0x20 || c == '"' || c == '\\' {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return ascii || utf8.ValidString(s)
}

// typedPrefix begins the typed values, and those are how the numbers go on that most
// values are.
const typedPrefix = `{"@type":"g:`

var typedNumbers = []struct {
	name string
	read func(text string) (value.Value, error)
}{
	{`Int64","@value":`, func(text string) (value.Value, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		return value.Long(n), err
	}},
	{`Int32","@value":`, func(text string) (value.Value, error) {
		n, err := strconv.ParseInt(text, 10, 32)
		return value.Int(int32(n)), err
	}},
	{`Double","@value":`, func(text string) (value.Value, error) {
		f, err := strconv.ParseFloat(text, 64)
		return value.Double(f), err
	}},
}

// value takes a typed value of GraphSON 3.
func (c *jsonCursor) value() (value.Value, error) {
	switch c.next() {
	case '"':
		s, err := c.string()
		return value.String(s), err
	case '{':
		if v, ok := c.number(); ok {
			return v, nil
		}
	}
	return decodeValue([]byte(c.skip()))
}

// number takes a number in the form that TinkerPop writes it in; it takes nothing else.
func (c *jsonCursor) number() (value.Value, bool) {
	rest, ok := strings.CutPrefix(c.text[c.at:], typedPrefix)
	if !ok {
		return value.Null, false
	}
	for i := range typedNumbers {
		digits, ok := strings.CutPrefix(rest, typedNumbers[i].name)
		if !ok {
			continue
		}
		n := strings.IndexByte(digits, '}')
		if n < 0 || !plainNumber(digits[:n]) {
			return value.Null, false
		}
		v, err := typedNumbers[i].read(digits[:n])
		if err != nil {
			return value.Null, false
		}
		c.at = len(c.text) - len(digits) + n + 1
		return v, true
	}
	return value.Null, false
}

// plainNumber reports whether text is a number as JSON writes it, of those that most are.
func plainNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	whole, fraction, pointed := strings.Cut(digits, ".")
	return onlyDigits(whole) && (len(whole) == 1 || whole[0] != '0') && (!pointed || onlyDigits(fraction))
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
