package sample

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

func text(s string) value.Value { return value.String(s) }

// people are the vertices that modern and classic share but for their labels.
func people(person, software string) []blueprints.VertexRecord {
	return []blueprints.VertexRecord{
		vertex(1, person, prop("name", text("marko"), 0), prop("age", value.Int(29), 1)),
		vertex(2, person, prop("name", text("vadas"), 2), prop("age", value.Int(27), 3)),
		vertex(3, software, prop("name", text("lop"), 4), prop("lang", text("java"), 5)),
		vertex(4, person, prop("name", text("josh"), 6), prop("age", value.Int(32), 7)),
		vertex(5, software, prop("name", text("ripple"), 8), prop("lang", text("java"), 9)),
		vertex(6, person, prop("name", text("peter"), 10), prop("age", value.Int(35), 11)),
	}
}

// work are their edges; weight makes a number of the graph's type.
func work(weight func(float64) value.Value) []blueprints.EdgeRecord {
	w := func(f float64) blueprints.PropertyRecord { return prop("weight", weight(f)) }
	return []blueprints.EdgeRecord{
		edge(7, "knows", 1, 2, w(0.5)),
		edge(8, "knows", 1, 4, w(1)),
		edge(9, "created", 1, 3, w(0.4)),
		edge(10, "created", 4, 5, w(1)),
		edge(11, "created", 4, 3, w(0.4)),
		edge(12, "created", 6, 3, w(0.2)),
	}
}

func modern() *graph {
	return &graph{
		labels:   []string{"created", "knows"},
		vertices: people("person", "software"),
		edges:    work(value.Double),
	}
}

func classic() *graph {
	return &graph{
		labels:   []string{"created", "knows"},
		vertices: people("vertex", "vertex"),
		edges:    work(func(f float64) value.Value { return value.Float(float32(f)) }),
	}
}

// stay is a location with the years somebody lived there; until 0 is today.
func stay(id int64, place string, from, until int32) blueprints.PropertyRecord {
	p := prop("location", text(place), id)
	p.Meta = []value.Property{{Key: "startTime", Value: value.Int(from)}}
	if until != 0 {
		p.Meta = append(p.Meta, value.Property{Key: "endTime", Value: value.Int(until)})
	}
	return p
}

func crew() *graph {
	year := func(key string, n int32) blueprints.PropertyRecord { return prop(key, value.Int(n)) }
	return &graph{
		labels: []string{"uses", "develops", "traverses"},
		vertices: []blueprints.VertexRecord{
			vertex(1, "person", prop("name", text("marko"), 0), stay(6, "san diego", 1997, 2001),
				stay(7, "santa cruz", 2001, 2004), stay(8, "brussels", 2004, 2005), stay(9, "santa fe", 2005, 0)),
			vertex(7, "person", prop("name", text("stephen"), 1), stay(10, "centreville", 1990, 2000),
				stay(11, "dulles", 2000, 2006), stay(12, "purcellville", 2006, 0)),
			vertex(8, "person", prop("name", text("matthias"), 2), stay(13, "bremen", 2004, 2007),
				stay(14, "baltimore", 2007, 2011), stay(15, "oakland", 2011, 2014), stay(16, "seattle", 2014, 0)),
			vertex(9, "person", prop("name", text("daniel"), 3), stay(17, "spremberg", 1982, 2005),
				stay(18, "kaiserslautern", 2005, 2009), stay(19, "aachen", 2009, 0)),
			vertex(10, "software", prop("name", text("gremlin"), 4)),
			vertex(11, "software", prop("name", text("tinkergraph"), 5)),
		},
		edges: []blueprints.EdgeRecord{
			edge(13, "develops", 1, 10, year("since", 2009)),
			edge(14, "develops", 1, 11, year("since", 2010)),
			edge(15, "uses", 1, 10, year("skill", 4)),
			edge(16, "uses", 1, 11, year("skill", 5)),
			edge(17, "develops", 7, 10, year("since", 2010)),
			edge(18, "develops", 7, 11, year("since", 2011)),
			edge(19, "uses", 7, 10, year("skill", 5)),
			edge(20, "uses", 7, 11, year("skill", 4)),
			edge(21, "develops", 8, 10, year("since", 2012)),
			edge(22, "uses", 8, 10, year("skill", 3)),
			edge(23, "uses", 8, 11, year("skill", 3)),
			edge(24, "uses", 9, 10, year("skill", 5)),
			edge(25, "uses", 9, 11, year("skill", 3)),
			edge(26, "traverses", 10, 11),
		},
	}
}

func sink() *graph {
	return &graph{
		labels: []string{"self", "link"},
		vertices: []blueprints.VertexRecord{
			vertex(2000, "message", prop("name", text("a"), 1)),
			vertex(2001, "message", prop("name", text("b"), 2)),
			vertex(1000, "loops", prop("name", text("loop"), 0)),
		},
		edges: []blueprints.EdgeRecord{
			edge(2002, "link", 2000, 2001),
			edge(2003, "link", 2000, 2000),
			edge(1001, "self", 1000, 1000),
		},
	}
}
