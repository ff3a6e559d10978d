package graphson

import (
	"errors"
	"fmt"
	"math"
	"strings"

	forms "github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// decodeExtended reads the types of the wire.
func decodeExtended(d *forms.Decoder, typ string, n *forms.Node) (value.Value, bool, error) {
	var v value.Value
	var err error
	switch typ {
	case "g:Bytecode":
		v, err = bytecode(d, n)
	case "g:P", "g:TextP":
		v, err = predicate(d, n, typ == "g:TextP")
	case "g:Lambda":
		v, err = lambda(d, n)
	case "g:Binding":
		v, err = binding(d, n)
	case "g:Traverser":
		v, err = traverser(d, n)
	case "g:Metrics":
		v, err = metricsValue(d, n)
	case "g:TraversalMetrics":
		v, err = traversalMetrics(d, n)
	case "g:TraversalExplanation":
		v, err = fields(d, n)
	default:
		if !strings.HasSuffix(typ, "Strategy") {
			return value.Null, false, nil
		}
		v, err = strategy(d, typ, n)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", typ, err)
	}
	return v, true, err
}

var errObject = errors.New("an object is expected")

func bytecode(d *forms.Decoder, n *forms.Node) (value.Value, error) {
	if n.Kind() != forms.NodeObject {
		return value.Null, errObject
	}
	b := &traversal.Bytecode{}
	var err error
	if b.Source, err = instructions(d, n.Field("source")); err != nil {
		return value.Null, err
	}
	b.Steps, err = instructions(d, n.Field("step"))
	return b.Value(), err
}

// instructions reads [["name", args..]..]; an argument may be a list, which version 3
// types, so nothing is flattened here.
func instructions(d *forms.Decoder, n *forms.Node) ([]traversal.Instruction, error) {
	if n.Kind() == forms.NodeNull {
		return nil, nil
	}
	if n.Kind() != forms.NodeArray {
		return nil, errors.New("instructions are not an array")
	}
	out := make([]traversal.Instruction, n.Len())
	for i := range out {
		in := n.Elem(i)
		if in.Kind() != forms.NodeArray || in.Len() == 0 || in.Elem(0).Kind() != forms.NodeString {
			return nil, errors.New("an instruction does not begin with its name")
		}
		out[i].Name = in.Elem(0).Text()
		for j := 1; j < in.Len(); j++ {
			v, err := d.Value(in.Elem(j))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", out[i].Name, err)
			}
			out[i].Args = append(out[i].Args, v)
		}
	}
	return out, nil
}

// predicate reads {predicate, value}: the arguments of some predicates stand in a list.
func predicate(d *forms.Decoder, n *forms.Node, isText bool) (value.Value, error) {
	if n.Kind() != forms.NodeObject || n.Field("predicate").Kind() != forms.NodeString {
		return value.Null, errors.New("a predicate needs its name")
	}
	p := &traversal.P{Name: n.Field("predicate").Text(), Text: isText}
	v, err := d.Value(n.Field("value"))
	if err != nil {
		return value.Null, err
	}
	p.Args = []value.Value{v}
	switch p.Name {
	case "within", "without", "between", "inside", "outside", "and", "or":
		switch v.Kind() {
		case value.KindList:
			p.Args = v.Elems()
		case value.KindSet:
			p.Args = v.Set().Elems()
		case value.KindBulkSet:
			if v.BulkSet().Size() <= forms.MaxNodes {
				p.Args = v.BulkSet().Expand()
			}
		}
	}
	return p.Value(), nil
}

func lambda(d *forms.Decoder, n *forms.Node) (value.Value, error) {
	if n.Kind() != forms.NodeObject {
		return value.Null, errObject
	}
	l := &traversal.Lambda{Script: n.Field("script").Text(), Language: n.Field("language").Text(), Arguments: -1}
	count, err := d.Value(n.Field("arguments"))
	if err != nil {
		return value.Null, err
	}
	if count.Kind().IsNumber() {
		l.Arguments = int32(max(-1, min(value.AsInt64(count), math.MaxInt32)))
	}
	return value.Object(value.KindLambda, l), nil
}

func binding(d *forms.Decoder, n *forms.Node) (value.Value, error) {
	v, err := d.Value(n.Field("value"))
	return value.Object(value.KindBinding, &traversal.Binding{Key: n.Field("key").Text(), Value: v}), err
}

func traverser(d *forms.Decoder, n *forms.Node) (value.Value, error) {
	bulk, err := d.Value(n.Field("bulk"))
	if err != nil {
		return value.Null, err
	}
	v, err := d.Value(n.Field("value"))
	b := &value.Bulked{Bulk: 1, Value: v}
	if bulk.Kind().IsNumber() {
		b.Bulk = value.AsInt64(bulk)
	}
	return value.OfTraverser(b), err
}

// strategy reads {fqcn, conf}, or the bare configuration that older drivers send.
func strategy(d *forms.Decoder, typ string, n *forms.Node) (value.Value, error) {
	s := &traversal.StrategySpec{Class: typ[strings.IndexByte(typ, ':')+1:]}
	conf := n
	if name := n.Field("fqcn"); name.Kind() == forms.NodeString {
		s.Class = name.Text()
		conf = n.Field("conf")
	}
	m, err := fields(d, conf)
	if err != nil {
		return value.Null, err
	}
	if m.Map().Len() > 0 {
		s.Config = m.Map()
	}
	return value.Object(value.KindStrategy, s), nil
}

// fields reads an object's entries, or a typed map's.
func fields(d *forms.Decoder, n *forms.Node) (value.Value, error) {
	if n.Kind() == forms.NodeNull {
		return value.NewMap().Value(), nil
	}
	v, err := d.Value(n)
	if err == nil && v.Kind() != value.KindMap {
		err = errObject
	}
	return v, err
}

func metricsValue(d *forms.Decoder, n *forms.Node) (value.Value, error) {
	m, err := fields(d, n)
	if err != nil {
		return value.Null, err
	}
	x := &traversal.Metrics{DurationNS: nanoseconds(m.Map())}
	x.ID, x.Name = stringOf(m.Map(), "id"), stringOf(m.Map(), "name")
	if counts, _ := m.Map().GetString("counts"); counts.Map().Len() > 0 {
		x.Counts = make(map[string]int64)
		for i := range counts.Map().Len() {
			k, v := counts.Map().Entry(i)
			x.Counts[k.JavaString()] = value.AsInt64(v)
		}
	}
	notes, _ := m.Map().GetString("annotations")
	for i := range notes.Map().Len() {
		k, v := notes.Map().Entry(i)
		x.Annotations = append(x.Annotations, traversal.Annotation{Key: k.JavaString(), Value: v})
	}
	x.Nested = metricsList(m.Map())
	return value.Object(value.KindMetrics, x), nil
}

func traversalMetrics(d *forms.Decoder, n *forms.Node) (value.Value, error) {
	m, err := fields(d, n)
	if err != nil {
		return value.Null, err
	}
	x := &traversal.TraversalMetrics{DurationNS: nanoseconds(m.Map()), Metrics: metricsList(m.Map())}
	return value.Object(value.KindTraversalMetrics, x), nil
}

func metricsList(m *value.Map) []*traversal.Metrics {
	var out []*traversal.Metrics
	list, _ := m.GetString("metrics")
	for _, v := range list.Elems() {
		if x, ok := v.Object().(*traversal.Metrics); ok {
			out = append(out, x)
		}
	}
	return out
}

// nanoseconds reads dur, which is in milliseconds.
func nanoseconds(m *value.Map) int64 {
	if v, _ := m.GetString("dur"); v.Kind().IsNumber() {
		return value.AsInt64(value.Double(math.Round(value.AsFloat64(v) * 1e6)))
	}
	return 0
}

func stringOf(m *value.Map, key string) string {
	v, _ := m.GetString(key)
	return v.Str()
}
