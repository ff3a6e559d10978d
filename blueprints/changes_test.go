package blueprints_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// follow replays what commits changed upon what the graph was when its history begins: behind
// each that is what the graph was then.
func (r *replay) follow() {
	r.Helper()
	view(r, r.g, func(tx *blueprints.Tx) {
		floor, err := tx.HistoryFloor()
		r.must(err)
		m := r.followedAt(floor)
		var versions []storage.Stamp
		r.must(tx.EachCommit(0, 0, false, func(c *blueprints.Commit) (bool, error) {
			versions = append(versions, c.Version)
			if err := c.Changes(func(ch *blueprints.Change) (bool, error) { return true, m.apply(tx, ch) }); err != nil {
				return false, err
			}
			if want := r.followedAt(c.Version); !maps.EqualFunc(m, want, maps.Equal) {
				return false, fmt.Errorf("behind version %d: by its changes\n%v\nread\n%v", c.Version, m, want)
			}
			return true, nil
		}))
		r.must(tx.EachCommit(floor, 0, true, func(c *blueprints.Commit) (bool, error) {
			last := len(versions) - 1
			if last < 0 || versions[last] != c.Version {
				return false, fmt.Errorf("backwards comes version %d, forwards %v", c.Version, versions)
			}
			versions = versions[:last]
			return true, nil
		}))
		if len(versions) > 0 {
			r.Fatal("not seen backwards:", versions)
		}
	})
}

// followed is what elements say: by class and internal id, and by key and ordinal.
type followed map[string]map[string]string

func elementName(c blueprints.ElementClass, id uint64) string { return fmt.Sprint(c, id) }

func (m followed) apply(tx *blueprints.Tx, ch *blueprints.Change) error {
	name, key := elementName(ch.Class, ch.Element), fmt.Sprint(tx.Name(ch.Key), ch.Ordinal)
	has := m[name]
	if ch.Op == blueprints.OpPurge {
		return nil
	}
	if (ch.Op == blueprints.OpAdd) != (has == nil) {
		return fmt.Errorf("%s of %s, which is %v", ch.Op, name, has)
	}
	if ch.Before != nil {
		was := fmt.Sprint(tx.Name(ch.Key), ch.Before.Ordinal)
		if has[was] != propertyText(ch.Before) {
			return fmt.Errorf("%s %s %s: it was %s, and not %s", ch.Op, name, key, has[was], propertyText(ch.Before))
		}
		delete(has, was)
	}
	switch ch.Op {
	case blueprints.OpAdd:
		m[name] = map[string]string{"": fmt.Sprint(ch.ID.Brief(), tx.Name(ch.Label), ch.Out, ch.In)}
	case blueprints.OpDrop:
		delete(m, name)
	case blueprints.OpSet:
		has[key] = propertyText(ch.After)
	case blueprints.OpRemove:
		delete(has, key)
	default:
		return fmt.Errorf("%s", ch.Op)
	}
	return nil
}

func propertyText(p *blueprints.PropertyEntry) string {
	return fmt.Sprint(p.ID(), p.Value.Brief(), metaText(p))
}

func metaText(p *blueprints.PropertyEntry) (all []string) {
	for _, m := range p.Meta() {
		all = append(all, m.Key+":"+m.Value.Brief())
	}
	return all
}

// followedAt reads the graph as of a stamp.
func (r *replay) followedAt(at storage.Stamp) followed {
	r.Helper()
	tx, err := r.g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: at})
	r.must(err)
	defer tx.Close()
	m := followed{}
	take := func(c blueprints.ElementClass, id uint64, text string, props []blueprints.PropertyEntry) {
		one := map[string]string{"": text}
		for i := range props {
			one[fmt.Sprint(tx.Name(props[i].Key), props[i].Ordinal)] = propertyText(&props[i])
		}
		m[elementName(c, id)] = one
	}
	for _, v := range vertexList(r, tx) {
		id, err := tx.VertexUserID(v)
		r.must(err)
		label, err := tx.VertexLabel(v)
		r.must(err)
		props, err := tx.VertexProperties(nil, v, nil)
		r.must(err)
		take(blueprints.VertexClass, uint64(v), fmt.Sprint(id.Brief(), tx.Name(label), 0, 0), props)
	}
	for _, e := range edgeList(r, tx) {
		id, err := tx.EdgeUserID(e)
		r.must(err)
		h, err := tx.Edge(e)
		r.must(err)
		props, err := tx.EdgeProperties(nil, e, nil)
		r.must(err)
		take(blueprints.EdgeClass, uint64(e), fmt.Sprint(id.Brief(), tx.Name(h.Label), h.Out, h.In), props)
	}
	return m
}

// changesText lists changes, a line for each.
func changesText(t *testing.T, v blueprints.View, after, to storage.Stamp) string {
	t.Helper()
	var b strings.Builder
	err := v.EachCommit(after, to, false, func(c *blueprints.Commit) (bool, error) {
		return true, c.Changes(func(ch *blueprints.Change) (bool, error) {
			fmt.Fprint(&b, c.Author.User, " ", ch.Op, " ", ch.Class, " ", ch.ID.Brief(), " ", v.Name(ch.Label))
			if ch.Class == blueprints.EdgeClass && ch.Op != blueprints.OpSet {
				fmt.Fprint(&b, " ", ch.OutID.Brief(), " ", ch.InID.Brief())
			}
			for _, p := range []*blueprints.PropertyEntry{ch.Before, ch.After} {
				if p != nil {
					fmt.Fprint(&b, " ", v.Name(ch.Key), "=", p.Value.Brief(), metaText(p))
				}
			}
			b.WriteByte('\n')
			return true, nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// socialHistory makes a graph of two people that know each other, whom ann changes and drops, and
// returns the stamp before.
func socialHistory(t *testing.T) (*blueprints.Graph, storage.Stamp) {
	o := blueprints.NewOptions()
	o.History = blueprints.Forever
	g := newGraph(t, o)
	var v, w blueprints.VertexID
	var e blueprints.EdgeID
	write := func(fn func(tx *blueprints.Tx) error) {
		t.Helper()
		tx, err := g.Begin(ctx, blueprints.TxOptions{Author: &table.Author{User: "ann"}})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Close()
		if err := errors.Join(fn(tx), tx.Commit(ctx)); err != nil {
			t.Fatal(err)
		}
	}
	set := func(tx *blueprints.Tx, v blueprints.VertexID, key string, val int64, meta ...value.Property) error {
		_, err := tx.SetVertexProperty(v, "single", key, value.Long(val), value.Null, meta)
		return err
	}
	write(func(tx *blueprints.Tx) (err error) {
		v, err = tx.AddVertex("person", value.Long(1))
		w, _ = tx.AddVertex("secret", value.Long(2))
		e, _ = tx.AddEdge("knows", v, w, value.Long(3))
		return errors.Join(err, set(tx, v, "age", 29), set(tx, v, "ssn", 7), tx.SetEdgeProperty(e, "weight", value.Long(1)))
	})
	write(func(tx *blueprints.Tx) error {
		return errors.Join(set(tx, v, "age", 30, value.Property{Key: "ssn", Value: value.Long(7)}), tx.SetEdgeProperty(e, "weight", value.Long(2)))
	})
	write(func(tx *blueprints.Tx) error {
		return set(tx, v, "age", 30, value.Property{Key: "ssn", Value: value.Long(8)})
	})
	write(func(tx *blueprints.Tx) error { return tx.RemoveVertex(w) })
	var floor storage.Stamp
	view(t, g, func(tx *blueprints.Tx) { floor, _ = tx.HistoryFloor() })
	return g, floor
}

func TestChanges(t *testing.T) {
	g, floor := socialHistory(t)
	view(t, g, func(tx *blueprints.Tx) {
		all := changesText(t, tx, 0, 0)
		want := `ann add vertex 1 person
ann set vertex 1 person age=29[]
ann set vertex 1 person ssn=7[]
ann add vertex 2 secret
ann add edge 3 knows 1 2
ann set edge 3 knows weight=1[]
ann set vertex 1 person age=29[] age=30[ssn:7]
ann set edge 3 knows weight=1[] weight=2[]
ann set vertex 1 person age=30[ssn:7] age=30[ssn:8]
ann drop vertex 2 secret
ann drop edge 3 knows 1 2
`
		if all != want {
			t.Errorf("got\n%swant\n%s", all, want)
		}
		less := changesText(t, tx.Restrict(&blueprints.Restriction{Denied: blueprints.Denied{Keys: []string{"ssn"}, VertexLabels: []string{"secret"}}}), floor, 0)
		want = `ann add vertex 1 person
ann set vertex 1 person age=29[]
ann set vertex 1 person age=29[] age=30[]
`
		if less != want {
			t.Errorf("without what is denied\n%swant\n%s", less, want)
		}
		var before *blueprints.BeforeHistoryError
		if err := tx.EachCommit(floor-1, 0, false, nil); !errors.As(err, &before) || before.Floor != floor {
			t.Error(err)
		}
	})
	var versions []storage.Stamp
	view(t, g, func(tx *blueprints.Tx) {
		if err := tx.EachCommit(0, 0, false, func(c *blueprints.Commit) (bool, error) {
			versions = append(versions, c.Version)
			return len(versions) < 3, nil
		}); err != nil || len(versions) != 3 {
			t.Fatal(err, versions)
		}
		if one := changesText(t, tx, versions[0], versions[1]); strings.Count(one, "\n") != 2 {
			t.Error(one)
		}
	})
	past, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: versions[1]})
	if err != nil {
		t.Fatal(err)
	}
	defer past.Close()
	if got := changesText(t, past, versions[0], 0); strings.Count(got, "\n") != 2 || !slices.IsSorted(versions) {
		t.Errorf("as of version %d of %d there is changed\n%s", versions[1], versions, got)
	}
}

func TestChanges_WithoutHistory(t *testing.T) {
	g := newGraph(t, blueprints.NewOptions())
	view(t, g, func(tx *blueprints.Tx) {
		if err := tx.EachCommit(0, 0, false, nil); err == nil || !strings.Contains(err.Error(), "keeps no history (setting: history)") {
			t.Error(err)
		}
	})
}
