package services

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// ChangesName is the name of the service that tells what commits changed.
const ChangesName = "gremlind.changes"

// What commits of a graph with history changed, one map a commit, in their order. The change feed
// (GET /changes) tells the same.
//
//	call("gremlind.changes", [after: version, limit: 100])    {version, time, user, request, changes}
var changes = &service{name: ChangesName, past: true, kinds: atStart, call: callChanges, params: []traversal.ServiceParam{
	{Name: "after", Type: "Long or String", Doc: "The version behind which to begin; all that is kept without (optional)"},
	{Name: "limit", Type: "Integer", Doc: "How many commits at most (optional)"},
}}

func callChanges(c traversal.ServiceCall) (traversal.Cursor, error) {
	n := &changesCursor{r: c.Run, left: math.MaxInt}
	if v, ok := c.Params.GetString("after"); ok {
		after, err := version(v)
		if err != nil {
			return nil, err
		}
		n.after = after
	}
	if _, limited := c.Params.GetString("limit"); limited {
		limit, err := limitOf(c)
		if err != nil {
			return nil, err
		}
		n.left = limit
	}
	if graphRead(c) == nil {
		return nil, errors.New("changes are not told through a filtered view of the graph")
	}
	_, err := c.Run.View.HistoryFloor()
	return n, err
}

// version reads a version, as a number or as its digits.
func version(v value.Value) (storage.Stamp, error) {
	switch v.Kind() {
	case value.KindInt, value.KindLong:
		if n := v.Int64(); n >= 0 {
			return storage.Stamp(n), nil
		}
	case value.KindString:
		if n, err := strconv.ParseUint(v.Str(), 10, 63); err == nil {
			return storage.Stamp(n), nil
		}
	}
	return 0, fmt.Errorf("the parameter after is a version, as a Long or its digits, not %s", v.Brief())
}

// changesCursor reads some commits at a time.
type changesCursor struct {
	r     *traversal.Run
	after storage.Stamp
	left  int
}

func (n *changesCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	if max = min(max, n.left); max <= 0 {
		return dst, nil
	}
	from := len(dst)
	err := n.r.View.EachCommit(n.after, 0, false, func(c *blueprints.Commit) (bool, error) {
		if err := n.r.Poll(); err != nil {
			return false, err
		}
		n.after = c.Version
		m, err := CommitMap(n.r.View, c, n.r.Account.Charge)
		if m != nil {
			dst = append(dst, m.Value())
		}
		return len(dst)-from < max, err
	})
	n.left -= len(dst) - from
	return dst, err
}

func (n *changesCursor) Close() {}

// CommitMap is what clients are told of a commit, nil when there is nothing in it for who reads
// the view. What it takes is charged as it is made.
func CommitMap(v blueprints.View, c *blueprints.Commit, charge func(bytes int64) error) (*value.Map, error) {
	var list []value.Value
	var same []blueprints.Change // of one key of one element, not in list yet
	tell := func() {
		for _, x := range replaced(same) {
			list = append(list, ChangeMap(v, &x).Value())
		}
		same = same[:0]
	}
	err := c.Changes(func(x *blueprints.Change) (bool, error) {
		if err := charge(changeBytes + entryBytes(x.Before) + entryBytes(x.After)); err != nil {
			return false, err
		}
		if len(same) > 0 && (same[0].Element != x.Element || same[0].Class != x.Class || same[0].Key != x.Key) {
			tell()
		}
		same = append(same, *x)
		return true, nil
	})
	tell()
	if err != nil || len(list) == 0 {
		return nil, err
	}
	m := value.NewMapSize(6)
	signed(m, c)
	if c.Author.Request != (uuid.UUID{}) {
		m.PutString("request", value.UUID(c.Author.Request))
	}
	m.PutString("changes", value.List(list))
	return m, nil
}

// replaced makes one change of a property that took the place of another one of its key, which
// is a property of its own.
func replaced(same []blueprints.Change) []blueprints.Change {
	gone, come := -1, -1
	for i := range same {
		switch x := &same[i]; {
		case x.Op == blueprints.OpRemove && gone < 0:
			gone = i
		case x.Op == blueprints.OpSet && x.Before == nil && come < 0:
			come = i
		default:
			return same
		}
	}
	if gone < 0 || come < 0 {
		return same
	}
	same[0], same[0].Before = same[come], same[gone].Before
	return same[:1]
}

// changeBytes is about what a change takes without its values.
const changeBytes = 700

// entryBytes is about what the values of a property take.
func entryBytes(p *blueprints.PropertyEntry) int64 {
	if p == nil {
		return 0
	}
	return int64(p.Bytes()) * 32 // a list has a byte for what takes a value's place in memory
}

// ChangeMap is what clients are told of a change.
func ChangeMap(v blueprints.View, x *blueprints.Change) *value.Map {
	m := value.NewMapSize(8)
	m.PutString("op", value.String(x.Op.String()))
	m.PutString("class", value.String(x.Class.String()))
	if x.Op == blueprints.OpPurge {
		return m
	}
	m.PutString("id", x.ID)
	switch x.Op {
	case blueprints.OpAdd, blueprints.OpDrop:
		m.PutString("label", value.String(v.Name(x.Label)))
		if x.Class == blueprints.EdgeClass {
			m.PutString("out", x.OutID)
			m.PutString("in", x.InID)
		}
		return m
	}
	m.PutString("key", value.String(v.Name(x.Key)))
	putEntry(m, v, "value", "meta", x.After)
	putEntry(m, v, "before", "metaBefore", x.Before)
	if x.Class == blueprints.VertexClass {
		putIDs(m, x.Before, x.After)
	}
	return m
}

// putIDs puts the id of a property of a vertex, and that of the one which it replaced.
func putIDs(m *value.Map, before, after *blueprints.PropertyEntry) {
	switch {
	case after == nil:
		m.PutString("property", before.ID())
		return
	case before != nil && !value.Identical(before.ID(), after.ID()):
		m.PutString("propertyBefore", before.ID())
	}
	m.PutString("property", after.ID())
}

// putEntry puts the value of a property, and its own properties if it has any.
func putEntry(m *value.Map, v blueprints.View, name, meta string, p *blueprints.PropertyEntry) {
	if p == nil {
		return
	}
	m.PutString(name, p.Value)
	if len(p.Meta()) == 0 {
		return
	}
	own := value.NewMapSize(len(p.Meta()))
	for _, x := range p.Meta() {
		own.PutString(x.Key, x.Value)
	}
	m.PutString(meta, own.Value())
}
