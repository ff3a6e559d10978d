package services

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// tinker.degree.centrality gives the number of edges of each vertex.
var degree = &service{
	name: "tinker.degree.centrality", kinds: inside,
	params: []traversal.ServiceParam{{Name: "direction", Doc: "Specify the edge direction (optional), default is Direction.IN"}},
	call: func(c traversal.ServiceCall) (traversal.Cursor, error) {
		dir := blueprints.In
		if v, ok := c.Params.GetString("direction"); ok {
			switch v.Str() {
			case "IN":
			case "OUT":
				dir = blueprints.Out
			case "BOTH":
				dir = blueprints.Both
			default:
				return nil, fmt.Errorf("the parameter direction is a Direction, not %s", v.Brief())
			}
		}
		if c.In.Kind() != value.KindVertex {
			return nil, fmt.Errorf("class %s cannot be cast to class org.apache.tinkerpop.gremlin.structure.Vertex", value.JavaClass(c.In))
		}
		if !c.In.IsStored() {
			return one(value.Long(0)), nil
		}
		var n int64
		at := []blueprints.VertexID{blueprints.VertexID(c.In.Ref())}
		err := c.Run.View.Expand(at, blueprints.Expansion{Dir: dir, Want: blueprints.WantCount}, blueprints.SinkFunc(func(_ int, e blueprints.Expanded) error {
			n = e.Count
			return nil
		}))
		return one(value.Long(n)), err
	},
}
