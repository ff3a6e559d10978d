package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gremlind/gremlind/storage/value"
)

// readYAML reads one document of YAML, of which JSON is a part: maps by text in their order,
// lists, texts, numbers, true and false, null. Times are texts.
func readYAML(in io.Reader) (value.Value, error) {
	var doc yaml.Node
	if err := yaml.NewDecoder(in).Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return value.Null, errors.New("there is nothing in it")
		}
		return value.Null, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return valueOfYAML(doc.Content[0])
}

func valueOfYAML(n *yaml.Node) (value.Value, error) {
	switch n.Kind {
	case yaml.MappingNode:
		m := value.NewMap()
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := valueOfYAML(n.Content[i+1])
			if err != nil {
				return v, err
			}
			m.PutString(n.Content[i].Value, v)
		}
		return m.Value(), nil
	case yaml.SequenceNode:
		elems := make([]value.Value, len(n.Content))
		for i, c := range n.Content {
			var err error
			if elems[i], err = valueOfYAML(c); err != nil {
				return value.Null, err
			}
		}
		return value.List(elems), nil
	case yaml.ScalarNode:
		return scalarOfYAML(n)
	}
	return value.Null, fmt.Errorf("line %d: aliases are not read: write it out", n.Line)
}

func scalarOfYAML(n *yaml.Node) (value.Value, error) {
	var err error
	switch n.ShortTag() {
	case "!!null":
		return value.Null, nil
	case "!!bool":
		var b bool
		if err = n.Decode(&b); err == nil {
			return value.Bool(b), nil
		}
	case "!!int":
		var i int64
		if err = n.Decode(&i); err == nil {
			return value.Long(i), nil
		}
	case "!!float":
		var f float64
		if err = n.Decode(&f); err == nil {
			return value.Double(f), nil
		}
	default:
		return value.String(n.Value), nil
	}
	return value.Null, fmt.Errorf("line %d: %w", n.Line, err)
}

// writeYAML writes what readYAML reads.
func writeYAML(out io.Writer, v value.Value) error {
	e := yaml.NewEncoder(out)
	e.SetIndent(2)
	return errors.Join(e.Encode(yamlOf(v)), e.Close())
}

func yamlOf(v value.Value) *yaml.Node {
	scalar := func(tag, text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text} }
	switch k := v.Kind(); {
	case k == value.KindMap:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for i := range v.Map().Len() {
			name, e := v.Map().Entry(i)
			n.Content = append(n.Content, scalar("!!str", name.JavaString()), yamlOf(e))
		}
		return n
	case k == value.KindList:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, e := range v.Elems() {
			n.Content = append(n.Content, yamlOf(e))
		}
		return n
	case k == value.KindNull:
		return scalar("!!null", "null")
	case k == value.KindBool:
		return scalar("!!bool", strconv.FormatBool(v.Bool()))
	case k == value.KindDouble, k == value.KindFloat, k == value.KindBigDecimal:
		return scalar("!!float", v.JavaString())
	case k.IsNumber():
		return scalar("!!int", v.JavaString())
	}
	return scalar("!!str", v.JavaString())
}
