package graphbinary

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// traversalBody reads the parts of traversals and their measurements.
func (r *Reader) traversalBody(code byte, start int) value.Value {
	switch code {
	case codeBytecode:
		b := &traversal.Bytecode{Steps: r.instructions()}
		b.Source = r.instructions() // steps come first
		return b.Value()
	case codeP, codeTextP:
		p := &traversal.P{Name: r.string(), Text: code == codeTextP}
		p.Args = r.list(r.count(2))
		return p.Value()
	case codeLambda:
		l := &traversal.Lambda{Language: r.string()}
		l.Script = r.string()
		l.Arguments = r.int32()
		return value.Object(value.KindLambda, l)
	case codeStrategy:
		s := &traversal.StrategySpec{Class: r.string()}
		if m := r.mapBody(); m.Len() > 0 {
			s.Config = m
		}
		return value.Object(value.KindStrategy, s)
	case codeBinding:
		b := &traversal.Binding{Key: r.string()}
		b.Value = r.Value()
		return value.Object(value.KindBinding, b)
	case codeMetrics:
		return value.Object(value.KindMetrics, r.metrics())
	case codeTraversalMetrics:
		m := &traversal.TraversalMetrics{DurationNS: r.int64()}
		m.Metrics = r.metricsList()
		return value.Object(value.KindTraversalMetrics, m)
	}
	return r.unknown(code, start)
}

func (r *Reader) instructions() []traversal.Instruction {
	n := r.count(8)
	if n == 0 {
		return nil
	}
	out := make([]traversal.Instruction, 0, min(n, preallocateMax))
	for i := 0; i < n && r.err == nil; i++ {
		r.owe(keptBytes)
		name := r.string()
		out = append(out, traversal.Instruction{Name: name, Args: r.list(r.count(2))})
	}
	return out
}

func (r *Reader) metrics() *traversal.Metrics {
	m := &traversal.Metrics{ID: r.string(), Name: r.string(), DurationNS: r.int64()}
	if counts := r.mapBody(); counts.Len() > 0 {
		m.Counts = make(map[string]int64, counts.Len())
		r.owe(metricsBytes * counts.Len())
		for i := range counts.Len() {
			k, v := counts.Entry(i)
			m.Counts[k.Str()] = v.Int64()
		}
	}
	notes := r.mapBody()
	r.owe(metricsBytes * notes.Len())
	for i := range notes.Len() {
		k, v := notes.Entry(i)
		m.Annotations = append(m.Annotations, traversal.Annotation{Key: k.Str(), Value: v})
	}
	m.Nested = r.metricsList()
	return m
}

func (r *Reader) metricsList() []*traversal.Metrics {
	var out []*traversal.Metrics
	for n := r.count(2); n > 0 && r.err == nil; n-- {
		if m, ok := r.expect(value.KindMetrics).Object().(*traversal.Metrics); ok {
			out = append(out, m)
		}
	}
	return out
}
