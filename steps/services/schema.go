package services

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// gremlind.schema shows and changes the rules that the elements of a graph keep to. A change
// is made at once, in transactions of its own, and outlives a rollback of the query's;
// transactions that are open meanwhile conflict.
//
//	call("gremlind.schema")                                      the schema and its version
//	call("gremlind.schema", [set: [vertex: "person", keys: [age: "Integer"]]])     {version}
//	call("gremlind.schema", [set: [...], dryRun: true])          {version, unfit}
//	call("gremlind.schema", [drop: [vertex: "person"]])          {version}
var schemaService = &service{
	name: "gremlind.schema", kinds: atStart, right: traversal.WriteRight, reads: readsSchema, call: callSchema,
	params: []traversal.ServiceParam{
		{Name: "set", Type: "Map or List", Doc: "The rules of a label, a list of such, or a whole schema: they are added to those that hold"},
		{Name: "drop", Type: "String, Map, or a List of such", Doc: "A label, or a list of such, whose rules end; with keys, those of its keys alone"},
		{Name: "dryRun", Type: "Boolean", Doc: "true to be told what would not fit, the first ten (optional)"},
		{Name: "get", Type: "Boolean", Doc: "true for the rules that hold, as without parameters (optional)"},
	},
}

// unfitMax is how much of what would not fit is told.
const unfitMax = 10

// truth returns a parameter that is true or false; one that is missing is false.
func truth(params *value.Map, name string) (bool, error) {
	v, ok := params.GetString(name)
	if ok && v.Kind() != value.KindBool {
		return false, fmt.Errorf("the parameter %s is true or false, not %s", name, v.Brief())
	}
	return ok && v.Bool(), nil
}

func readsSchema(params *value.Map) bool {
	_, sets := params.GetString("set")
	_, drops := params.GetString("drop")
	dry, err := truth(params, "dryRun")
	return !sets && !drops || dry && err == nil
}

func callSchema(c traversal.ServiceCall) (traversal.Cursor, error) {
	g, err := wholeGraph(c)
	if err != nil {
		return nil, err
	}
	dry, err := truth(c.Params, "dryRun")
	if err != nil {
		return nil, err
	}
	get, err := truth(c.Params, "get")
	if err != nil {
		return nil, err
	}
	set, sets := c.Params.GetString("set")
	drop, drops := c.Params.GetString("drop")
	switch {
	case sets && drops, get && (sets || drops):
		return nil, errors.New("gremlind.schema does one thing at a time: set, drop or get")
	case sets:
		return changeSchema(c, g, dry, func(s *schema.Schema) (*schema.Schema, error) { return s.With(set) })
	case drops:
		return changeSchema(c, g, dry, func(s *schema.Schema) (*schema.Schema, error) { return s.Without(drop) })
	}
	s, err := c.Run.View.(*blueprints.Tx).Schema()
	if err != nil {
		return nil, err
	}
	return one(s.Value()), nil
}

// wholeGraph returns the graph of a query that sees all of it.
func wholeGraph(c traversal.ServiceCall) (*blueprints.Graph, error) {
	tx, ok := c.Run.View.(*blueprints.Tx)
	if !ok {
		return nil, errors.New("the schema and the features belong to the whole graph, and this is a filtered view of it")
	}
	return tx.Graph(), nil
}

func changeSchema(c traversal.ServiceCall, g *blueprints.Graph, dry bool, change blueprints.SchemaChange) (traversal.Cursor, error) {
	m := value.NewMap()
	if !dry {
		s, err := g.ChangeSchema(c.Ctx, change)
		if err != nil {
			return nil, err
		}
		m.PutString("version", value.Long(s.Version))
		return one(m.Value()), nil
	}
	s, unfit, err := g.TrySchema(c.Ctx, change, unfitMax)
	if err != nil {
		return nil, err
	}
	texts := make([]value.Value, len(unfit))
	for i, u := range unfit {
		texts[i] = value.String(u.String())
	}
	m.PutString("version", value.Long(s.Version))
	m.PutString("unfit", value.List(texts))
	return one(m.Value()), nil
}
