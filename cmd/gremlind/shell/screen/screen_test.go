package screen

import "testing"

func TestScreen(t *testing.T) {
	for written, want := range map[string]string{
		"a\r\nb":                 "a\nb",
		"abcdefghijk":            "abcdefghij\nk",
		"日本語日本語":                 "日本語日本\n語",
		"a日本語日本語":                "a日本語日\n本語",
		"日\x1b[2Dx":              "x",
		"abc\r\x1b[Kd":           "d",
		"abc\x1b[1Ax\x1b[31m":    "abcx",
		"e\u0301x":               "e\u0301x",
		"1\r\n2\r\n3\r\n4":       "1\n2\n3\n4",
		"12\x1b]0;title\x073":    "123",
		"ab\x1b7\r\ncd\x1b8X":    "abX\ncd",
		"ab\r\ncd\x1b[H\x1b[J":   "",
		"abcdefghij\rX\x1b[?25l": "Xbcdefghij",
		"1\x1b]0;t\x1b\\2":       "12",
		"a\x1b(Bb\x1b)0c":        "abc",
	} {
		s := New(10, 3)
		for i := range len(written) { // a byte at a time: nothing may depend on the pieces
			s.Write([]byte{written[i]})
		}
		if got := s.String(); got != want {
			t.Errorf("%q: %q, not %q", written, got, want)
		}
	}
}
