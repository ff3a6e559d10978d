package script

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// moreStringMethods are Groovy's and Java's for texts that books use beyond the first need.
func moreStringMethods() methods {
	return methods{
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
		"lines": {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) {
			v, err := readLines(m, s, nil)
			return wrap(&stream{elemsOf(v)}), err
		}},
		"replaceFirst": {2, 2, replaceFirst},
		"repeat":       operatorMethod("*"),
		"isBlank": {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(strings.TrimSpace(m.string(s)) == ""), nil
		}},
		"isAllWhitespace": {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(strings.TrimSpace(m.string(s)) == ""), nil
		}},
		"isInteger":    parses(value.KindInt),
		"isLong":       parses(value.KindLong),
		"isFloat":      parses(value.KindFloat),
		"isDouble":     parses(value.KindDouble),
		"isBigInteger": parses(value.KindBigInteger),
		"isBigDecimal": parses(value.KindBigDecimal),
		"toShort":      parseAs(value.KindShort),
		"toBoolean": {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(isTrueText(m.string(s))), nil
		}},
	}
}

// textMethodsOfJava are those of java.lang.String and of Groovy's that change or compare a text.
func textMethodsOfJava() methods {
	return methods{
		"formatted":     {0, math.MaxInt, func(m *machine, s value.Value, a []value.Value) (value.Value, error) { return m.format(m.string(s), a) }},
		"uncapitalize":  text1(uncapital),
		"stripLeading":  text1(func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }),
		"stripTrailing": text1(func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }),
		"stripIndent":   {0, 0, stripIndent},
		"stripMargin":   {0, 1, stripMargin},
		"intern":        {0, 0, itself},
		"chars":         {0, 0, stringChars},
		"toCharArray": {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) {
			v, err := stringCharList(m, s)
			return v, err
		}},
		"getBytes": {0, 1, stringBytes},
		"bytes":    {0, 0, stringBytes},
		"toSet":    {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) { return m.setOf(s) }},
		"hashCode": {0, 0, javaHashCode},
		"compareToIgnoreCase": {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			x, y := m.string(s), m.string(a[0])
			if err := m.charge(2 * (len(x) + len(y))); err != nil {
				return value.Null, err
			}
			return m.binary("<=>", value.String(strings.ToLower(x)), value.String(strings.ToLower(y)))
		}},
		"containsIgnoreCase":   testFolded(strings.Contains),
		"startsWithIgnoreCase": testFolded(strings.HasPrefix),
		"endsWithIgnoreCase":   testFolded(strings.HasSuffix),
		"subSequence":          {2, 2, substring},
		"codePointAt": {1, 1, func(m *machine, s value.Value, a []value.Value) (value.Value, error) {
			v, err := charAt(m, s, a)
			return value.Int(int32(v.Int64())), err
		}},
		"eachWithIndex":  {1, 1, eachWithIndex},
		"next":           {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) { return m.next(s, true) }},
		"previous":       {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) { return m.next(s, false) }},
		"any":            {0, 1, anyItem},
		"every":          {0, 1, everyItem},
		"inject":         {1, 2, inject},
		"collectEntries": {0, 1, collectEntries},
		"collectMany":    {1, 1, collectMany},
		"iterator": {0, 0, func(m *machine, s value.Value, _ []value.Value) (value.Value, error) {
			items, err := m.items(s)
			return wrap(&iterator{items}), err
		}},
		"eachLine":      {1, 1, eachLine},
		"tr":            {2, 2, stringTr},
		"bitwiseNegate": {0, 0, itself},
	}
}

// testFolded is test1 of the texts in small letters.
func testFolded(fn func(s, t string) bool) method {
	return method{1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		s, t := m.string(self), m.string(a[0])
		if err := m.charge(2 * (len(s) + len(t))); err != nil {
			return value.Null, err
		}
		return value.Bool(fn(strings.ToLower(s), strings.ToLower(t))), nil
	}}
}

// stringPart cuts by the length and the argument, within bounds.
func stringPart(bounds func(n, k int) (int, int)) call {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		s := m.string(self)
		n := utf8.RuneCountInString(s)
		from, to := bounds(n, int(min(max(value.AsInt64(a[0]), 0), int64(n))))
		from = max(from, 0)
		return m.textPart(s, int64(from), int64(max(to, from)), false)
	}
}

func stringWhile(take bool) call {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		s := m.string(self)
		for i, r := range s {
			ok, err := m.test(a, value.String(string(r)))
			if err != nil {
				return value.Null, err
			}
			if !ok {
				return m.part(map[bool]string{true: s[:i], false: s[i:]}[take])
			}
		}
		return m.part(map[bool]string{true: s}[take])
	}
}

// part copies a part of a text, which would keep the whole.
func (m *machine) part(s string) (value.Value, error) {
	if err := m.newText(len(s)); err != nil {
		return value.Null, err
	}
	return value.String(strings.Clone(s)), nil
}

func stringCenter(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	with := " "
	if len(a) == 2 {
		with = m.string(a[1])
	}
	s := m.string(self)
	n := min(value.AsInt64(a[0]), math.MaxInt32) - int64(utf8.RuneCountInString(s))
	if n <= 0 || with == "" {
		return self, nil
	}
	if err := m.newText(int(n)*utf8.UTFMax + len(s)); err != nil {
		return value.Null, err
	}
	return value.String(padding(with, n/2) + s + padding(with, n-n/2)), nil
}

func stringCount(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if c, ok := foreign(a[0]).(*closure); ok {
		return countItems(m, self, []value.Value{wrap(c)})
	}
	s := m.string(self)
	if p, ok := foreign(a[0]).(*pattern); ok {
		if err := m.searches(p, s); err != nil {
			return value.Null, err
		}
		n, err := m.places(p, s)
		return value.Int(int32(n)), err
	}
	return value.Int(int32(strings.Count(s, m.string(a[0])))), nil
}

// stringFindAll returns what a pattern matches, or the characters that pass a closure.
func stringFindAll(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if _, ok := foreign(a[0]).(*closure); ok {
		items, err := m.items(self)
		if err != nil {
			return value.Null, err
		}
		return findAll(m, newList(items), a)
	}
	var out []value.Value
	err := m.eachMatch(self, a[0], func(groups []value.Value) (bool, error) {
		v, err := groups[0], error(nil)
		if len(a) == 2 {
			v, err = m.callGroups(a[1], groups)
		}
		if err == nil {
			err = m.charge(valueBytes)
		}
		out = append(out, v)
		return true, err
	})
	return newList(out), err
}

func stringFind(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if _, ok := foreign(a[0]).(*closure); ok {
		items, err := m.items(self)
		if err != nil {
			return value.Null, err
		}
		return find(m, newList(items), a)
	}
	found := value.Null
	err := m.eachMatch(self, a[0], func(groups []value.Value) (bool, error) {
		found = groups[0]
		var err error
		if len(a) == 2 {
			found, err = m.callGroups(a[1], groups)
		}
		return false, err
	})
	return found, err
}

func stringEachMatch(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	return self, m.eachMatch(self, a[0], func(groups []value.Value) (bool, error) {
		_, err := m.callGroups(a[1], groups)
		return true, err
	})
}

// callGroups calls a closure with a match: alone, or with its groups one by one.
func (m *machine) callGroups(fn value.Value, groups []value.Value) (value.Value, error) {
	if c, ok := foreign(fn).(*closure); ok && len(c.fn.params) > 1 {
		return c.call(m, groups)
	}
	if len(groups) == 1 {
		return m.invoke(fn, "call", groups)
	}
	return m.invoke(fn, "call", []value.Value{newList(groups)})
}

// eachMatch calls fn with the whole and the groups of each match until it returns false.
func (m *machine) eachMatch(self, pattern value.Value, fn func([]value.Value) (bool, error)) error {
	p, err := m.expressionOf(pattern)
	if err != nil {
		return err
	}
	s := m.string(self)
	return m.eachMatchOf(p, s, func(at []int) (bool, error) {
		if err := m.charge(valueBytes * len(at) / 2); err != nil {
			return false, err
		}
		return fn(groupsAt(s, at))
	})
}

func readLines(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	s := m.string(self)
	if err := m.newText(len(s)); err != nil {
		return value.Null, err
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	if s == "" {
		return newList(nil), nil
	}
	lines, err := m.linesOf(strings.TrimSuffix(s, "\n"))
	if err != nil {
		return value.Null, err
	}
	return m.texts(lines)
}

// linesOf are those of a text, which keep it.
func (m *machine) linesOf(s string) ([]string, error) {
	if err := m.charge(partBytes * (strings.Count(s, "\n") + 1)); err != nil {
		return nil, err
	}
	return strings.Split(s, "\n"), nil
}

func eachLine(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	lines, err := readLines(m, self, nil)
	if err != nil {
		return lines, err
	}
	return eachItem(m, lines, a)
}

func replaceFirst(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	p, err := m.expressionOf(a[0])
	if err != nil {
		return value.Null, err
	}
	s := m.string(self)
	if err := m.searches(p, s); err != nil {
		return value.Null, err
	}
	at := p.FindStringSubmatchIndex(s)
	if at == nil {
		return self, nil
	}
	to := javaReplacement(m.string(a[1]))
	if err := m.newText(len(s) + 2*len(to) + strings.Count(to, "$")*(at[1]-at[0])); err != nil {
		return value.Null, err
	}
	return value.String(s[:at[0]] + string(p.ExpandString(nil, to, s, at)) + s[at[1]:]), nil
}

func parses(k value.Kind) method {
	return method{0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
		_, err := parseNumber(strings.TrimSpace(m.string(self)), k)
		return value.Bool(err == nil), nil
	}}
}

func isTrueText(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return s == "true" || s == "y" || s == "1"
}

func uncapital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

func stripIndent(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	least := math.MaxInt
	return m.eachLineOf(self, func(lines []string) {
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

func stripMargin(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	margin := "|"
	if len(a) == 1 {
		margin = m.string(a[0])
	}
	return m.eachLineOf(self, func(lines []string) {
		for i, line := range lines {
			if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), margin); ok {
				lines[i] = rest
			}
		}
	})
}

// eachLineOf makes a text of lines that were shortened.
func (m *machine) eachLineOf(self value.Value, shorten func(lines []string)) (value.Value, error) {
	s := m.string(self)
	lines, err := m.linesOf(s)
	if err == nil {
		err = m.newText(len(s))
	}
	if err != nil {
		return value.Null, err
	}
	shorten(lines)
	return value.String(strings.Join(lines, "\n")), nil
}

func stringChars(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	v, err := stringCharList(m, self)
	elems := elemsOf(v)
	for i, c := range elems {
		elems[i] = value.Int(int32(c.Int64()))
	}
	return wrap(&stream{elems}), err
}

func stringCharList(m *machine, self value.Value) (value.Value, error) {
	s := m.string(self)
	if err := m.charge(valueBytes * len(s)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, 0, len(s))
	for _, r := range s {
		out = append(out, value.Char(r))
	}
	return newList(out), nil
}

func stringBytes(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	s := m.string(self)
	if err := m.charge(valueBytes * len(s)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(s))
	for i := range out {
		out[i] = value.Byte(int8(s[i]))
	}
	return newList(out), nil
}

// stringTr replaces the characters of one set by those of another, ranges a-z included.
func stringTr(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	from, to, s := m.string(a[0]), m.string(a[1]), m.string(self)
	if len(from) > patternMax || len(to) > patternMax {
		return value.Null, fail(argumentException, "tr() with more than %d characters", patternMax)
	}
	into := spanned(to)
	if len(into) == 0 {
		return self, nil
	}
	if err := m.newText(utf8.UTFMax*len(s) + 1<<16); err != nil {
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
