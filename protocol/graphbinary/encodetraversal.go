package graphbinary

import (
	"sort"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// appendTraversal writes the kinds that package traversal defines.
func (e *Encoder) appendTraversal(dst []byte, v value.Value) ([]byte, error) {
	switch x := v.Object().(type) {
	case *traversal.Bytecode:
		dst, err := e.appendInstructions(append(dst, codeBytecode, flagValue), x.Steps)
		if err != nil {
			return dst, err
		}
		return e.appendInstructions(dst, x.Source)
	case *traversal.P:
		code := byte(codeP)
		if x.Text {
			code = codeTextP
		}
		return e.appendList(appendText(append(dst, code, flagValue), x.Name), x.Args)
	case *traversal.Lambda:
		dst = appendText(append(dst, codeLambda, flagValue), x.Language)
		return put32(appendText(dst, x.Script), x.Arguments), nil
	case *traversal.StrategySpec:
		return e.appendMap(appendText(append(dst, codeStrategy, flagValue), x.Class), x.Config)
	case *traversal.Binding:
		return e.Append(appendText(append(dst, codeBinding, flagValue), x.Key), x.Value)
	case *traversal.Metrics:
		return e.appendMetrics(append(dst, codeMetrics, flagValue), x)
	case *traversal.TraversalMetrics:
		dst = put64(append(dst, codeTraversalMetrics, flagValue), x.DurationNS)
		return e.appendMetricsList(dst, x.Metrics)
	case *traversal.Explanation:
		return e.appendMap(append(dst, codeMap, flagValue), x.Map())
	}
	switch whole, ok, err := value.WholeOf(v); {
	case err != nil:
		return dst, err
	case ok:
		return e.Append(dst, whole)
	}
	return dst, unserializable(v)
}

func (e *Encoder) appendInstructions(dst []byte, list []traversal.Instruction) ([]byte, error) {
	dst = appendCount(dst, len(list))
	var err error
	for _, in := range list {
		if dst, err = e.appendList(appendText(dst, in.Name), in.Args); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (e *Encoder) appendMetricsList(dst []byte, list []*traversal.Metrics) ([]byte, error) {
	dst = appendCount(dst, len(list))
	var err error
	for _, m := range list {
		if dst, err = e.appendMetrics(append(dst, codeMetrics, flagValue), m); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// appendMetrics writes the counts sorted by name, so that equal metrics have equal bytes.
func (e *Encoder) appendMetrics(dst []byte, m *traversal.Metrics) ([]byte, error) {
	dst = put64(appendText(appendText(dst, m.ID), m.Name), m.DurationNS)
	names := make([]string, 0, len(m.Counts))
	for name := range m.Counts {
		names = append(names, name)
	}
	sort.Strings(names)
	dst = appendCount(dst, len(names))
	for _, name := range names {
		dst = put64(append(appendQualifiedText(dst, name), codeLong, flagValue), m.Counts[name])
	}
	dst = appendCount(dst, len(m.Annotations))
	var err error
	for _, a := range m.Annotations {
		if dst, err = e.Append(appendQualifiedText(dst, a.Key), a.Value); err != nil {
			return dst, err
		}
	}
	return e.appendMetricsList(dst, m.Nested)
}
