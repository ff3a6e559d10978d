package traversal

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// ByKind says what a by() modulator projects with.
type ByKind uint8

// The forms of by().
const (
	ByIdentity ByKind = iota // by()
	ByKey                    // by("name"): a property, or a map's entry
	ByToken                  // by(T.id), by(T.label), ...
	ByColumn                 // by(Column.keys)
	ByChild                  // by(traversal)
	ByLambda                 // by(closure)
)

// Modulator is one by(): what to project, and for order() in which order.
type Modulator struct {
	Kind  ByKind
	Key   string
	Token value.Value // the T or Column constant
	Child *Plan
	// Lambda is the closure of by(closure).
	Lambda value.Value
	// Productive gives null where the projection is unproductive.
	Productive bool
	// Order is "", asc, desc or shuffle.
	Order string
	// Comparator is a closure of two arguments given to order().by().
	Comparator value.Value
}

// String prints the modulator for explain().
func (m *Modulator) String() string {
	s := "identity"
	switch m.Kind {
	case ByKey:
		s = "value(" + m.Key + ")"
	case ByToken, ByColumn:
		s = m.Token.Str()
	case ByChild:
		s = m.Child.String()
	case ByLambda:
		s = "lambda"
	}
	if m.Order != "" {
		return "[" + s + ", " + m.Order + "]"
	}
	return s
}

// newModulator compiles the arguments of one by().
func (c *compiler) newModulator(args []Arg) (*Modulator, error) {
	m := &Modulator{}
	for i, a := range args {
		switch k := a.Value.Kind(); {
		case a.Child != nil:
			m.Kind, m.Child = ByChild, a.Child
		case k == value.KindString:
			m.Kind, m.Key = ByKey, a.Value.Str()
		case k == value.KindT:
			m.Kind, m.Token = ByToken, a.Value
		case k == value.KindColumn:
			m.Kind, m.Token = ByColumn, a.Value
		case k == value.KindOrder:
			m.Order = a.Value.Str()
		case k == value.KindLambda || k == value.KindForeign:
			m.addLambda(a.Value, i)
		case k == value.KindNull:
			return nil, fmt.Errorf("the by() modulator does not take null")
		default:
			return nil, fmt.Errorf("the by() modulator does not take %s", a.Value.Brief())
		}
	}
	return m, nil
}

// addLambda tells a projection from a comparator: a closure of two arguments and the
// second argument of by(x, closure) compare.
func (m *Modulator) addLambda(v value.Value, at int) {
	if l, ok := v.Object().(*Lambda); at > 0 || ok && l.Arity() == 2 {
		m.Comparator = v
		return
	}
	m.Kind, m.Lambda = ByLambda, v
}
