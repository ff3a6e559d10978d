package main

import (
	"context"
	"fmt"
	"hash/fnv"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// namesAtOnce is how many names the variable names holds.
const namesAtOnce = 10

// build makes the requests of a query for one server, one per seed.
func (q *query) build(t *target, d *dataset) (*load, error) {
	l := &load{source: q.graph(), transaction: q.times > 0}
	for i := range q.seeds(d) {
		b, err := q.bytecode(t, d, i)
		if err != nil {
			return nil, err
		}
		l.bytecode = append(l.bytecode, b)
		if l.transaction {
			commit := l.source != t.withoutTransactions
			if l.frames, err = encodeTransaction(l.source, b, q.times, commit); err != nil {
				return nil, err
			}
			break
		}
		f, err := encode(l.source, b, requestTimeout)
		if err != nil {
			return nil, err
		}
		l.frames = append(l.frames, f)
	}
	l.join()
	return l, nil
}

// graph is the name of the traversal source that is asked.
func (q *query) graph() string {
	if q.source == "" {
		return "g"
	}
	return q.source
}

func (q *query) seeds(d *dataset) []int32 {
	if q.slow {
		return d.seeds[:1]
	}
	return d.seeds
}

func (q *query) bytecode(t *target, d *dataset, i int) (*traversal.Bytecode, error) {
	seed, text := d.seeds[i], q.text
	if q.every20 != "" && i%20 == 0 {
		text = q.every20
	}
	parsed, err := lang.Parse(text, lang.Options{Variables: func(name string) (value.Value, bool) {
		switch name {
		case "v":
			return t.id(seed), true
		case "w":
			return t.id(d.partner(i)), true
		case "n":
			return value.String(personName(seed)), true
		case "names":
			var names []value.Value
			for k := range namesAtOnce {
				names = append(names, value.String(personName(d.seeds[(i+k)%len(d.seeds)])))
			}
			return value.List(names), true
		}
		return value.Null, false
	}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.name, err)
	}
	return parsed.Last().Bytecode, nil
}

func personName(v int32) string { return fmt.Sprintf("p%d", v) }

// partner is the vertex that row 7 looks for and that edges are added to.
func (d *dataset) partner(i int) int32 {
	if i == 0 {
		return d.threeAway(d.seeds[0])
	}
	return d.seeds[(i+1)%len(d.seeds)]
}

// answer is what is compared between servers: how many results, and a sum of their
// hashes, in which order does not count.
type answer struct {
	count int
	sum   uint64
}

// comparedSeeds is how many seeds' answers are compared.
const comparedSeeds = 25

func (q *query) answers(ctx context.Context, t *target, d *dataset) ([]answer, error) {
	c, err := client.Dial(ctx, t.url)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var out []answer
	for i := range q.seeds(d) {
		if i == comparedSeeds {
			break
		}
		b, err := q.bytecode(t, d, i)
		if err != nil {
			return nil, err
		}
		results, err := c.Send(ctx, "traversal", "bytecode", arguments(q.graph(), b.Value(), requestTimeout))
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", q.name, t.name, err)
		}
		out = append(out, summarize(results))
	}
	return out, nil
}

func summarize(results []value.Value) answer {
	a := answer{count: len(results)}
	for _, r := range results {
		h := fnv.New64a()
		h.Write([]byte(canonical(r)))
		a.sum += h.Sum64()
	}
	return a
}

// canonical prints a result so that servers with ids of their own agree: a vertex by
// its name, a map by its entries without order.
func canonical(v value.Value) string {
	if e := v.Detached(); e != nil {
		for _, p := range e.Properties {
			if vp := p.VertexProperty(); vp != nil && vp.Key == "name" {
				return "vertex " + vp.Value.Str()
			}
		}
		return "element " + e.Label
	}
	if m := v.Map(); m != nil {
		var sum uint64
		for i := range m.Len() {
			k, x := m.Entry(i)
			h := fnv.New64a()
			h.Write([]byte(canonical(k) + "=" + canonical(x)))
			sum += h.Sum64()
		}
		return fmt.Sprint(m.Len(), sum)
	}
	return v.JavaString()
}
