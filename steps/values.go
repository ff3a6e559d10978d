package steps

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// values() gives the values of properties, properties() the properties themselves.
//
//	values()               all
//	values("name", "age")  those with one of the keys, in the element's own order
//	properties("name").properties("since")  properties of a property
var (
	valuesSpec = propertiesSpec("values", "value", "Gives the values of properties.")
	propsSpec  = propertiesSpec("properties", "property", "Gives the properties of elements.")
)

func propertiesSpec(name, kind, doc string) traversal.Spec {
	return traversal.Spec{
		Name: name, Class: "PropertiesStep", Kind: traversal.FlatMapStep, Effects: traversal.ReadsGraph,
		Doc: doc, Prepare: prepareProperties, Open: openProperties, Direct: directProperties,
		Print: func(n *traversal.Node) string {
			keys := strings.Join(n.Data.(*propertyKeys).keys, ", ")
			if len(n.Args) > 0 {
				keys = "[" + keys + "],"
			}
			return "PropertiesStep(" + keys + kind + ")"
		},
	}
}

// propertyKeys is the Data of values and properties.
type propertyKeys struct {
	keys   []string
	none   bool // only null keys: nothing matches
	values bool // give values rather than properties
}

func prepareProperties(n *traversal.Node) error {
	keys, none, err := step.KeyArgs(n)
	n.Data = &propertyKeys{keys: keys, none: none, values: n.Name() == "values"}
	return err
}

func openProperties(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	s := traversal.MakeKeeping(r, (*propertyStep).keepRoom)
	s.r, s.in.Run, s.in.Up = r, r, up
	s.read.init(n, r)
	return s, nil
}

// directProperties gives the first value, as by(values("name")) does.
func directProperties(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	c := &propertyReader{}
	c.init(n, r)
	p := c.p
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		if p.values && len(p.keys) == 1 && t.Kind().IsElement() {
			return r.Property(t.Value, p.keys[0])
		}
		var err error
		c.out, err = c.one(c.out[:0], t.Value)
		if len(c.out) == 0 || err != nil {
			return value.Null, false, err
		}
		return c.out[0], true, nil
	}, nil
}

// propertyReader reads elements into buffers that it uses again.
type propertyReader struct {
	r    *traversal.Run
	p    *propertyKeys
	syms labelSymbols
	buf  []blueprints.PropertyEntry
	out  []value.Value
}

func (c *propertyReader) init(n *traversal.Node, r *traversal.Run) {
	c.r, c.p = r, n.Data.(*propertyKeys)
	c.syms.init(c.p.keys, c.p.none)
}

// column reports whether many may be asked: for the values of one key.
func (c *propertyReader) column() bool { return c.p.values && len(c.p.keys) == 1 && !c.p.none }

// many appends the values of stored vertices, as View.VertexValues does.
func (c *propertyReader) many(dst []value.Value, ends []int, vs []blueprints.VertexID) ([]value.Value, []int, error) {
	syms, ok := c.syms.resolve(c.r)
	if !ok {
		for range vs {
			ends = append(ends, len(dst))
		}
		return dst, ends, nil
	}
	return c.r.View.VertexValues(dst, ends, vs, syms[0])
}

// one appends what the step gives for an element.
func (c *propertyReader) one(dst []value.Value, v value.Value) ([]value.Value, error) {
	if !v.Kind().IsElement() && !(v.Kind() == value.KindProperty && traversal.AreHidden(c.p.keys)) {
		return dst, step.NotElement(v)
	}
	if c.p.none {
		return dst, nil
	}
	if c.p.values && v.IsStored() {
		return c.stored(dst, v)
	}
	from := len(dst)
	dst, err := c.r.Properties(dst, v, c.p.keys)
	if c.p.values {
		for i := from; i < len(dst) && err == nil; i++ {
			dst[i], err = c.r.Token(dst[i], "value")
		}
	}
	return dst, err
}

// stored reads values alone, without making property objects.
func (c *propertyReader) stored(dst []value.Value, v value.Value) ([]value.Value, error) {
	syms, ok := c.syms.resolve(c.r)
	if !ok {
		return dst, nil
	}
	var err error
	if v.Kind() == value.KindVertex {
		c.buf, err = c.r.View.VertexProperties(c.buf[:0], blueprints.VertexID(v.Ref()), syms)
	} else {
		c.buf, err = c.r.View.EdgeProperties(c.buf[:0], blueprints.EdgeID(v.Ref()), syms)
	}
	for i := range c.buf {
		dst = append(dst, c.buf[i].Value)
	}
	return dst, err
}

// element() gives the element that a property belongs to.
var elementSpec = traversal.Spec{
	Name: "element", Class: "ElementStep", Kind: traversal.MapStep,
	Doc: "Gives the element that a property belongs to.",
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		if len(n.Args) > 0 {
			return nil, fmt.Errorf("element() takes no arguments")
		}
		return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
			if p := t.Property(); p != nil {
				return p.Element, true, nil
			}
			if p := t.VertexProperty(); p != nil {
				return p.Vertex, true, nil
			}
			return value.Null, false, step.NotProperty(t.Value)
		}), nil
	},
}
