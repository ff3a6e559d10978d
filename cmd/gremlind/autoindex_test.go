package main

import (
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

func feature(kv ...any) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.feature", params(kv...)).Select("feature")
	}
}

func dropKey(key string) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.index.dropKey", params("class", "vertex", "key", key))
	}
}

var autoIndexRows = []indexRow{
	{"g.call('gremlind.feature', [on: 'autoIndex']).select('feature')", feature("on", "autoIndex"), "autoIndex"},
	{"g.call('gremlind.feature', [on: 'schema'])", feature("on", "schema"), "!feature schema: only autoIndex, history, stamps and ttl are turned on by themselves"},
	{"g.V().has('name', 'josh').id()", func(g source) *gremlingo.GraphTraversal { return g.V().Has("name", "josh").Id() }, "4"},
	{"g.V(4).property('city', 'Rome').id()", func(g source) *gremlingo.GraphTraversal { return g.V(4).Property("city", "Rome").Id() }, "4"},
	{"g.V().has('city', 'Rome').id()", func(g source) *gremlingo.GraphTraversal { return g.V().Has("city", "Rome").Id() }, "4"},
	{"g.call('gremlind.index.keys', [class: 'vertex']).select('key').is('city').count()", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.index.keys", params("class", "vertex")).Select("key").Is("city").Count()
	}, "1"},
	{"g.call('gremlind.index.dropKey', [class: 'vertex', key: 'city'])", dropKey("city"), "!graph graph has an index of every key (autoIndex): turn that off first"},
	{"g.V(1).call('gremlind.increment', [key: 'city'])", func(g source) *gremlingo.GraphTraversal {
		return g.V(1).Call("gremlind.increment", params("key", "city"))
	}, "!key city has an index: counters have no index"},
	{"g.call('gremlind.feature', [off: 'autoIndex']).select('feature')", feature("off", "autoIndex"), "autoIndex"},
	{"g.V(4).property('street', 'Appia').id()", func(g source) *gremlingo.GraphTraversal { return g.V(4).Property("street", "Appia").Id() }, "4"},
	{"g.call('gremlind.index.keys', [class: 'vertex']).select('key').is('street').count()", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.index.keys", params("class", "vertex")).Select("key").Is("street").Count()
	}, "0"},
	{"g.call('gremlind.index.dropKey', [class: 'vertex', key: 'city'])", dropKey("city"), ""},
	{"g.V().has('city', 'Rome').id()", func(g source) *gremlingo.GraphTraversal { return g.V().Has("city", "Rome").Id() }, "4"},
}

// TestAutoIndex: every key has an index, as long as that is on.
func TestAutoIndex(t *testing.T) { sendRows(t, autoIndexRows) }
