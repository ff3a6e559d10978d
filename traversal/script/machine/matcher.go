package machine

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// ClassName returns the name of the Java class.
func (p *Pattern) ClassName() string { return "java.util.regex.Pattern" }

// Text returns the text of the object.
func (p *Pattern) Text(*Machine) string { return p.String() }

// Property reads a property, false when there is none of that name.
func (p *Pattern) Property(*Machine, string) (value.Value, bool) { return value.Null, false }

// Method calls a method, false when there is none for these arguments.
func (p *Pattern) Method(m *Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "matcher" && len(args) == 1:
		v, err := m.Match(p, m.String(args[0]))
		return v, true, err
	case name == "pattern" && len(args) == 0:
		return value.String(p.String()), true, nil
	case name == "split" && len(args) == 1:
		return m.Tables().Strings.Try(m, args[0], "split", []value.Value{Wrap(p)})
	}
	return value.Null, false, nil
}

// IsCase tests a value as a label of a switch does.
func (p *Pattern) IsCase(m *Machine, v value.Value) (bool, error) {
	r, err := m.Matches(v, Wrap(p), true)
	return m.Truth(r), err
}

// matcher is what text =~ pattern makes: the matches, found one after the other.
type matcher struct {
	p   *Pattern
	s   string
	all [][]int
	at  int // the match that find() goes to
}

// matchBytes is what one match is charged for, besides its groups.
const matchBytes = 2 * ValueBytes

// Match is text =~ pattern: all matches.
func (m *Machine) Match(p *Pattern, s string) (value.Value, error) {
	if err := m.Searches(p, s); err != nil {
		return value.Null, err
	}
	n, err := m.Places(p, s)
	if err == nil {
		err = m.Charge(matchBytes*n + ValueBytes*n*(p.NumSubexp()+1))
	}
	if err != nil {
		return value.Null, err
	}
	return Wrap(&matcher{p: p, s: s, all: p.FindAllStringSubmatchIndex(s, n)}), nil
}

func (x *matcher) Keeps() ([]value.Value, int) {
	return []value.Value{value.String(x.s), Wrap(x.p)}, matchBytes * len(x.all) * (x.p.NumSubexp() + 1)
}

func (x *matcher) ClassName() string { return "java.util.regex.Matcher" }

func (x *matcher) Text(*Machine) string {
	return "java.util.regex.Matcher[pattern=" + x.p.String() + "]"
}

func (x *matcher) Property(_ *Machine, name string) (value.Value, bool) {
	if name == "count" {
		return value.Int(int32(len(x.all))), true
	}
	return value.Null, false
}

func (x *matcher) Truth(*Machine) (bool, error) { return len(x.all) > 0, nil }

func (x *matcher) At(m *Machine, k value.Value) (value.Value, error) {
	if k.Kind().IsNumber() {
		return x.match(value.AsInt64(k))
	}
	items, err := x.items(m)
	if err != nil {
		return value.Null, err
	}
	return m.ListAt(items, k)
}

// match is matcher[i]: the match, or a list of it and its groups when there are any.
func (x *matcher) match(i int64) (value.Value, error) {
	if i < 0 {
		i += int64(len(x.all))
	}
	if i < 0 || i >= int64(len(x.all)) {
		return value.Null, Fail(IndexException, "index is out of range %d..%d (index = %d)", -len(x.all), len(x.all)-1, i)
	}
	groups := GroupsAt(x.s, x.all[i])
	if len(groups) == 1 {
		return groups[0], nil
	}
	return NewList(groups), nil
}

func (x *matcher) items(m *Machine) ([]value.Value, error) {
	if err := m.Charge(ValueBytes * len(x.all) * (x.p.NumSubexp() + 3)); err != nil {
		return nil, err
	}
	out := make([]value.Value, len(x.all))
	for i := range out {
		out[i], _ = x.match(int64(i))
	}
	return out, nil
}

func (x *matcher) Method(m *Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "getAt" && len(args) == 1:
		v, err := m.At(Wrap(x), args[0])
		return v, true, err
	case name == "group" && len(args) <= 1:
		v, err := x.group(m, args)
		return v, true, err
	case name == "replaceAll" && len(args) == 1:
		v, err := m.ReplacedBy(x.p, x.s, m.String(args[0]))
		return v, true, err
	case len(args) > 0:
		return value.Null, false, nil
	}
	switch name {
	case "find":
		x.at++
		return value.Bool(x.at <= len(x.all)), true, nil
	case "matches":
		for i, at := range x.all {
			if at[0] == 0 && at[1] == len(x.s) {
				x.at = i + 1
				return value.Bool(true), true, nil
			}
		}
		return value.Bool(false), true, nil
	case "lookingAt":
		return value.Bool(len(x.all) > 0 && x.all[0][0] == 0), true, nil
	case "hasGroup":
		return value.Bool(x.p.NumSubexp() > 0), true, nil
	case "groupCount":
		return value.Int(int32(x.p.NumSubexp())), true, nil
	case "size":
		return value.Long(int64(len(x.all))), true, nil
	case "getCount":
		return value.Int(int32(len(x.all))), true, nil
	case "reset":
		x.at = 0
		return Wrap(x), true, nil
	case "start", "end":
		at, err := x.current()
		if err != nil {
			return value.Null, true, err
		}
		return IndexIn(x.s, at[map[string]int{"start": 0, "end": 1}[name]]), true, nil
	}
	return value.Null, false, nil
}

func (x *matcher) current() ([]int, error) {
	if x.at < 1 || x.at > len(x.all) {
		return nil, Fail(StateException, "No match found")
	}
	return x.all[x.at-1], nil
}

func (x *matcher) group(m *Machine, args []value.Value) (value.Value, error) {
	at, err := x.current()
	if err != nil {
		return value.Null, err
	}
	n := 0
	if len(args) == 1 {
		n = int(value.AsInt64(args[0]))
		if args[0].Kind() == value.KindString {
			n = x.p.SubexpIndex(m.String(args[0]))
		}
	}
	groups := GroupsAt(x.s, at)
	if n < 0 || n >= len(groups) {
		return value.Null, Fail(IndexException, "No group %d", n)
	}
	return groups[n], nil
}

// ReplacedBy is replaceAll: $1 in the replacement is a group.
func (m *Machine) ReplacedBy(p *Pattern, s, to string) (value.Value, error) {
	if err := m.Searches(p, s); err != nil {
		return value.Null, err
	}
	n, err := m.Places(p, s)
	if err != nil {
		return value.Null, err
	}
	if !strings.ContainsAny(to, `$\`) {
		if err := m.NewText(len(s) + n*len(to)); err != nil {
			return value.Null, err
		}
		return value.String(p.ReplaceAllLiteralString(s, to)), nil
	}
	return m.expanded(p, s, to)
}

// expanded replaces by a text with groups in it.
func (m *Machine) expanded(p *Pattern, s, to string) (value.Value, error) {
	if err := m.Charge(2 * len(to)); err != nil {
		return value.Null, err
	}
	to = JavaReplacement(to)
	var b strings.Builder
	end := 0
	err := m.EachMatchOf(p, s, func(at []int) (bool, error) {
		if err := m.Longer(&b, at[0]-end+len(to)+strings.Count(to, "$")*(at[1]-at[0])); err != nil {
			return false, err
		}
		b.WriteString(s[end:at[0]])
		b.Write(p.ExpandString(nil, to, s, at))
		end = at[1]
		return true, nil
	})
	if err != nil {
		return value.Null, err
	}
	return m.JoinedTexts(b.String(), s[end:])
}
