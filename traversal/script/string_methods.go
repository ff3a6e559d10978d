package script

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// text1 makes a method of no arguments from a function of strings.
func text1(fn func(string) string) method {
	return method{0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
		return m.text(fn(m.string(self)))
	}}
}

// test1 makes a method of one text argument with a boolean result.
func test1(fn func(s, t string) bool) method {
	return method{1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		return value.Bool(fn(m.string(self), m.string(a[0]))), nil
	}}
}

func stringLength(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	return value.Int(int32(utf16Length(m.string(self)))), nil
}

// utf16Length is Java's length: characters beyond the BMP count twice.
func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

func stringMethods() methods {
	return methods{
		"length":           {0, 0, stringLength},
		"size":             {0, 0, stringLength},
		"toUpperCase":      text1(strings.ToUpper),
		"toLowerCase":      text1(strings.ToLower),
		"trim":             text1(strings.TrimSpace),
		"strip":            text1(strings.TrimSpace),
		"reverse":          text1(reversed),
		"capitalize":       text1(func(s string) string { return capitalOrEmpty(s) }),
		"contains":         test1(strings.Contains),
		"startsWith":       test1(strings.HasPrefix),
		"endsWith":         test1(strings.HasSuffix),
		"equalsIgnoreCase": test1(strings.EqualFold),
		"isEmpty": {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(m.string(s) == ""), nil
		}},
		"concat": {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			return m.text(m.string(s) + m.string(a[0]))
		}},
		"plus":      {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) { return m.plus(s, a[0]) }},
		"multiply":  {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) { return m.times(s, a[0]) }},
		"substring": {1, 2, substring},
		"charAt":    {1, 1, charAt},
		"getAt": {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			return m.stringAt(m.string(s), a[0])
		}},
		"indexOf": {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			return indexIn(m.string(s), strings.Index(m.string(s), m.string(a[0]))), nil
		}},
		"lastIndexOf": {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			return indexIn(m.string(s), strings.LastIndex(m.string(s), m.string(a[0]))), nil
		}},
		"replace": {2, 2, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			return m.replace(m.string(s), m.string(a[0]), m.string(a[1]))
		}},
		"replaceAll":   {2, 2, replacePattern},
		"matches":      {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) { return m.matches(s, a[0], true) }},
		"split":        {1, 1, split},
		"tokenize":     {0, 1, tokenize},
		"toInteger":    parseAs(value.KindInt),
		"toLong":       parseAs(value.KindLong),
		"toDouble":     parseAs(value.KindDouble),
		"toFloat":      parseAs(value.KindFloat),
		"toBigDecimal": parseAs(value.KindBigDecimal),
		"toBigInteger": parseAs(value.KindBigInteger),
		"isNumber": {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) {
			_, err := parseNumber(m.string(s), value.KindBigDecimal)
			return value.Bool(err == nil), nil
		}},
		"toList":    {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) { return m.toList(s) }},
		"padLeft":   {1, 2, pad(true)},
		"padRight":  {1, 2, pad(false)},
		"compareTo": {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) { return m.binary("<=>", s, a[0]) }},
		"each":      {1, 1, eachItem},
		"collect":   {1, 1, collect},
	}
}

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

func capitalOrEmpty(s string) string {
	if s == "" {
		return s
	}
	return capital(s)
}

// indexIn turns a byte offset into characters as Java counts them.
func indexIn(s string, at int) value.Value {
	if at < 0 {
		return value.Int(-1)
	}
	return value.Int(int32(utf16Length(s[:at])))
}

func (m *machine) replace(s, from, to string) (value.Value, error) {
	if n := strings.Count(s, from); n > 0 {
		if err := m.charge(len(s) + n*len(to)); err != nil {
			return value.Null, err
		}
	}
	return value.String(strings.ReplaceAll(s, from, to)), nil
}

func substring(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	r := []rune(m.string(self))
	from, to := int64(0), int64(len(r))
	for i, v := range a {
		if !v.Kind().IsNumber() {
			return value.Null, m.noMethod(self, "substring", a)
		}
		if i == 0 {
			from = value.AsInt64(v)
		} else {
			to = value.AsInt64(v)
		}
	}
	if from < 0 || to > int64(len(r)) || from > to {
		return value.Null, fail(stringIndexException, "begin %d, end %d, length %d", from, to, len(r))
	}
	return m.text(string(r[from:to]))
}

func compiled(pattern string) (*regexp.Regexp, error) {
	if len(pattern) > patternMax {
		return nil, fail(argumentException, "a regular expression of %d bytes is longer than %d", len(pattern), patternMax)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fail("java.util.regex.PatternSyntaxException", "regular expression: %v", err)
	}
	return re, nil
}

func replacePattern(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	re, err := compiled(m.string(a[0]))
	if err != nil {
		return value.Null, err
	}
	s, to := m.string(self), m.string(a[1])
	if err := m.charge(len(s) + (len(s)+1)*len(to)); err != nil {
		return value.Null, err
	}
	return value.String(re.ReplaceAllString(s, strings.ReplaceAll(to, "$", "$$"))), nil
}

// split leaves out empty texts at the end, as Java does.
func split(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	re, err := compiled(m.string(a[0]))
	if err != nil {
		return value.Null, err
	}
	parts := re.Split(m.string(self), -1)
	for len(parts) > 1 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return m.texts(parts)
}

func tokenize(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	set := " \t\n\r\f"
	if len(a) == 1 {
		set = m.string(a[0])
	}
	return m.texts(strings.FieldsFunc(m.string(self), func(r rune) bool { return strings.ContainsRune(set, r) }))
}

func (m *machine) texts(parts []string) (value.Value, error) {
	out := make([]value.Value, len(parts))
	for i, s := range parts {
		out[i] = value.String(s)
	}
	return newList(out), m.charge(valueBytes * len(parts))
}

func parseAs(k value.Kind) method {
	return method{0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
		return parseNumber(strings.TrimSpace(m.string(self)), k)
	}}
}

func pad(left bool) func(*machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		s, with := m.string(self), " "
		if len(a) == 2 {
			with = m.string(a[1])
		}
		n := min(value.AsInt64(a[0]), math.MaxInt32) - int64(utf8.RuneCountInString(s))
		if !a[0].Kind().IsNumber() || n <= 0 || with == "" {
			return self, nil
		}
		if err := m.charge(int(n) * len(with)); err != nil {
			return value.Null, err
		}
		padding := strings.Repeat(with, int(n))
		if left {
			return value.String(string([]rune(padding)[:n]) + s), nil
		}
		return value.String(s + string([]rune(padding)[:n])), nil
	}
}

func charAt(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	v, err := m.stringAt(m.string(self), a[0])
	if err != nil {
		return v, err
	}
	return value.Char([]rune(v.Str())[0]), nil
}
