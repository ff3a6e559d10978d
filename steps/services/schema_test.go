package services_test

import (
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestSchema_Service: what the services of the schema and of features answer, one after the
// other on one graph.
func TestSchema_Service(t *testing.T) {
	g := open(t, "modern")
	person := func(keys map[string]any) map[string]any { return map[string]any{"vertex": "person", "keys": keys} }
	for _, c := range []struct {
		service string
		params  []any
		want    string
	}{
		{"gremlind.schema", nil, "{version=0, open=true, labels=[]}"},
		{"gremlind.feature", nil, ""},
		{"gremlind.feature", []any{"off", "schema"}, `error: graph modern does not use the feature "schema"`},
		{"gremlind.schema", []any{"set", person(map[string]any{"age": map[string]any{"type": "Integer", "min": 0}})}, "{version=1}"},
		{"gremlind.schema", []any{"set", person(map[string]any{"age": "Integer"})}, "{version=1}"}, // the same
		{"gremlind.schema", []any{"get", true}, "{version=1, open=true, labels=[{vertex=person, open=true, keys={age={type=Integer, min=0}}}]}"},
		{"gremlind.schema", []any{"set", person(map[string]any{"name": "Integer", "age": map[string]any{"min": 28}}), "dryRun", true},
			"{version=2, unfit=[Label person: key name wants an Integer, got String (vertex 1), Label person: key name wants an Integer, got String (vertex 2), " +
				"Label person: key name wants an Integer, got String (vertex 4), Label person: key name wants an Integer, got String (vertex 6)]}"},
		{"gremlind.schema", []any{"set", map[string]any{"edge": "knows", "multiplicity": "ONE2ONE"}, "dryRun", true},
			"{version=2, unfit=[Edge knows: vertex 1 has 2: cannot be ONE2ONE]}"},
		{"gremlind.schema", []any{"set", map[string]any{"edge": "knows", "multiplicity": "ONE2ONE"}},
			"error: Edge knows: vertex 1 has 2 (and 0 more): cannot be ONE2ONE"},
		{"gremlind.schema", []any{"set", map[string]any{"open": false}, "dryRun", true},
			"{version=2, unfit=[Label software is no vertex label of the schema, which is closed, Label created is no edge label of the schema, which is closed, " +
				"Label knows is no edge label of the schema, which is closed]}"},
		{"gremlind.schema", []any{"drop", map[string]any{"vertex": "person", "keys": []any{"age"}}, "dryRun", true}, "{version=2, unfit=[]}"},
		{"gremlind.schema", []any{"set", person(nil), "drop", person(nil)}, "error: gremlind.schema does one thing at a time: set, drop or get"},
		{"gremlind.schema", []any{"get", 1}, "error: the parameter get is true or false, not 1"},
		{"gremlind.schema", []any{"drop", map[string]any{"vertex": "person"}, "dryRun", "no"}, "error: the parameter dryRun is true or false, not no"},
		{"gremlind.schema", []any{"define", 1}, "error: gremlind.schema has no parameter define: it takes set, drop, dryRun, get"},
		{"gremlind.feature", nil, "{feature=schema, keeps=the schema, at version 1 (labels with rules: 1)}"},
		{"gremlind.schema", []any{"drop", map[string]any{"vertex": "person"}}, "{version=2}"},
		{"gremlind.feature", []any{"off", "schema"}, "{feature=schema, keeps=the schema, at version 2 (labels with rules: 0)}"},
		{"gremlind.feature", nil, ""},
		{"gremlind.schema", nil, "{version=0, open=true, labels=[]}"},
	} {
		newCaller(t, g).want(c.want, c.service, value.Null, c.params...) // each sees what the last one did
	}
}
