package blueprints

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/blueprints/rowcache"
)

// Somebody to whom edges of some labels are denied would go through each row label by label,
// where others take it whole. The cache therefore keeps, for the sets of labels that were
// denied last, rows without them beside the rows. They are rows as all others: made of a row
// as of a commit, and told of each commit behind that.

// prunedMax is how many sets of labels have rows of their own, and prunedIdle how often others
// are asked for before one that nobody asks for makes room.
const (
	prunedMax  = 4
	prunedIdle = 1000
)

// pruned holds rows of edges without those of some labels.
type pruned struct {
	without []Symbol
	out, in *rowcache.Table[rowcache.Adjacency]
	asked   atomic.Uint64 // when it was, by the count of all
}

// prunedRows are those of a graph.
type prunedRows struct {
	making sync.Mutex
	list   atomic.Pointer[[]*pruned]
	asked  atomic.Uint64
	// told is the last commit that listeners may have been told of by an earlier list.
	told atomic.Uint64
}

func (p *pruned) adjacency(d Direction) *rowcache.Table[rowcache.Adjacency] {
	if d == In {
		return p.in
	}
	return p.out
}

// all returns what there is. Who is told of a commit calls tell before.
func (r *prunedRows) all() []*pruned {
	if l := r.list.Load(); l != nil {
		return *l
	}
	return nil
}

// prunedOf returns the rows without some labels, nil when there are to be none.
func (c *cache) prunedOf(without []Symbol) *pruned {
	now := c.pruned.asked.Add(1)
	for _, p := range c.pruned.all() {
		if slices.Equal(p.without, without) {
			p.asked.Store(now)
			return p
		}
	}
	return c.makePruned(without, now)
}

// makePruned makes room for rows without some labels, and their tables. A table takes no rows
// before each commit that may have passed by it is older than what is offered.
func (c *cache) makePruned(without []Symbol, now uint64) *pruned {
	if !c.pruned.making.TryLock() {
		return nil
	}
	defer c.pruned.making.Unlock()
	list := slices.Clone(c.pruned.all())
	if slices.ContainsFunc(list, func(p *pruned) bool { return slices.Equal(p.without, without) }) {
		return nil // the next one finds it
	}
	var old *pruned
	if len(list) >= prunedMax {
		i := slices.IndexFunc(list, func(p *pruned) bool { return p.asked.Load()+prunedIdle < now })
		if i < 0 {
			return nil
		}
		old = list[i]
		list = slices.Delete(list, i, i+1)
	}
	p := &pruned{without: slices.Clone(without), out: rowcache.NewTable[rowcache.Adjacency](c.budget, c.commits), in: rowcache.NewTable[rowcache.Adjacency](c.budget, c.commits)}
	p.asked.Store(now)
	p.reset(math.MaxUint64)
	list = append(list, p)
	c.pruned.list.Store(&list)
	for told := ^uint64(0); told != c.pruned.told.Load(); { // or a reset meanwhile is undone
		told = c.pruned.told.Load()
		p.reset(told)
	}
	if old != nil {
		old.reset(math.MaxUint64)
	}
	return p
}

func (p *pruned) reset(seq uint64) {
	p.out.Reset(seq)
	p.in.Reset(seq)
}

// tell notes that listeners are about to be told of a commit.
func (r *prunedRows) tell(seq uint64) {
	for was := r.told.Load(); was < seq && !r.told.CompareAndSwap(was, seq); was = r.told.Load() {
	}
}

// changed tells rows of changes of a vertex's edges in one direction. Scratch is the caller's.
func (r *prunedRows) changed(d Direction, v, seq uint64, changes []rowcache.Change, scratch *[]rowcache.Change) {
	r.tell(seq)
	for _, p := range r.all() {
		*scratch = (*scratch)[:0]
		for _, c := range changes {
			if !slices.Contains(p.without, Symbol(c.Label)) {
				*scratch = append(*scratch, c)
			}
		}
		t := p.adjacency(d)
		t.Touch(v, seq, func(old *rowcache.Adjacency) (rowcache.Adjacency, rowcache.Size, rowcache.Outcome) {
			if len(*scratch) == 0 {
				return rowcache.Adjacency{}, rowcache.Size{}, rowcache.Untouched
			}
			next, copied := old.Apply(*scratch)
			t.AddCopied(copied)
			return next, next.Size(), rowcache.Succeeded
		})
	}
}

// gone forgets the rows of a vertex that is no more.
func (r *prunedRows) gone(v, seq uint64) {
	r.tell(seq)
	for _, p := range r.all() {
		p.out.Drop(v, seq)
		p.in.Drop(v, seq)
	}
}

// reset forgets everything.
func (r *prunedRows) reset(seq uint64) {
	r.tell(seq)
	for _, p := range r.all() {
		p.reset(seq)
	}
}

// pruning returns the rows without some labels that the transaction may read: one that notes
// what it reads, or has written, reads all rows, and so does who reads the past, or once.
func (t *Tx) pruning(without []Symbol) *pruned {
	if len(without) == 0 || t.cache == nil || t.cache != t.g.cache || t.observing || len(t.dirtyVertices) > 0 {
		return nil
	}
	return t.cache.prunedOf(without)
}

// usable reports whether the transaction has still written nothing.
func (p *pruned) usable(t *Tx) bool { return p != nil && len(t.dirtyVertices) == 0 }

// stagePruned looks up the pruned rows of a batch, and reports whether all are there.
func (t *Tx) stagePruned(batch []VertexID, x *Expansion, rows *stagedRows) bool {
	for k, d := range bothWays {
		if x.Dir&d == 0 {
			continue
		}
		rowcache.GetMany(x.pruned.adjacency(d), batch, t.seq, &rows[k])
		for _, r := range rows[k][:len(batch)] {
			if r == nil {
				return false
			}
			if x.Want != WantCount && r.Small() != nil {
				t.touched += r.Small()[0]
			}
		}
	}
	return true
}

// prune offers rows without some labels, made of rows that are there.
func (t *Tx) prune(batch []VertexID, x *Expansion, rows *stagedRows) {
	for k, d := range bothWays {
		if x.Dir&d == 0 {
			continue
		}
		for i, v := range batch {
			if row := rows[k][i]; row != nil && row.Complete() {
				x.pruned.offer(v, d, t.seq, row)
			}
		}
	}
}

func (p *pruned) offer(v VertexID, d Direction, seq uint64, row *rowcache.Adjacency) {
	p.adjacency(d).Install(uint64(v), seq, func(have *rowcache.Adjacency) (rowcache.Adjacency, rowcache.Size, bool) {
		if have != nil {
			return rowcache.Adjacency{}, rowcache.Size{}, false
		}
		rest := row.Without(func(label uint32) bool { return slices.Contains(p.without, Symbol(label)) })
		return rest, rest.Size(), true
	})
}

// expandPruned expands one vertex, and changes x where rows say all.
func (t *Tx) expandPruned(v VertexID, x *Expansion, into Sink) error {
	var rows rowPair
	for k, d := range bothWays {
		if x.Dir&d == 0 {
			continue
		}
		if rows[k] = x.pruned.adjacency(d).Get(uint64(v), t.seq); rows[k] != nil {
			continue
		}
		if row := t.cache.adjacency(d).Get(uint64(v), t.seq); row != nil && row.Complete() {
			x.pruned.offer(v, d, t.seq, row)
		}
		return t.expandOne(0, v, x, rowPair{}, into)
	}
	x.without = nil
	if x.Want != WantEnds {
		return t.expandOne(0, v, x, rows, into)
	}
	for k, d := range bothWays {
		var err error
		switch row := rows[k]; {
		case x.Dir&d == 0:
		case row.Small() == nil:
			err = t.expandEnds(0, v, d, x, row, into)
		default:
			if pairs := row.SmallPairs(); len(pairs) > 0 {
				err = into.Take(0, Expanded{Pairs: pairs})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
