package methods

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// text1 makes a method of no arguments from a function of strings whose result is about
// as long.
func text1(fn func(string) string) machine.Method {
	return machine.Method{0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		s := m.String(self)
		if err := m.NewText(len(s)); err != nil {
			return value.Null, err
		}
		return value.String(machine.PartOf(s, fn(s))), nil
	}}
}

// test1 makes a method of one text argument with a boolean result.
func test1(fn func(s, t string) bool) machine.Method {
	return machine.Method{1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		return value.Bool(fn(m.String(self), m.String(a[0]))), nil
	}}
}

func stringLength(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	return value.Int(int32(machine.UTF16Length(m.String(self)))), nil
}

func stringMethods() machine.Methods {
	return machine.Methods{
		"length":           {0, 0, stringLength},
		"size":             {0, 0, stringLength},
		"toUpperCase":      text1(strings.ToUpper),
		"toLowerCase":      text1(strings.ToLower),
		"trim":             text1(strings.TrimSpace),
		"strip":            text1(strings.TrimSpace),
		"reverse":          text1(machine.Reversed),
		"capitalize":       text1(func(s string) string { return capitalOrEmpty(s) }),
		"contains":         test1(strings.Contains),
		"startsWith":       test1(strings.HasPrefix),
		"endsWith":         test1(strings.HasSuffix),
		"equalsIgnoreCase": test1(strings.EqualFold),
		"isEmpty": {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(m.String(s) == ""), nil
		}},
		"concat": {1, 1, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) {
			return m.JoinedTexts(m.String(s), m.String(a[0]))
		}},
		"plus":      {1, 1, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) { return m.Plus(s, a[0]) }},
		"multiply":  {1, 1, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) { return m.Times(s, a[0]) }},
		"substring": {1, 2, substring},
		"charAt":    {1, 1, charAt},
		"getAt": {1, 1, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) {
			return m.StringAt(m.String(s), a[0])
		}},
		"indexOf": {1, 2, stringIndexOf},
		"lastIndexOf": {1, 1, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) {
			return machine.IndexIn(m.String(s), strings.LastIndex(m.String(s), m.String(a[0]))), nil
		}},
		"replace": {2, 2, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) {
			return replace(m, m.String(s), m.String(a[0]), m.String(a[1]))
		}},
		"replaceAll": {2, 2, replacePattern},
		"matches": {1, 1, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) {
			return m.Matches(s, a[0], true)
		}},
		"split":        {0, 1, split},
		"tokenize":     {0, 1, tokenize},
		"toInteger":    parseAs(value.KindInt),
		"toLong":       parseAs(value.KindLong),
		"toDouble":     parseAs(value.KindDouble),
		"toFloat":      parseAs(value.KindFloat),
		"toBigDecimal": parseAs(value.KindBigDecimal),
		"toBigInteger": parseAs(value.KindBigInteger),
		"isNumber": {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) {
			_, err := machine.ParseNumber(m.String(s), value.KindBigDecimal)
			return value.Bool(err == nil), nil
		}},
		"toList":   {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) { return m.ToList(s) }},
		"padLeft":  {1, 2, pad(true)},
		"padRight": {1, 2, pad(false)},
		"compareTo": {1, 1, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) {
			return m.Binary("<=>", s, a[0])
		}},
		"each":    {1, 1, eachItem},
		"collect": {1, 1, collect},
	}
}

func capitalOrEmpty(s string) string {
	if s == "" {
		return s
	}
	return machine.Capital(s)
}

func replace(m *machine.Machine, s, from, to string) (value.Value, error) {
	if n := strings.Count(s, from); n > 0 {
		if err := m.NewText(len(s) + n*max(len(to)-len(from), 0)); err != nil {
			return value.Null, err
		}
	}
	return value.String(strings.ReplaceAll(s, from, to)), nil
}

func substring(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	s := m.String(self)
	length := int64(utf8.RuneCountInString(s))
	from, to := int64(0), length
	for i, v := range a {
		if !v.Kind().IsNumber() {
			return value.Null, m.NoMethod(self, "substring", a)
		}
		if i == 0 {
			from = value.AsInt64(v)
		} else {
			to = value.AsInt64(v)
		}
	}
	if from < 0 || to > length || from > to {
		return value.Null, machine.Fail(machine.StringIndexException, "begin %d, end %d, length %d", from, to, length)
	}
	return m.TextPart(s, from, to, false)
}

// replacePattern is replaceAll: $1 in the replacement is a group, a closure makes it.
func replacePattern(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	p, err := m.ExpressionOf(a[0])
	if err != nil {
		return value.Null, err
	}
	if !machine.IsCallable(a[1]) {
		return m.ReplacedBy(p, m.String(self), m.String(a[1]))
	}
	s, end := m.String(self), 0
	var b strings.Builder
	err = m.EachMatchOf(p, s, func(at []int) (bool, error) {
		v, err := callGroups(m, a[1], machine.GroupsAt(s, at))
		if err != nil {
			return false, err
		}
		text := s[end:at[0]] + m.String(v)
		if err := m.Longer(&b, len(text)); err != nil {
			return false, err
		}
		b.WriteString(text)
		end = at[1]
		return true, nil
	})
	if err != nil {
		return value.Null, err
	}
	return m.JoinedTexts(b.String(), s[end:])
}

// stringIndexOf looks for a text from an index on.
func stringIndexOf(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	s, from := m.String(self), 0
	if len(a) == 2 {
		from = machine.ByteOf(s, max(value.AsInt64(a[1]), 0))
	}
	at := strings.Index(s[from:], m.String(a[0]))
	if at >= 0 {
		at += from
	}
	return machine.IndexIn(s, at), nil
}

// split leaves out empty texts at the end, as Java does.
func split(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if len(a) == 0 {
		return tokenize(m, self, a)
	}
	p, err := m.ExpressionOf(a[0])
	if err != nil {
		return value.Null, err
	}
	s := m.String(self)
	if err := m.Searches(p, s); err != nil {
		return value.Null, err
	}
	n, err := m.Places(p, s)
	if err == nil {
		err = m.Charge(partBytes * (n + 1))
	}
	if err != nil {
		return value.Null, err
	}
	parts := splitBy(p, s)
	for len(parts) > 1 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return texts(m, parts)
}

func tokenize(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	set := " \t\n\r\f"
	if len(a) == 1 {
		set = m.String(a[0])
	}
	if len(set) > machine.PatternMax {
		return value.Null, machine.Fail(machine.ArgumentException, "tokenize() with %d characters, more than %d", len(set), machine.PatternMax)
	}
	s := m.String(self)
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
	if err := m.Charge(partBytes * (n/2 + 1)); err != nil {
		return value.Null, err
	}
	return texts(m, strings.FieldsFunc(s, between))
}

// partBytes is what a text that was taken apart is charged for each part beside its bytes: a
// string in a slice, the value of it and what a copy rounds up.
const partBytes = 4 * machine.ValueBytes

// splitBy is what is between the places at which a pattern fits.
func splitBy(p *machine.Pattern, s string) []string {
	if p.Literal && p.String() != "" {
		return strings.Split(s, p.String())
	}
	return p.Split(s, -1)
}

// texts is the list of the parts of a text, of which none keeps the others.
func texts(m *machine.Machine, parts []string) (value.Value, error) {
	out := make([]value.Value, len(parts))
	for i, s := range parts {
		if err := m.Work(machine.ItemWork); err != nil {
			return value.Null, err
		}
		if err := m.Charge(len(s)); err != nil {
			return value.Null, err
		}
		out[i] = value.String(strings.Clone(s))
	}
	return machine.NewList(out), nil
}

func parseAs(k value.Kind) machine.Method {
	return machine.Method{0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		return machine.ParseNumber(strings.TrimSpace(m.String(self)), k)
	}}
}

func pad(left bool) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		s, with := m.String(self), " "
		if len(a) == 2 {
			with = m.String(a[1])
		}
		n := min(value.AsInt64(a[0]), math.MaxInt32) - int64(utf8.RuneCountInString(s))
		if !a[0].Kind().IsNumber() || n <= 0 || with == "" {
			return self, nil
		}
		if err := m.NewText(int(n)*utf8.UTFMax + len(s)); err != nil {
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

func charAt(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	v, err := m.StringAt(m.String(self), a[0])
	if err != nil {
		return v, err
	}
	r, _ := utf8.DecodeRuneInString(v.Str())
	return value.Char(r), nil
}
