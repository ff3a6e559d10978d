package script

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// text1 makes a method of no arguments from a function of strings whose result is about
// as long.
func text1(fn func(string) string) method {
	return method{0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
		s := m.string(self)
		if err := m.newText(len(s)); err != nil {
			return value.Null, err
		}
		return value.String(fn(s)), nil
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
			return m.joinedTexts(m.string(s), m.string(a[0]))
		}},
		"plus":      {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) { return m.plus(s, a[0]) }},
		"multiply":  {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) { return m.times(s, a[0]) }},
		"substring": {1, 2, substring},
		"charAt":    {1, 1, charAt},
		"getAt": {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			return m.stringAt(m.string(s), a[0])
		}},
		"indexOf": {1, 2, stringIndexOf},
		"lastIndexOf": {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			return indexIn(m.string(s), strings.LastIndex(m.string(s), m.string(a[0]))), nil
		}},
		"replace": {2, 2, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			return m.replace(m.string(s), m.string(a[0]), m.string(a[1]))
		}},
		"replaceAll":   {2, 2, replacePattern},
		"matches":      {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) { return m.matches(s, a[0], true) }},
		"split":        {0, 1, split},
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

func capitalOrEmpty(s string) string {
	if s == "" {
		return s
	}
	return capital(s)
}

func (m *machine) replace(s, from, to string) (value.Value, error) {
	if n := strings.Count(s, from); n > 0 {
		if err := m.newText(len(s) + n*max(len(to)-len(from), 0)); err != nil {
			return value.Null, err
		}
	}
	return value.String(strings.ReplaceAll(s, from, to)), nil
}

func substring(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	s := m.string(self)
	length := int64(utf8.RuneCountInString(s))
	from, to := int64(0), length
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
	if from < 0 || to > length || from > to {
		return value.Null, fail(stringIndexException, "begin %d, end %d, length %d", from, to, length)
	}
	return m.textPart(s, from, to, false)
}

// replacePattern is replaceAll: $1 in the replacement is a group, a closure makes it.
func replacePattern(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	p, err := m.expressionOf(a[0])
	if err != nil {
		return value.Null, err
	}
	if !isCallable(a[1]) {
		return m.replacedBy(p, m.string(self), m.string(a[1]))
	}
	s, end := m.string(self), 0
	var b strings.Builder
	err = m.eachMatchOf(p, s, func(at []int) (bool, error) {
		v, err := m.callGroups(a[1], groupsAt(s, at))
		if err != nil {
			return false, err
		}
		text := s[end:at[0]] + m.string(v)
		if err := m.longer(&b, len(text)); err != nil {
			return false, err
		}
		b.WriteString(text)
		end = at[1]
		return true, nil
	})
	if err != nil {
		return value.Null, err
	}
	return m.joinedTexts(b.String(), s[end:])
}

// stringIndexOf looks for a text from an index on.
func stringIndexOf(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	s, from := m.string(self), 0
	if len(a) == 2 {
		from = byteOf(s, max(value.AsInt64(a[1]), 0))
	}
	at := strings.Index(s[from:], m.string(a[0]))
	if at >= 0 {
		at += from
	}
	return indexIn(s, at), nil
}

// split leaves out empty texts at the end, as Java does.
func split(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if len(a) == 0 {
		return tokenize(m, self, a)
	}
	p, err := m.expressionOf(a[0])
	if err != nil {
		return value.Null, err
	}
	s := m.string(self)
	if err := m.searches(p, s); err != nil {
		return value.Null, err
	}
	n, err := m.places(p, s)
	if err == nil {
		err = m.charge(partBytes * (n + 1))
	}
	if err != nil {
		return value.Null, err
	}
	parts := p.split(s)
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
	if len(set) > patternMax {
		return value.Null, fail(argumentException, "tokenize() with %d characters, more than %d", len(set), patternMax)
	}
	s := m.string(self)
	between := func(r rune) bool { return strings.ContainsRune(set, r) }
	n, inside := 0, false
	for i, r := range s {
		if i%1024 == 0 {
			if err := m.Work(1024 * (1 + len(set)/16)); err != nil {
				return value.Null, err
			}
		}
		if out := between(r); out == inside {
			inside = !out
			n++
		}
	}
	if err := m.charge(partBytes * (n/2 + 1)); err != nil {
		return value.Null, err
	}
	return m.texts(strings.FieldsFunc(s, between))
}

// partBytes is what a text that was taken apart is charged for each part: a string in a
// slice, and the value of it.
const partBytes = 4 * valueBytes

// split is what is between the places at which a pattern fits.
func (p *pattern) split(s string) []string {
	if p.literal && p.String() != "" {
		return strings.Split(s, p.String())
	}
	return p.Split(s, -1)
}

func (m *machine) texts(parts []string) (value.Value, error) {
	out := make([]value.Value, len(parts))
	for i, s := range parts {
		if err := m.Work(itemWork); err != nil {
			return value.Null, err
		}
		out[i] = value.String(s)
	}
	return newList(out), nil
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
		if err := m.newText(int(n)*utf8.UTFMax + len(s)); err != nil {
			return value.Null, err
		}
		if left {
			return value.String(padding(with, n) + s), nil
		}
		return value.String(s + padding(with, n)), nil
	}
}

// padding repeats a text that is not empty until it has n characters.
func padding(with string, n int64) string {
	var b strings.Builder
	for n > 0 {
		for _, r := range with {
			if n--; n >= 0 {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

func charAt(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	v, err := m.stringAt(m.string(self), a[0])
	if err != nil {
		return v, err
	}
	r, _ := utf8.DecodeRuneInString(v.Str())
	return value.Char(r), nil
}
