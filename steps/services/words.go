package services

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// gremlind.text gives the elements of an index of words that have all words of a query, those
// that fit best (BM25) first. tal* stands for all words that begin so.
//
//	call("gremlind.text", [index: "b", query: "tale cit*", limit: 10])
//	call("gremlind.text", [index: "b", query: "tale"]).with("score")    {element, score}
var searchText = &service{name: "gremlind.text", kinds: atStart, call: callText, params: []traversal.ServiceParam{
	indexParam, {Name: "query", Type: "String", Doc: "Words, all of which have to be there; tal* stands for all that begin so"},
	limitParam, {Name: "score", Type: "Boolean", Doc: "true gives maps of element and score (optional)"},
}}

var (
	indexParam = traversal.ServiceParam{Name: "index", Type: "String", Doc: "The name of the index"}
	limitParam = traversal.ServiceParam{Name: "limit", Type: "Integer", Doc: "How many elements at most (optional)"}
)

func callText(c traversal.ServiceCall) (traversal.Cursor, error) {
	tx, err := searched(c)
	if err != nil {
		return nil, err
	}
	query, err := text(c, "query")
	if err != nil {
		return nil, err
	}
	limit, err := limitOf(c)
	if err != nil {
		return nil, err
	}
	found, err := findIn(c, "score", limit, func(index string) (blueprints.ElementClass, []blueprints.FoundElement, func(), error) {
		return tx.SearchWords(c.Run.Account, index, query)
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// findIn gives the first elements that are found in the index that a call names, as maps
// with a number when the call asks for mark, which is what that is called.
func findIn(c traversal.ServiceCall, mark string, limit int,
	in func(index string) (blueprints.ElementClass, []blueprints.FoundElement, func(), error)) (*foundCursor, error) {
	name, err := text(c, "index")
	if err != nil {
		return nil, err
	}
	marked, err := truth(c.Params, mark)
	if err != nil {
		return nil, err
	}
	class, found, release, err := in(name)
	if err != nil {
		release()
		return nil, err
	}
	if found, err = shown(c, class, found, limit); err != nil {
		release()
		return nil, err
	}
	return &foundCursor{class: class, found: found, release: release, mark: mark, marked: marked}, nil
}

// searched returns the transaction whose indexes a call searches, beneath strategies that hide
// elements. Where they hide properties, what is found would tell of these.
func searched(c traversal.ServiceCall) (*blueprints.Tx, error) {
	tx, ok := c.Run.Whole().(*blueprints.Tx)
	if !ok {
		return transaction(c)
	}
	if c.Run.Plan != nil && c.Run.Plan.HidesProperties() {
		return nil, errors.New("an index cannot be searched beside a strategy that hides properties (vertexProperties, includeMetaProperties): what it finds would tell of them")
	}
	return tx, nil
}

// shown keeps the first elements that the guards of the run let be seen, -1 for all of them.
func shown(c traversal.ServiceCall, class blueprints.ElementClass, found []blueprints.FoundElement, limit int) ([]blueprints.FoundElement, error) {
	kept := found[:0]
	for _, f := range found {
		if len(kept) == limit {
			break
		}
		v := value.VertexRef(f.Element)
		if class == blueprints.EdgeClass {
			v = value.EdgeRef(f.Element)
		}
		ok, err := c.Run.Shows(v)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// limitOf reads the limit, -1 for none.
func limitOf(c traversal.ServiceCall) (int, error) {
	v, ok := c.Params.GetString("limit")
	if !ok {
		return -1, nil
	}
	if k := v.Kind(); k != value.KindInt && k != value.KindLong || v.Int64() < 0 || v.Int64() > 1<<31 {
		return 0, fmt.Errorf("the parameter limit is a number of elements, not %s", v.Brief())
	}
	return int(v.Int64()), nil
}

// foundCursor gives elements one after the other, as maps with a number when marked.
type foundCursor struct {
	class   blueprints.ElementClass
	found   []blueprints.FoundElement
	release func()
	mark    string // what the number is called
	marked  bool
}

func (c *foundCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	n := min(max, len(c.found))
	for _, f := range c.found[:n] {
		v := value.VertexRef(f.Element)
		if c.class == blueprints.EdgeClass {
			v = value.EdgeRef(f.Element)
		}
		if c.marked {
			m := value.NewMap()
			m.PutString("element", v)
			m.PutString(c.mark, value.Double(f.Score))
			v = m.Value()
		}
		dst = append(dst, v)
	}
	c.found = c.found[n:]
	return dst, nil
}

func (c *foundCursor) Close() {
	if c.release != nil {
		c.release()
		c.release = nil
	}
}
