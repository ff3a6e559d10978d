package machine

import (
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// ByteOf is where the i-th character of a text begins.
func ByteOf(s string, i int64) int {
	for at := range s {
		if i == 0 {
			return at
		}
		i--
	}
	return len(s)
}

// Reversed is a text from its end.
func Reversed(s string) string {
	out := make([]byte, len(s))
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		copy(out[len(s)-i-n:], s[i:i+n])
		i += n
	}
	return string(out)
}

// UTF16Length is Java's length: characters beyond the BMP count twice.
func UTF16Length(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// IndexIn turns a byte offset into characters as Java counts them.
func IndexIn(s string, at int) value.Value {
	if at < 0 {
		return value.Int(-1)
	}
	return value.Int(int32(UTF16Length(s[:at])))
}
