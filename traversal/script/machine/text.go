package machine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// String is Groovy's text of a value: null, [1, 2], [a:1], v[1].
func (m *Machine) String(v value.Value) string {
	return m.textOf(v, 0)
}

// Shown is the beginning of v's text, for messages: it takes no longer than that to make,
// however much v holds.
func (m *Machine) Shown(v value.Value) string {
	m.brief = true
	defer func() { m.brief = false }()
	return Clip(m.String(v))
}

// enough reports whether no more of a text is shown than b holds.
func (m *Machine) enough(b *strings.Builder) bool { return m.brief && b.Len() > clipBytes }

func (m *Machine) textOf(v value.Value, depth int) string {
	if depth > 50 {
		return "..."
	}
	if o := Foreign(v); o != nil {
		if l, ok := o.(*List); ok && l.Span != nil {
			return l.Span.text()
		} else if ok {
			return m.listText(l.Elems, depth)
		}
		return o.Text(m)
	}
	switch v.Kind() {
	case value.KindString:
		return v.Str()
	case value.KindList:
		return m.listText(v.Elems(), depth)
	case value.KindSet:
		return m.listText(v.Set().Elems(), depth)
	case value.KindMap:
		return m.mapText(v.Map(), depth)
	case value.KindMapEntry:
		return m.textOf(v.MapEntry().Key, depth+1) + "=" + m.textOf(v.MapEntry().Value, depth+1)
	case value.KindP:
		v = m.withTexts(v)
	}
	if m.brief {
		return v.Beginning(m.resolver(), 2*clipBytes) // of which clip takes its part
	}
	charged := 0
	t := value.JavaText{Resolver: m.resolver(), Grown: func(n int) error {
		if n > TextMax {
			return m.NewText(n)
		}
		added := n - charged
		charged = n
		return m.Charge(added)
	}}
	b, err := t.Append(nil, v)
	if err != nil {
		m.Stop(err)
	}
	return string(b)
}

// withTexts puts the texts of the traversals in a predicate, which are their steps, in
// their place.
func (m *Machine) withTexts(v value.Value) value.Value {
	switch x := v.Object().(type) {
	case *traversal.P:
		p := *x
		p.Args = make([]value.Value, len(x.Args))
		for i, arg := range x.Args {
			p.Args[i] = m.withTexts(arg)
		}
		return p.Value()
	case *traversal.Bytecode:
		return value.String(m.StepsText(host.Global{}, x, false))
	}
	return v
}

// holdsTraversal reports whether v is a predicate with a traversal in it.
func holdsTraversal(v value.Value) bool {
	p, ok := v.Object().(*traversal.P)
	return ok && slices.ContainsFunc(p.Args, func(arg value.Value) bool {
		return arg.Kind() == value.KindBytecode || holdsTraversal(arg)
	})
}

func (m *Machine) listText(vs []value.Value, depth int) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range vs {
		if i > 0 {
			b.WriteString(", ")
		}
		if m.enough(&b) {
			break
		}
		s := m.textOf(v, depth+1)
		if m.Longer(&b, len(s)+ValueBytes) != nil {
			break // the next step reports it
		}
		b.WriteString(s)
	}
	b.WriteByte(']')
	return b.String()
}

// Longer charges for a text that is written on.
func (m *Machine) Longer(b *strings.Builder, n int) error {
	if b.Len()+n > TextMax {
		return m.NewText(b.Len() + n)
	}
	return m.Charge(n)
}

func (m *Machine) mapText(of *value.Map, depth int) string {
	if of.Len() == 0 {
		return "[:]"
	}
	var b strings.Builder
	b.WriteByte('[')
	for i := range of.Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		if m.enough(&b) {
			break
		}
		k, v := of.Entry(i)
		s := m.textOf(k, depth+1) + ":" + m.textOf(v, depth+1)
		if m.Longer(&b, len(s)+ValueBytes) != nil {
			break // the next step reports it
		}
		b.WriteString(s)
	}
	b.WriteByte(']')
	return b.String()
}

// Describe is how an error shows a value: its text and class.
func (m *Machine) Describe(v value.Value) string {
	return "Cannot cast object '" + m.Shown(v) + "' with class '" + m.ClassOf(v) + "'"
}

// ClassOf is the name of the Java class that v is an instance of.
func (m *Machine) ClassOf(v value.Value) string {
	if o := Foreign(v); o != nil {
		return o.ClassName()
	}
	return value.JavaClass(v)
}

// Types lists the simple class names of arguments for an error.
func (m *Machine) Types(args []value.Value) string {
	names := make([]string, len(args))
	for i, v := range args {
		c := m.ClassOf(v)
		names[i] = c[strings.LastIndexAny(c, ".$")+1:]
	}
	return strings.Join(names, ", ")
}

// resolver shows stored elements by the ids that users know.
func (m *Machine) resolver() value.Resolver {
	e, err := m.Elements()
	if err != nil {
		return nil
	}
	return elementResolver{e}
}

// elementResolver makes a value.Resolver of an element reader.
type elementResolver struct{ e host.Elements }

func (r elementResolver) ResolveVertex(id uint64, withProperties bool, _ *value.Element) (*value.Element, error) {
	return r.resolve(value.VertexRef(id), withProperties)
}

func (r elementResolver) ResolveEdge(id uint64, withProperties bool) (*value.Element, error) {
	v := value.EdgeRef(id)
	e, err := r.resolve(v, withProperties)
	if err != nil {
		return nil, err
	}
	out, in, err := r.e.Endpoints(v)
	if err != nil {
		return nil, err
	}
	for _, end := range []struct{ from, to *value.Value }{{&out, &e.Out}, {&in, &e.In}} {
		d, err := r.resolve(*end.from, false)
		if err != nil {
			return nil, err
		}
		*end.to = value.DetachedVertex(d)
	}
	return e, nil
}

func (r elementResolver) resolve(v value.Value, withProperties bool) (*value.Element, error) {
	id, err := r.e.ID(v)
	if err != nil {
		return nil, err
	}
	label, err := r.e.Label(v)
	if err != nil {
		return nil, err
	}
	e := &value.Element{ID: id, Label: label}
	if withProperties {
		e.Properties, err = r.e.Properties(nil, v, nil)
	}
	return e, err
}

// clipBytes is how much of a text a message quotes.
const clipBytes = 60

// Clip is the beginning of a text, for a message.
func Clip(s string) string {
	if len(s) <= clipBytes {
		return s
	}
	n := clipBytes
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}
