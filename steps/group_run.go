package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// grouping is what one group() step does with a traverser.
type grouping struct {
	r    *traversal.Run
	args *groupArgs
	key  traversal.Func
	val  traversal.Func  // of groupList without a pipe, and of groupLast
	pre  *traversal.Pipe // nil: the traverser itself
	post *traversal.Pipe // of groupRest
	one  step.Single
}

func openGrouping(n *traversal.Node, r *traversal.Run) (*grouping, error) {
	p := &grouping{r: r, args: n.Data.(*groupArgs)}
	var err error
	if p.key, err = step.OpenBy(n, r); err != nil {
		return nil, err
	}
	if p.args.pre != nil {
		if p.pre, err = r.OpenChild(p.args.pre); err != nil {
			return nil, err
		}
	}
	if p.args.form == groupRest || p.args.form == groupNumber {
		p.post, err = r.OpenChild(p.args.post)
		return p, err
	}
	var by *traversal.Modulator
	if len(n.By) == 2 && (n.By[1].Kind != traversal.ByChild || p.args.form == groupLast) {
		by = n.By[1]
	}
	p.val, err = r.ByFunc(by)
	return p, err
}

// add puts a traverser into its group.
func (p *grouping) add(s *groups, t *traversal.Traverser) error {
	k, ok, err := p.key(p.one.Of(t))
	if err != nil || !ok {
		return err
	}
	if p.args.form == groupLast {
		v, ok, err := p.val(p.one.Of(t))
		if err != nil || !ok {
			return err
		}
		s.group(k).last = v
		return p.r.ChargeText(v, step.KeyBytes)
	}
	if p.pre == nil {
		return p.collect(s, k, t)
	}
	if p.args.always {
		s.group(k)
	}
	return step.Feed(p.pre, t, t.Bulk).Drain(func(v *traversal.Traverser) error { return p.collect(s, k, v) })
}

// collect keeps what reached the barrier.
func (p *grouping) collect(s *groups, k value.Value, t *traversal.Traverser) error {
	groups := len(s.all)
	g := s.group(k)
	if len(s.all) > groups {
		if err := p.r.ChargeText(k, groupBytes); err != nil {
			return err
		}
	}
	switch p.args.form {
	case groupCount:
		g.count += t.Bulk
		return nil
	case groupNumber:
		return g.number.add(t.Value, t.Bulk)
	case groupRest:
		if p.args.merge {
			g.set.Add(*t)
		} else {
			g.set.Append(*t)
		}
		if err := g.set.Err(); err != nil {
			return err
		}
		return p.r.ChargeTraverser(t)
	}
	v, ok, err := p.val(p.one.Of(t))
	if err != nil || !ok {
		return err
	}
	if err := p.r.ChargeText(v, 0); err != nil {
		return err
	}
	for range t.Bulk {
		if err := p.r.Poll(); err != nil {
			return err
		}
		if g.list, err = account.Append(p.r.Account, g.list, v); err != nil {
			return err
		}
	}
	return nil
}

// groupBytes is what a group takes for itself, with its key.
const groupBytes = 384

// groups is the state of group(), by key in the order of first coming.
type groups struct {
	p    *grouping
	at   *value.Map // key -> position in all
	all  []*oneGroup
	base *value.Map // entries supplied by withSideEffect()
}

type oneGroup struct {
	list   []value.Value
	count  int64
	last   value.Value
	number reduction
	set    traversal.TraverserSet
}

func newGroups(p *grouping, supplied value.Value) *groups {
	return &groups{p: p, at: value.NewMap(), base: supplied.Map()}
}

func (s *groups) group(k value.Value) *oneGroup {
	if i, ok := s.at.Get(k); ok {
		return s.all[i.Int64()]
	}
	s.at.Put(k, value.Int(int32(len(s.all))))
	g := &oneGroup{set: s.p.r.NewSet(), number: reduction{name: s.p.args.number}}
	s.all = append(s.all, g)
	return g
}

// Value returns the map as it is now.
func (s *groups) Value() (value.Value, error) {
	m := value.NewMapSize(len(s.all))
	for i := range s.base.Len() {
		m.Put(s.base.Entry(i))
	}
	order := value.JavaOrder(s.at.Keys(), s.p.r)
	for i := range s.all {
		if order != nil {
			i = int(order[i])
		}
		v, ok, err := s.reduce(s.all[i])
		if err != nil {
			return value.Null, err
		}
		if ok {
			k, _ := s.at.Entry(i)
			m.Put(k, v)
		}
	}
	return m.Value(), nil
}

func (s *groups) reduce(g *oneGroup) (value.Value, bool, error) {
	switch s.p.args.form {
	case groupCount:
		return value.Long(g.count), true, nil
	case groupLast:
		return g.last, true, nil
	case groupList:
		return value.List(g.list[:len(g.list):len(g.list)]), true, nil
	}
	s.p.post.Reset()
	if s.p.args.form == groupNumber {
		v, ok, err := g.number.Result()
		if err != nil || !ok {
			return v, ok, err
		}
		s.p.post.Add(s.p.r.Generate(v))
	}
	for _, t := range g.set.Rest() {
		s.p.post.Add(t)
	}
	t, ok, err := s.p.post.Take()
	return t.Value, ok, err
}
