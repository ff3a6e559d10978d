package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// Misfit says why something does not fit a schema.
type Misfit struct {
	problem string
	where   string // the element, when that is said
	tail    string
	many    bool     // it is about a vertex with too many edges
	about   string   // the label whose rule it is
	tells   []string // the keys and labels that it names because the rule does
}

// Without is the misfit for somebody from whom names are kept: where it tells one of them
// it says no more than whose rule it is.
func (m *Misfit) Without(denies func(name string) bool) *Misfit {
	if !slices.ContainsFunc(m.tells, denies) {
		return m
	}
	next := *m
	next.problem = m.about + ": a rule of the schema that is not shown refuses that"
	return &next
}

// Error is what clients are told.
func (m *Misfit) Error() string {
	if m.where == "" {
		return m.problem + m.tail
	}
	return m.problem + " (" + m.where + ")" + m.tail
}

// JavaClass is the class that clients are told.
func (m *Misfit) JavaClass() string { return "java.lang.IllegalArgumentException" }

// Among is the misfit of an element of the graph that others share, for a change of the
// schema that cannot be for their sake.
func (m *Misfit) Among(edge bool, id value.Value, others int64) *Misfit {
	next := *m
	if next.where = fmt.Sprintf("%s %s and %d more", className(edge), id.Brief(), others); m.many {
		next.where = fmt.Sprintf("and %d more", others)
	}
	return &next
}

// At is the misfit with the element that has it.
func (m *Misfit) At(edge bool, id value.Value) *Misfit {
	next := *m
	if next.where = className(edge) + " " + id.Brief(); m.many {
		next.where = ""
	}
	return &next
}

func complaint(err error) *Misfit { return &Misfit{problem: "schema: " + err.Error()} }

func (l *Label) misfit(format string, args ...any) *Misfit {
	about := "Label " + l.Name
	return &Misfit{problem: about + ": " + fmt.Sprintf(format, args...), about: about}
}

// class is what elements of the label are called.
func (l *Label) class() string { return className(l.Edge) }

func className(edge bool) string {
	if edge {
		return "edge"
	}
	return "vertex"
}

// Value reports why a value does not fit the key, nil when it does.
func (l *Label) Value(k *Key, v value.Value) *Misfit {
	if v.IsNull() {
		return nil // Missing has a say in it
	}
	if !k.Type.Has(v) {
		return l.misfit("key %s wants %s, got %s", k.Name, k.Type.article(), v.Kind())
	}
	if !k.Min.IsNull() {
		if c, ok := value.Compare(v, k.Min); !ok || c < 0 {
			return l.misfit("key %s wants at least %s, got %s", k.Name, k.Min.Brief(), v.Brief())
		}
	}
	if !k.Max.IsNull() {
		if c, ok := value.Compare(v, k.Max); !ok || c > 0 {
			return l.misfit("key %s wants at most %s, got %s", k.Name, k.Max.Brief(), v.Brief())
		}
	}
	if k.MaxLength > 0 && v.Kind() == value.KindString && len(v.Str()) > k.MaxLength {
		if n := utf8.RuneCountInString(v.Str()); n > k.MaxLength {
			return l.misfit("key %s wants at most %d characters, got %d", k.Name, k.MaxLength, n)
		}
	}
	return nil
}

// Missing is the misfit of an element without a key that is required.
func (l *Label) Missing(key string, id value.Value) *Misfit {
	m := l.misfit("key %s is required", key)
	m.where, m.tells = l.class()+" "+id.Brief(), []string{key}
	return m
}

// Unknown is the misfit of a key that a closed label does not have.
func (l *Label) Unknown(key string) *Misfit {
	return l.misfit("key %s is not in the schema, and the label is closed", value.Brief(key))
}

// Uncountable is the misfit of a counter with rules beside its type.
func (l *Label) Uncountable(key string) *Misfit {
	return l.misfit("key %s is a counter: it can be neither required nor bounded", value.Brief(key))
}

// Identity reports why the id of a new element does not fit, nil when it does.
func (l *Label) Identity(id value.Value) *Misfit {
	if l.ID.Has(id) {
		return nil
	}
	return l.misfit("the id wants %s, got %s", l.ID.article(), id.Kind())
}

// Ends is the misfit of an edge between vertices of labels that it may not join.
func (l *Label) Ends(from, to string) *Misfit {
	about := "Edge " + l.Name
	return &Misfit{about: about, tells: slices.Concat(l.From, l.To), problem: fmt.Sprintf("%s goes from %s to %s, not from %s to %s",
		about, oneOf(l.From), oneOf(l.To), value.Brief(from), value.Brief(to))}
}

func oneOf(labels []string) string {
	if len(labels) == 0 {
		return "any label"
	}
	return strings.Join(labels, " or ")
}

// TooMany is the misfit of a vertex with n edges that the label allows one of.
func (l *Label) TooMany(vertex value.Value, n int64) *Misfit {
	return &Misfit{problem: fmt.Sprintf("Edge %s: vertex %s has %d", l.Name, vertex.Brief(), n), tail: ": cannot be " + string(l.Multiplicity), many: true}
}

// Undefined is the misfit of a label that a closed schema does not have.
func Undefined(edge bool, label string) *Misfit {
	return &Misfit{problem: fmt.Sprintf("Label %s is no %s label of the schema, which is closed", value.Brief(label), className(edge))}
}
