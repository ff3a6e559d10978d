package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// literal writes v as gremlin-lang does. Elements have no literal form.
func literal(v value.Value) (string, error) {
	switch v.Kind() {
	case value.KindNull:
		return "null", nil
	case value.KindBool:
		return strconv.FormatBool(v.Bool()), nil
	case value.KindString:
		return strconv.Quote(v.Str()), nil
	case value.KindT, value.KindMerge, value.KindDirection:
		return strings.TrimPrefix(v.Kind().String(), "Kind") + "." + v.Str(), nil
	case value.KindList:
		return literals("[", v.Elems(), "]")
	case value.KindSet:
		return literals("{", v.Set().Elems(), "}")
	case value.KindMap:
		return mapLiteral(v.Map())
	}
	if s, ok := numberSuffix[v.Kind()]; ok {
		return v.JavaString() + s, nil
	}
	return "", fmt.Errorf("%s has no literal form", v)
}

var numberSuffix = map[value.Kind]string{
	value.KindByte: "b", value.KindShort: "s", value.KindInt: "i", value.KindLong: "l", value.KindBigInteger: "n",
	value.KindFloat: "f", value.KindDouble: "d", value.KindBigDecimal: "m",
}

func literals(open string, elems []value.Value, end string) (string, error) {
	parts := make([]string, len(elems))
	for i, e := range elems {
		var err error
		if parts[i], err = literal(e); err != nil {
			return "", err
		}
	}
	return open + strings.Join(parts, ", ") + end, nil
}

func mapLiteral(m *value.Map) (string, error) {
	if m.Len() == 0 {
		return "[:]", nil
	}
	parts := make([]string, m.Len())
	for i := range parts {
		k, v := m.Entry(i)
		ks, err := literal(k)
		if err != nil {
			return "", err
		}
		vs, err := literal(v)
		if err != nil {
			return "", err
		}
		parts[i] = "(" + ks + "): " + vs
	}
	return "[" + strings.Join(parts, ", ") + "]", nil
}
