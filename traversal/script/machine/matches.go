package machine

import (
	"regexp"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// Places counts where a pattern fits a text. The callback of a replacement is where regexp
// can be stopped between two matches: a search for all of them asks nobody.
func (m *Machine) Places(p *Pattern, s string) (n int, err error) {
	if p.Literal && p.String() != "" {
		return strings.Count(s, p.String()), nil
	}
	if err := m.Charge(len(s)); err != nil { // what is between the matches
		return 0, err
	}
	defer func() { err = mustBeStopped(recover(), err) }()
	p.ReplaceAllStringFunc(s, func(string) string {
		mustGoOn(m.Work(ItemWork))
		n++
		return ""
	})
	return n, nil
}

// searchStopped carries an error out of a search.
type searchStopped struct{ error }

func mustGoOn(err error) {
	if err != nil {
		panic(searchStopped{err})
	}
}

// mustBeStopped is the error that ended a search; no other panic is hidden.
func mustBeStopped(recovered any, err error) error {
	switch r := recovered.(type) {
	case nil:
		return err
	case searchStopped:
		return r.error
	}
	panic(recovered)
}

// EachMatchOf calls fn with the indexes of each match until it returns false.
func (m *Machine) EachMatchOf(p *Pattern, s string, fn func(at []int) (bool, error)) error {
	v, err := m.Match(p, s)
	if err != nil {
		return err
	}
	for _, at := range Foreign(v).(*matcher).all {
		if err := m.Step(); err != nil {
			return err
		}
		if more, err := fn(at); err != nil || !more {
			return err
		}
	}
	return nil
}

// GroupsAt returns a match and its groups, from where they begin and end in a text.
func GroupsAt(s string, at []int) []value.Value {
	groups := make([]value.Value, len(at)/2)
	for i := range groups {
		if at[2*i] >= 0 {
			groups[i] = value.String(PartOf(s, s[at[2*i]:at[2*i+1]]))
		}
	}
	return groups
}

// JavaReplacement turns $1 into what Expand takes for it, and \$ into a dollar.
func JavaReplacement(s string) string {
	return groupReference.ReplaceAllStringFunc(s, func(ref string) string {
		if ref[0] == '$' {
			return "${" + ref[1:] + "}"
		}
		if ref[1:] == "$" {
			return "$$"
		}
		return ref[1:]
	})
}

var groupReference = regexp.MustCompile(`\\(.)|\$(\d)`)
