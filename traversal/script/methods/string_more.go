package methods

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// moreStringMethods are Groovy's and Java's for texts that books use beyond the first need.
func moreStringMethods() machine.Methods {
	return machine.Methods{
		"take":      {1, 1, stringPart(func(n, k int) (int, int) { return 0, k })},
		"drop":      {1, 1, stringPart(func(n, k int) (int, int) { return k, n })},
		"takeRight": {1, 1, stringPart(func(n, k int) (int, int) { return n - k, n })},
		"dropRight": {1, 1, stringPart(func(n, k int) (int, int) { return 0, n - k })},
		"takeWhile": {1, 1, stringWhile(true)},
		"dropWhile": {1, 1, stringWhile(false)},
		"center":    {1, 2, stringCenter},
		"minus":     operatorMethod("-"),
		"leftShift": operatorMethod("<<"),
		"count":     {1, 1, stringCount},
		"findAll":   {1, 2, stringFindAll},
		"find":      {1, 2, stringFind},
		"eachMatch": {2, 2, stringEachMatch},
		"readLines": {0, 0, readLines},
		"lines": {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) {
			v, err := readLines(m, s, nil)
			return machine.Wrap(&Stream{ElemsOf(v)}), err
		}},
		"replaceFirst": {2, 2, replaceFirst},
		"repeat":       operatorMethod("*"),
		"isBlank": {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(strings.TrimSpace(m.String(s)) == ""), nil
		}},
		"isAllWhitespace": {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(strings.TrimSpace(m.String(s)) == ""), nil
		}},
		"isInteger":    parses(value.KindInt),
		"isLong":       parses(value.KindLong),
		"isFloat":      parses(value.KindFloat),
		"isDouble":     parses(value.KindDouble),
		"isBigInteger": parses(value.KindBigInteger),
		"isBigDecimal": parses(value.KindBigDecimal),
		"toShort":      parseAs(value.KindShort),
		"toBoolean": {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(isTrueText(m.String(s))), nil
		}},
	}
}

// textMethodsOfJava are those of java.lang.String and of Groovy's that change or compare a text.
func textMethodsOfJava() machine.Methods {
	return machine.Methods{
		"formatted": {0, math.MaxInt, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) {
			return Format(m, m.String(s), a)
		}},
		"uncapitalize":  text1(uncapital),
		"stripLeading":  text1(func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }),
		"stripTrailing": text1(func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }),
		"stripIndent":   {0, 0, stripIndent},
		"stripMargin":   {0, 1, stripMargin},
		"intern":        {0, 0, Itself},
		"chars":         {0, 0, stringChars},
		"toCharArray": {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) {
			v, err := stringCharList(m, s)
			return v, err
		}},
		"getBytes": {0, 1, stringBytes},
		"bytes":    {0, 0, stringBytes},
		"toSet":    {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) { return m.SetOf(s) }},
		"hashCode": {0, 0, machine.JavaHashCode},
		"compareToIgnoreCase": {1, 1, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) {
			x, y := m.String(s), m.String(a[0])
			if err := m.Charge(2 * (len(x) + len(y))); err != nil {
				return value.Null, err
			}
			return m.Binary("<=>", value.String(strings.ToLower(x)), value.String(strings.ToLower(y)))
		}},
		"containsIgnoreCase":   testFolded(strings.Contains),
		"startsWithIgnoreCase": testFolded(strings.HasPrefix),
		"endsWithIgnoreCase":   testFolded(strings.HasSuffix),
		"subSequence":          {2, 2, substring},
		"codePointAt": {1, 1, func(m *machine.Machine, s value.Value, a []value.Value) (value.Value, error) {
			v, err := charAt(m, s, a)
			return value.Int(int32(v.Int64())), err
		}},
		"eachWithIndex":  {1, 1, eachWithIndex},
		"next":           {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) { return m.Next(s, true) }},
		"previous":       {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) { return m.Next(s, false) }},
		"any":            {0, 1, anyItem},
		"every":          {0, 1, everyItem},
		"inject":         {1, 2, inject},
		"collectEntries": {0, 1, collectEntries},
		"collectMany":    {1, 1, collectMany},
		"iterator": {0, 0, func(m *machine.Machine, s value.Value, _ []value.Value) (value.Value, error) {
			items, err := m.Items(s)
			return machine.Wrap(&machine.Iterator{Rest: items}), err
		}},
		"eachLine":      {1, 1, eachLine},
		"tr":            {2, 2, stringTr},
		"bitwiseNegate": {0, 0, Itself},
	}
}

// testFolded is test1 of the texts in small letters.
func testFolded(fn func(s, t string) bool) machine.Method {
	return machine.Method{1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		s, t := m.String(self), m.String(a[0])
		if err := m.Charge(2 * (len(s) + len(t))); err != nil {
			return value.Null, err
		}
		return value.Bool(fn(strings.ToLower(s), strings.ToLower(t))), nil
	}}
}

// stringPart cuts by the length and the argument, within bounds.
func stringPart(bounds func(n, k int) (int, int)) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		s := m.String(self)
		n := utf8.RuneCountInString(s)
		from, to := bounds(n, int(min(max(value.AsInt64(a[0]), 0), int64(n))))
		from = max(from, 0)
		return m.TextPart(s, int64(from), int64(max(to, from)), false)
	}
}

func stringWhile(take bool) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		s := m.String(self)
		for i, r := range s {
			ok, err := test(m, a, value.String(string(r)))
			if err != nil {
				return value.Null, err
			}
			if !ok {
				return part(m, map[bool]string{true: s[:i], false: s[i:]}[take])
			}
		}
		return part(m, map[bool]string{true: s}[take])
	}
}

// part copies a part of a text, which would keep the whole.
func part(m *machine.Machine, s string) (value.Value, error) {
	if err := m.NewText(len(s)); err != nil {
		return value.Null, err
	}
	return value.String(strings.Clone(s)), nil
}

func stringCenter(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	with := " "
	if len(a) == 2 {
		with = m.String(a[1])
	}
	s := m.String(self)
	n := min(value.AsInt64(a[0]), math.MaxInt32) - int64(utf8.RuneCountInString(s))
	if n <= 0 || with == "" {
		return self, nil
	}
	if err := m.NewText(int(n)*utf8.UTFMax + len(s)); err != nil {
		return value.Null, err
	}
	return value.String(padding(with, n/2) + s + padding(with, n-n/2)), nil
}

func stringCount(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if c, ok := machine.Foreign(a[0]).(*machine.Closure); ok {
		return CountItems(m, self, []value.Value{machine.Wrap(c)})
	}
	s := m.String(self)
	if p, ok := machine.Foreign(a[0]).(*machine.Pattern); ok {
		if err := m.Searches(p, s); err != nil {
			return value.Null, err
		}
		n, err := m.Places(p, s)
		return value.Int(int32(n)), err
	}
	return value.Int(int32(strings.Count(s, m.String(a[0])))), nil
}

// stringFindAll returns what a pattern matches, or the characters that pass a closure.
func stringFindAll(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if _, ok := machine.Foreign(a[0]).(*machine.Closure); ok {
		items, err := m.Items(self)
		if err != nil {
			return value.Null, err
		}
		return findAll(m, machine.NewList(items), a)
	}
	var out []value.Value
	err := eachMatch(m, self, a[0], func(groups []value.Value) (bool, error) {
		v, err := groups[0], error(nil)
		if len(a) == 2 {
			v, err = callGroups(m, a[1], groups)
		}
		if err == nil {
			err = m.Charge(machine.ValueBytes)
		}
		out = append(out, v)
		return true, err
	})
	return machine.NewList(out), err
}

func stringFind(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if _, ok := machine.Foreign(a[0]).(*machine.Closure); ok {
		items, err := m.Items(self)
		if err != nil {
			return value.Null, err
		}
		return find(m, machine.NewList(items), a)
	}
	found := value.Null
	err := eachMatch(m, self, a[0], func(groups []value.Value) (bool, error) {
		found = groups[0]
		var err error
		if len(a) == 2 {
			found, err = callGroups(m, a[1], groups)
		}
		return false, err
	})
	return found, err
}

func stringEachMatch(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	return self, eachMatch(m, self, a[0], func(groups []value.Value) (bool, error) {
		_, err := callGroups(m, a[1], groups)
		return true, err
	})
}

// callGroups calls a closure with a match: alone, or with its groups one by one.
func callGroups(m *machine.Machine, fn value.Value, groups []value.Value) (value.Value, error) {
	if c, ok := machine.Foreign(fn).(*machine.Closure); ok && len(c.Function.Params) > 1 {
		return c.Run(m, groups)
	}
	if len(groups) == 1 {
		return m.Invoke(fn, "call", groups)
	}
	return m.Invoke(fn, "call", []value.Value{machine.NewList(groups)})
}

// eachMatch calls fn with the whole and the groups of each match until it returns false.
func eachMatch(m *machine.Machine, self, pattern value.Value, fn func([]value.Value) (bool, error)) error {
	p, err := m.ExpressionOf(pattern)
	if err != nil {
		return err
	}
	s := m.String(self)
	return m.EachMatchOf(p, s, func(at []int) (bool, error) {
		if err := m.Charge(machine.ValueBytes * len(at) / 2); err != nil {
			return false, err
		}
		return fn(machine.GroupsAt(s, at))
	})
}

func readLines(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	s := m.String(self)
	if err := m.NewText(len(s)); err != nil {
		return value.Null, err
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	if s == "" {
		return machine.NewList(nil), nil
	}
	lines, err := linesOf(m, strings.TrimSuffix(s, "\n"))
	if err != nil {
		return value.Null, err
	}
	return texts(m, lines)
}

// linesOf are those of a text, which keep it.
func linesOf(m *machine.Machine, s string) ([]string, error) {
	if err := m.Charge(partBytes * (strings.Count(s, "\n") + 1)); err != nil {
		return nil, err
	}
	return strings.Split(s, "\n"), nil
}

func eachLine(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	lines, err := readLines(m, self, nil)
	if err != nil {
		return lines, err
	}
	return eachItem(m, lines, a)
}

func replaceFirst(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	p, err := m.ExpressionOf(a[0])
	if err != nil {
		return value.Null, err
	}
	s := m.String(self)
	if err := m.Searches(p, s); err != nil {
		return value.Null, err
	}
	at := p.FindStringSubmatchIndex(s)
	if at == nil {
		return self, nil
	}
	to := machine.JavaReplacement(m.String(a[1]))
	if err := m.NewText(len(s) + 2*len(to) + strings.Count(to, "$")*(at[1]-at[0])); err != nil {
		return value.Null, err
	}
	return value.String(s[:at[0]] + string(p.ExpandString(nil, to, s, at)) + s[at[1]:]), nil
}

func parses(k value.Kind) machine.Method {
	return machine.Method{0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		_, err := machine.ParseNumber(strings.TrimSpace(m.String(self)), k)
		return value.Bool(err == nil), nil
	}}
}

func isTrueText(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return s == "true" || s == "y" || s == "1"
}

func uncapital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToLower(s[:n]) + s[n:]
}

func stripIndent(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	least := math.MaxInt
	return eachLineOf(m, self, func(lines []string) {
		for _, line := range lines {
			if strings.TrimSpace(line) != "" {
				least = min(least, len(line)-len(strings.TrimLeft(line, " \t")))
			}
		}
		for i, line := range lines {
			lines[i] = line[min(least, len(line)):]
		}
	})
}

func stripMargin(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	margin := "|"
	if len(a) == 1 {
		margin = m.String(a[0])
	}
	return eachLineOf(m, self, func(lines []string) {
		for i, line := range lines {
			if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), margin); ok {
				lines[i] = rest
			}
		}
	})
}

// eachLineOf makes a text of lines that were shortened.
func eachLineOf(m *machine.Machine, self value.Value, shorten func(lines []string)) (value.Value, error) {
	s := m.String(self)
	lines, err := linesOf(m, s)
	if err == nil {
		err = m.NewText(len(s))
	}
	if err != nil {
		return value.Null, err
	}
	shorten(lines)
	return value.String(strings.Join(lines, "\n")), nil
}

func stringChars(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	v, err := stringCharList(m, self)
	elems := ElemsOf(v)
	for i, c := range elems {
		elems[i] = value.Int(int32(c.Int64()))
	}
	return machine.Wrap(&Stream{elems}), err
}

func stringCharList(m *machine.Machine, self value.Value) (value.Value, error) {
	s := m.String(self)
	if err := m.Charge(machine.ValueBytes * len(s)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, 0, len(s))
	for _, r := range s {
		out = append(out, value.Char(r))
	}
	return machine.NewList(out), nil
}

func stringBytes(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	s := m.String(self)
	if err := m.Charge(machine.ValueBytes * len(s)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(s))
	for i := range out {
		out[i] = value.Byte(int8(s[i]))
	}
	return machine.NewList(out), nil
}

// stringTr replaces the characters of one set by those of another, ranges a-z included.
func stringTr(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	from, to, s := m.String(a[0]), m.String(a[1]), m.String(self)
	if len(from) > machine.PatternMax || len(to) > machine.PatternMax {
		return value.Null, machine.Fail(machine.ArgumentException, "tr() with more than %d characters", machine.PatternMax)
	}
	into := spanned(to)
	if len(into) == 0 {
		return self, nil
	}
	if err := m.NewText(utf8.UTFMax*len(s) + 1<<16); err != nil {
		return value.Null, err
	}
	table := map[rune]rune{}
	for i, r := range spanned(from) {
		if _, had := table[r]; !had {
			table[r] = into[min(i, len(into)-1)]
		}
	}
	return value.String(strings.Map(func(r rune) rune {
		if with, ok := table[r]; ok {
			return with
		}
		return r
	}, s)), nil
}

const spannedMax = 20_000 // characters of ranges that are written out

// spanned writes ranges such as a-e out, each of at most 256 characters.
func spanned(s string) []rune {
	r := []rune(s)
	var out []rune
	for i := 0; i < len(r) && len(out) < spannedMax; i++ {
		if i+2 < len(r) && r[i+1] == '-' && r[i] <= r[i+2] && r[i+2]-r[i] < 256 {
			for c := r[i]; c <= r[i+2]; c++ {
				out = append(out, c)
			}
			i += 2
			continue
		}
		out = append(out, r[i])
	}
	return out
}
