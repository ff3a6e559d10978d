package services_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/queryhost"
)

// What strategies hide is not found by words or places either; where they hide properties, nothing
// is searched, for what is found would tell of these.
func TestText_BeneathStrategies(t *testing.T) {
	s := queryhost.Script{Graphs: queryhost.New(t), Graph: "modern", Order: "any"}
	const hidden = "an index cannot be searched beside a strategy that hides properties (vertexProperties, includeMetaProperties): what it finds would tell of them"
	const (
		persons  = "g.withStrategies(SubgraphStrategy(vertices: __.hasLabel('person')))"
		nameless = "g.withStrategies(SubgraphStrategy(vertexProperties: __.hasNot('name')))"
		words    = ".call('gremlind.text', [index: 'words', query: 'old'])"
		near     = ".call('gremlind.near', [index: 'places', lat: 0, lon: 0, limit: 9])"
	)
	for _, c := range []struct{ query, want string }{
		{"g.V().property('job', 'mends old cables').property('at', [0, 0]).count()", "6"},
		{"g.call('gremlind.index.create', [name: 'words', class: 'vertex', keys: ['job'], analyzer: 'words']).select('state')", "ACTIVE"},
		{"g.call('gremlind.index.create', [name: 'places', class: 'vertex', keys: ['at'], analyzer: 'geo']).select('state')", "ACTIVE"},
		{"g" + words + ".count()", "6"},
		{"g" + near + ".count()", "6"},
		{persons + words + ".id()", "1\n2\n4\n6"},
		{persons + near + ".id()", "1\n2\n4\n6"},
		{persons + ".call('gremlind.text', [index: 'words', query: 'old', limit: 3]).count()", "3"},
		{persons + ".call('gremlind.text', [index: 'words', query: 'new'])", ""},
		{nameless + words, hidden},
		{nameless + near, hidden},
		{nameless + ".V().count()", "6"},
	} {
		got, err := s.Run(t.Context(), c.query)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.query, got, c.want)
		}
	}
}
