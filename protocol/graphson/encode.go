package graphson

import (
	"maps"
	"slices"
	"strings"

	forms "github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// appendExtended writes the kinds of the wire.
func appendExtended(e *forms.Encoder, dst []byte, v value.Value) ([]byte, bool, error) {
	var err error
	if b := v.Traverser(); b != nil {
		dst, err = appendTraverser(e, dst, b)
		return dst, true, err
	}
	switch x := v.Object().(type) {
	case *traversal.Bytecode:
		dst, err = appendBytecode(e, dst, x)
	case *traversal.P:
		dst, err = appendPredicate(e, dst, x)
	case *traversal.Lambda:
		dst = appendLambda(e, dst, x)
	case *traversal.StrategySpec:
		dst, err = appendStrategy(e, dst, x)
	case *traversal.Binding:
		dst = forms.AppendString(e.Field(e.BeginObject(dst, "g:Binding"), "key"), x.Key)
		dst, err = e.Append(e.Field(dst, "value"), x.Value)
		dst = e.EndObject(dst)
	case *traversal.Metrics:
		dst, err = appendMap(e, dst, "g:Metrics", metricsMap(x))
	case *traversal.TraversalMetrics:
		m := value.NewMap()
		m.PutString("dur", milliseconds(x.DurationNS))
		m.PutString("metrics", metricsOf(x.Metrics))
		dst, err = appendMap(e, dst, "g:TraversalMetrics", m)
	case *traversal.Explanation:
		dst, err = appendMap(e, dst, "g:TraversalExplanation", x.Map())
	default:
		return dst, false, nil
	}
	return dst, true, err
}

func appendTraverser(e *forms.Encoder, dst []byte, b *value.Bulked) ([]byte, error) {
	dst = e.BeginObject(dst, "g:Traverser")
	dst, err := e.Append(e.Field(dst, "bulk"), value.Long(b.Bulk))
	if err != nil {
		return dst, err
	}
	dst, err = e.Append(e.Field(dst, "value"), b.Value)
	return e.EndObject(dst), err
}

// appendMap writes a map inside a type of its own; version 1 knows no such types.
func appendMap(e *forms.Encoder, dst []byte, typ string, m *value.Map) ([]byte, error) {
	if e.Version == 1 {
		return e.AppendMap(dst, m)
	}
	dst, err := e.AppendMap(e.Begin(dst, typ, ""), m)
	return e.End(dst), err
}

func appendBytecode(e *forms.Encoder, dst []byte, b *traversal.Bytecode) ([]byte, error) {
	dst = e.BeginObject(dst, "g:Bytecode")
	var err error
	for _, part := range [2]struct {
		name string
		list []traversal.Instruction
	}{{"source", b.Source}, {"step", b.Steps}} {
		if len(part.list) == 0 {
			continue
		}
		dst = append(e.Field(dst, part.name), '[')
		for i, in := range part.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = forms.AppendString(append(dst, '['), in.Name)
			for _, a := range in.Args {
				if dst, err = e.Append(append(dst, ','), a); err != nil {
					return dst, err
				}
			}
			dst = append(dst, ']')
		}
		dst = append(dst, ']')
	}
	return e.EndObject(dst), nil
}

func appendPredicate(e *forms.Encoder, dst []byte, p *traversal.P) ([]byte, error) {
	typ := "g:P"
	if p.Text {
		typ = "g:TextP"
	}
	dst = forms.AppendString(e.Field(e.BeginObject(dst, typ), "predicate"), p.Name)
	dst = e.Field(dst, "value")
	var err error
	switch p.Name {
	case "and", "or":
		dst = append(dst, '[')
		for i, a := range p.Args {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = e.Append(dst, a); err != nil {
				return dst, err
			}
		}
		dst = append(dst, ']')
	case "within", "without", "between", "inside", "outside":
		dst, err = e.Append(dst, value.List(p.Args))
	default:
		v := value.Null
		if len(p.Args) > 0 {
			v = p.Args[0]
		}
		dst, err = e.Append(dst, v)
	}
	return e.EndObject(dst), err
}

func appendLambda(e *forms.Encoder, dst []byte, l *traversal.Lambda) []byte {
	dst = forms.AppendString(e.Field(e.BeginObject(dst, "g:Lambda"), "script"), l.Script)
	dst = forms.AppendString(e.Field(dst, "language"), l.Language)
	dst = value.AppendJavaString(e.Field(dst, "arguments"), value.Int(l.Arguments), nil)
	return e.EndObject(dst)
}

func appendStrategy(e *forms.Encoder, dst []byte, s *traversal.StrategySpec) ([]byte, error) {
	dst = e.BeginObject(dst, "g:"+s.Class[strings.LastIndexByte(s.Class, '.')+1:])
	dst = forms.AppendString(e.Field(dst, "fqcn"), s.Class)
	dst = append(e.Field(dst, "conf"), '{')
	var err error
	for i := range s.Config.Len() {
		k, v := s.Config.Entry(i)
		if dst, err = e.Append(e.Field(dst, k.JavaString()), v); err != nil {
			return dst, err
		}
	}
	return e.EndObject(append(dst, '}')), nil
}

func milliseconds(ns int64) value.Value { return value.Double(float64(ns) / 1e6) }

func metricsOf(list []*traversal.Metrics) value.Value {
	out := make([]value.Value, len(list))
	for i, m := range list {
		out[i] = value.Object(value.KindMetrics, m)
	}
	return value.List(out)
}

// metricsMap has the counts sorted by name, so that equal metrics have equal bytes.
func metricsMap(m *traversal.Metrics) *value.Map {
	out := value.NewMap()
	out.PutString("dur", milliseconds(m.DurationNS))
	counts := value.NewMap()
	for _, name := range slices.Sorted(maps.Keys(m.Counts)) {
		counts.PutString(name, value.Long(m.Counts[name]))
	}
	out.PutString("counts", counts.Value())
	out.PutString("name", value.String(m.Name))
	if len(m.Annotations) > 0 {
		notes := value.NewMap()
		for _, a := range m.Annotations {
			notes.PutString(a.Key, a.Value)
		}
		out.PutString("annotations", notes.Value())
	}
	out.PutString("id", value.String(m.ID))
	if len(m.Nested) > 0 {
		out.PutString("metrics", metricsOf(m.Nested))
	}
	return out
}
