package graphio

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

// eachEntry visits the entries of the object that text is: keys, and the texts of values.
func eachEntry(text string, fn func(key, raw string) error) error {
	return eachItem(text, '{', '}', func(rest string) (string, error) {
		end := jsonEnd(rest)
		key, err := jsonText(rest[:end])
		if err != nil {
			return "", fmt.Errorf("a key: %w", err)
		}
		rest = jsonSpace(rest[end:])
		if rest == "" || rest[0] != ':' {
			return "", fmt.Errorf("':' is expected behind the key %q", key)
		}
		rest = jsonSpace(rest[1:])
		end = jsonEnd(rest)
		if end == 0 {
			return "", fmt.Errorf("the key %q has no value", key)
		}
		return rest[end:], fn(key, rest[:end])
	})
}

// eachElement visits the texts of the elements of the array that text is.
func eachElement(text string, fn func(raw string) error) error {
	return eachItem(text, '[', ']', func(rest string) (string, error) {
		end := jsonEnd(rest)
		if end == 0 {
			return "", fmt.Errorf("a value is expected, not %.20q", rest)
		}
		return rest[end:], fn(rest[:end])
	})
}

// eachItem visits what stands between brackets and commas; item returns what is behind
// the item that its argument begins with.
func eachItem(text string, begin, end byte, item func(rest string) (string, error)) error {
	rest := jsonSpace(text)
	if rest == "" || rest[0] != begin {
		return fmt.Errorf("%q is expected, not %.20q", begin, rest)
	}
	rest = rest[1:]
	for first := true; ; first = false {
		rest = jsonSpace(rest)
		switch {
		case rest == "":
			return fmt.Errorf("%q is missing", end)
		case rest[0] == end:
			return nil
		case first:
		case rest[0] != ',':
			return fmt.Errorf("',' or %q is expected, not %.20q", end, rest)
		default:
			rest = jsonSpace(rest[1:])
		}
		var err error
		if rest, err = item(rest); err != nil {
			return err
		}
	}
}

// jsonSpace passes space, which is that of XML too.
func jsonSpace(text string) string {
	n := 0
	for n < len(text) && (text[n] == ' ' || text[n] == '\n' || text[n] == '\t' || text[n] == '\r') {
		n++
	}
	return text[n:]
}

// jsonEnd returns where the value ends that text begins with.
func jsonEnd(text string) int {
	depth := 0
	for n := 0; n < len(text); n++ {
		switch text[n] {
		case '"':
			if depth == 0 && n > 0 {
				return n
			}
			n = quoteEnd(text, n+1)
			if depth == 0 {
				return min(len(text), n+1)
			}
		case '{', '[':
			if depth == 0 && n > 0 {
				return n
			}
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return n + 1 + min(depth, 0)
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return n
			}
		}
	}
	return len(text)
}

// quoteEnd returns where the quote is that ends a string whose content begins at n.
func quoteEnd(text string, n int) int {
	for {
		i := strings.IndexByte(text[n:], '"')
		if i < 0 {
			return len(text)
		}
		escapes := 0
		for at := n + i - 1; at >= n && text[at] == '\\'; at-- {
			escapes++
		}
		n += i
		if escapes%2 == 0 {
			return n
		}
		n++
	}
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

// typedPrefixes begin the typed numbers that most values are.
var typedPrefixes = []struct {
	prefix string
	read   func(text string) (value.Value, error)
}{
	{`{"@type":"g:Int64","@value":`, func(text string) (value.Value, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		return value.Long(n), err
	}},
	{`{"@type":"g:Int32","@value":`, func(text string) (value.Value, error) {
		n, err := strconv.ParseInt(text, 10, 32)
		return value.Int(int32(n)), err
	}},
	{`{"@type":"g:Double","@value":`, func(text string) (value.Value, error) {
		f, err := strconv.ParseFloat(text, 64)
		return value.Double(f), err
	}},
}

// decodeText reads one typed value of GraphSON 3.
func decodeText(raw string) (value.Value, error) {
	if raw == "" {
		return value.Null, errMissing
	}
	if raw[0] == '"' {
		s, err := jsonText(raw)
		return value.String(s), err
	}
	for i := range typedPrefixes {
		p := &typedPrefixes[i]
		rest, ok := strings.CutPrefix(raw, p.prefix)
		if !ok {
			continue
		}
		digits, closed := strings.CutSuffix(rest, "}")
		if closed && plainNumber(digits) {
			if v, err := p.read(digits); err == nil {
				return v, nil
			}
		}
	}
	return decodeValue([]byte(raw))
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
