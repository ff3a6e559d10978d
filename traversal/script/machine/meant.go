package machine

import (
	"maps"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// lookup is a name that is not there, and those that are.
type lookup struct {
	name, behind string
	known        func() []string
}

// Meant has an exception say in the end which name was meant: known lists those that are
// there, and behind stands behind them, "()" for methods. They are compared when nobody
// has caught the exception.
func Meant(err error, name, behind string, known func() []string) error {
	if e, ok := err.(*Error); ok {
		e.meant = &lookup{name, behind, known}
	}
	return err
}

// Caught is an exception that a script keeps: nobody will ask it for names, and what they
// are looked up in is not kept with it.
func Caught(err error) error {
	if e, ok := err.(*Error); ok {
		e.meant = nil
	}
	return err
}

// Suggested is an exception that nobody caught, with the name that was meant behind what
// the reference says.
func Suggested(err error) error {
	e, ok := err.(*Error)
	if !ok || e.meant == nil {
		return err
	}
	c := *e
	c.Message += traversal.Suggestion(e.meant.name, e.meant.behind, e.meant.known())
	return &c
}

// methodsOf are the names of what may be called on a value.
func (m *Machine) methodsOf(v value.Value) []string {
	var out []string
	if o, ok := Foreign(v).(membered); ok {
		out = o.Members(m)
	}
	t := m.Tables()
	out = slices.AppendSeq(out, maps.Keys(t.Of(v.Kind())))
	if _, ok := Foreign(v).(*List); ok {
		out = slices.AppendSeq(out, maps.Keys(t.Lists))
	}
	if Iterable(v) {
		out = slices.AppendSeq(out, maps.Keys(t.Iterables))
	}
	return out
}

// membersOf are the names of what a class has: constants, and what is called.
func membersOf(m *Machine, c Class) []string {
	out := lang.ConstantNames(c.Simple())
	for name := range m.Tables().Statics {
		if class, member, _ := strings.Cut(name, "."); class == c.Simple() {
			out = append(out, member)
		}
	}
	if o, ok := c.(membered); ok {
		out = append(out, o.Members(m)...)
	}
	return out
}
