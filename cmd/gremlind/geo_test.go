package main

import (
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

func at(id int, where any) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal { return g.V(id).Property("where", where).Id() }
}

func idsOf(service string, kv ...any) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal { return g.Call(service, params(kv...)).Id() }
}

var geoRows = []indexRow{
	{"g.V(1).property('where', [0.0, -179.999]).id()", at(1, []float64{0, -179.999}), "1"},
	{"g.call('gremlind.index.create', [name:'g', class:'vertex', keys:['where'], analyzer:'geo']).select('state')", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "g", "class", "vertex", "keys", []string{"where"}, "analyzer", "geo").Select("state")
	}, "ACTIVE"},
	{"g.V(2).property('where', [type: 'Point', coordinates: [-86.9, 40.04]]).id()", at(2, params("type", "Point", "coordinates", []float64{-86.9, 40.04})), "2"},
	{"g.V(4).property('where', [40.043, -86.9]).id()", at(4, []float64{40.043, -86.9}), "4"},
	{"g.V(3).property('where', [90, 7]).id()", at(3, []any{90, 7}), "3"},
	{"g.call('gremlind.near', [index:'g', lat:0.0, lon:179.999, meters:200]).id()", idsOf("gremlind.near", "index", "g", "lat", 0.0, "lon", 179.999, "meters", 200), ""},
	{"g.call('gremlind.near', [index:'g', lat:40.042, lon:-86.9, meters:500]).id()", idsOf("gremlind.near", "index", "g", "lat", 40.042, "lon", -86.9, "meters", 500), "4 2"},
	{"g.call('gremlind.near', [index:'g', lat:41, lon:-86.9, limit:3]).id()", idsOf("gremlind.near", "index", "g", "lat", 41, "lon", -86.9, "limit", 3), "4 2 3"},
	{"g.call('gremlind.near', [index:'g', lat:90, lon:0, limit:1]).with('distance').select('distance').is(lt(0.001)).count()", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.near", params("index", "g", "lat", 90, "lon", 0, "limit", 1)).With("distance").Select("distance").Is(gremlingo.P.Lt(0.001)).Count()
	}, "1"},
	{"g.call('gremlind.within', [index:'g', box:[-1, 179, 1, -179]]).id()", idsOf("gremlind.within", "index", "g", "box", []int{-1, 179, 1, -179}), "1"},
	{"g.call('gremlind.within', [index:'g', box:[80, -1, 90, 1]]).id()", idsOf("gremlind.within", "index", "g", "box", []int{80, -1, 90, 1}), "3"},
	{"g.call('gremlind.within', [index:'g', box:[-90, -180, 90, 180]]).count()", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.within", params("index", "g", "box", []int{-90, -180, 90, 180})).Count()
	}, "4"},
	{"g.call('gremlind.near', [index:'g', lat:0, lon:0])", idsOf("gremlind.near", "index", "g", "lat", 0, "lon", 0), "!needs meters, or a limit"},
	{"g.call('gremlind.within', [index:'g', box:[1, 2, 3]])", idsOf("gremlind.within", "index", "g", "box", []int{1, 2, 3}), "!box is [south, west, north, east]"},
	{"g.V(6).property('where', [0, 181])", at(6, []int{0, 181}), "!Index g: lon 181: want -180 to 180"},
	{"g.V(6).property('where', 'Rome')", at(6, "Rome"), "!Index g: Rome is no point"},
	{"g.V(6).values('where').count()", func(g source) *gremlingo.GraphTraversal { return g.V(6).Values("where").Count() }, "0"},
	{"g.call('gremlind.index.create', [name:'n', class:'vertex', keys:['name'], analyzer:'geo'])", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "n", "class", "vertex", "keys", []string{"name"}, "analyzer", "geo")
	}, "!Index n: ripple is no point: want [lat, lon], or [type: 'Point', coordinates: [lon, lat]] (vertex 5)"},
	{"g.V(4).drop()", func(g source) *gremlingo.GraphTraversal { return g.V(4).Drop() }, ""},
	{"g.call('gremlind.index.verify', [name:'g']).unfold()", func(g source) *gremlingo.GraphTraversal { return nameOnly("verify", "g")(g).Unfold() }, "entries=3 missing=0 stale=0"},
	{"g.call('gremlind.feature', [off: 'index:geo']).select('keeps')", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.feature", params("off", "index:geo")).Select("keeps")
	}, "1 geo index: g"},
}

// TestGeo: points are found near and within, the nearest first.
func TestGeo(t *testing.T) { sendRows(t, geoRows) }
