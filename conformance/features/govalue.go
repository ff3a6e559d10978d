package main

import (
	"fmt"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"

	"github.com/gremlind/gremlind/storage/value"
)

// goValue converts a parameter to what gremlin-go takes.
func goValue(v value.Value) (any, error) {
	switch v.Kind() {
	case value.KindNull:
		return nil, nil
	case value.KindBool:
		return v.Bool(), nil
	case value.KindByte:
		return uint8(v.Int64()), nil
	case value.KindShort:
		return int16(v.Int64()), nil
	case value.KindInt:
		return int32(v.Int64()), nil
	case value.KindLong:
		return v.Int64(), nil
	case value.KindFloat:
		return v.Float32(), nil
	case value.KindDouble:
		return v.Float64(), nil
	case value.KindString:
		return v.Str(), nil
	case value.KindBigInteger:
		return v.BigInt(), nil
	case value.KindBigDecimal:
		return gremlingo.ParseBigDecimal(v.JavaString()), nil
	case value.KindUUID:
		return v.UUID(), nil
	case value.KindOffsetDateTime:
		return v.Time(), nil
	case value.KindList:
		return goList(v.Elems())
	case value.KindSet:
		elems, err := goList(v.Set().Elems())
		return gremlingo.NewSimpleSet(elems...), err
	case value.KindMap:
		return goAnyMap(v.Map())
	}
	return goConstant(v)
}

func goList(elems []value.Value) ([]any, error) {
	out := make([]any, len(elems))
	for i, e := range elems {
		var err error
		if out[i], err = goValue(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func goAnyMap(m *value.Map) (map[any]any, error) {
	out := map[any]any{}
	for i := range m.Len() {
		k, v := m.Entry(i)
		gk, err := goValue(k)
		if err != nil {
			return nil, err
		}
		if out[gk], err = goValue(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// constants are those that scenarios use.
var constants = map[string]any{
	"T.id": gremlingo.T.Id, "T.label": gremlingo.T.Label,
	"Direction.OUT": gremlingo.Direction.Out, "Direction.IN": gremlingo.Direction.In,
	"Merge.outV": gremlingo.Merge.OutV, "Merge.inV": gremlingo.Merge.InV,
}

func goConstant(v value.Value) (any, error) {
	if d := v.Detached(); d != nil {
		return goElement(v, d)
	}
	if c, ok := constants[fmt.Sprintf("%v.%s", v.Kind(), v.Str())]; ok {
		return c, nil
	}
	return nil, fmt.Errorf("%#v has no form in Go", v)
}

func goElement(v value.Value, d *value.Element) (any, error) {
	id, err := goValue(d.ID)
	if err != nil {
		return nil, err
	}
	e := gremlingo.Element{Id: id, Label: d.Label}
	if v.Kind() == value.KindVertex {
		return &gremlingo.Vertex{Element: e}, nil
	}
	out, err := goValue(d.Out)
	if err != nil {
		return nil, err
	}
	in, err := goValue(d.In)
	if err != nil {
		return nil, err
	}
	return &gremlingo.Edge{Element: e, OutV: *out.(*gremlingo.Vertex), InV: *in.(*gremlingo.Vertex)}, nil
}
