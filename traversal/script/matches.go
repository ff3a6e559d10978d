package script

import (
	"regexp"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// places counts where a pattern fits a text. The callback of a replacement is where regexp
// can be stopped between two matches: a search for all of them asks nobody.
func (m *machine) places(p *pattern, s string) (n int, err error) {
	if p.literal && p.String() != "" {
		return strings.Count(s, p.String()), nil
	}
	if err := m.charge(len(s)); err != nil { // what is between the matches
		return 0, err
	}
	defer func() { err = mustBeStopped(recover(), err) }()
	p.ReplaceAllStringFunc(s, func(string) string {
		mustGoOn(m.Work(itemWork))
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

// eachMatchOf calls fn with the indexes of each match until it returns false.
func (m *machine) eachMatchOf(p *pattern, s string, fn func(at []int) (bool, error)) error {
	v, err := m.match(p, s)
	if err != nil {
		return err
	}
	for _, at := range foreign(v).(*matcher).all {
		if err := m.step(); err != nil {
			return err
		}
		if more, err := fn(at); err != nil || !more {
			return err
		}
	}
	return nil
}

func groupsAt(s string, at []int) []value.Value {
	groups := make([]value.Value, len(at)/2)
	for i := range groups {
		if at[2*i] >= 0 {
			groups[i] = value.String(s[at[2*i]:at[2*i+1]])
		}
	}
	return groups
}

// javaReplacement turns $1 into what Expand takes for it, and \$ into a dollar.
func javaReplacement(s string) string {
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
