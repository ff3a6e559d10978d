package blueprints

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// IndexSpec says what a declared index is to hold.
type IndexSpec struct {
	Name  string
	Class ElementClass
	Label string // "" for elements of all labels
	Keys  []string
	// Unique lets no two elements have the same values of all keys.
	Unique bool
	// Direction, when not "", makes the index one of the edges of each vertex: OUT, IN or
	// BOTH.
	Direction string
	// Analyzer, when not "", makes the index one of texts or points, and says what it finds in them.
	Analyzer string
}

func (s *IndexSpec) definition() keyindex.Definition {
	d := keyindex.Definition{
		Name: s.Name, Class: s.Class, Kind: keyindex.Composite, Keys: s.Keys, Label: s.Label, Unique: s.Unique, Direction: s.Direction,
	}
	d.Analyzer = s.Analyzer
	switch {
	case s.Analyzer == keyindex.Points:
		d.Kind = keyindex.Geo
	case s.Analyzer != "":
		d.Kind = keyindex.Text
		if s.Analyzer == keyindex.Words {
			d.Tables = keyindex.UnicodeTables
		}
	case s.Direction != "":
		d.Kind = keyindex.EdgeCentric
	}
	return d
}

// DeclareIndex makes an index of a name. Over a graph with elements it is built in the
// background; DeclareIndex returns when it is complete, or with its state so far when
// patience ends first, and the building goes on. Where the elements do not allow it, the
// error says why and nothing of the index is left. The same index again is no error.
func (g *Graph) DeclareIndex(ctx, patience context.Context, s IndexSpec) (IndexInfo, error) {
	d, err := g.declare(ctx, s)
	if err != nil {
		return IndexInfo{}, err
	}
	g.worker.Wake()
	return g.awaitIndex(patience, d)
}

// awaitIndex waits for an index that was just declared.
func (g *Graph) awaitIndex(ctx context.Context, d keyindex.Definition) (IndexInfo, error) {
	// Whoever drops it meanwhile ends the wait too. One that failed is gone.
	var now *keyindex.Definition
	err := g.worker.Wait(ctx, func(defs *keyindex.Definitions) bool {
		now, _ = defs.OfNumber(d.Number)
		return now == nil || now.State != keyindex.Building && now.State != keyindex.Dropping
	})
	switch {
	case err != nil && ctx.Err() == nil:
		return IndexInfo{}, fmt.Errorf("build index %q: %w", d.Name, err)
	case now != nil:
		return g.info(now), nil
	}
	if err := g.worker.Failure(d.Number); err != nil {
		if terr := g.takeDeclaring(ctx); terr == nil {
			err = errors.Join(err, g.disuse(d.Kind))
			<-g.declaring
		}
		return IndexInfo{}, illegalArgument("%s", err.Error())
	}
	return IndexInfo{}, fmt.Errorf("index %q was dropped while it was built", d.Name)
}

// declare stores the definition.
func (g *Graph) declare(ctx context.Context, s IndexSpec) (keyindex.Definition, error) {
	d := s.definition()
	if err := g.validSpec(&s, &d); err != nil {
		return d, err
	}
	if err := g.internSpec(ctx, &d); err != nil {
		return d, err
	}
	if err := g.takeDeclaring(ctx); err != nil {
		return d, err
	}
	defer func() { <-g.declaring }()
	if err := g.View(ctx, func(tx *Tx) error { return g.noneCounts(tx.tx, &d) }); err != nil {
		return d, err // before there is a feature for an index that is refused
	}
	if err := g.gain(featureOf(d.Kind)); err != nil {
		return d, err
	}
	for {
		made := d
		err := g.define(ctx, func(tx storage.Tx) error {
			made = d
			if err := g.noneCounts(tx, &d); err != nil {
				return err
			}
			_, err := keyindex.Declare(tx, g.number, &made)
			return err
		})
		switch {
		case errors.Is(err, keyindex.ErrTaken):
			return d, errors.Join(illegalArgument("Index already exists: %s", s.Name), g.disuse(d.Kind))
		case !errors.Is(err, keyindex.ErrDropping):
			if err != nil && !errors.As(err, new(*Exception)) {
				err = fmt.Errorf("create index %q: %w", s.Name, err)
			}
			if err != nil {
				err = errors.Join(err, g.disuse(d.Kind))
			}
			return made, err
		}
		gone := func(defs *keyindex.Definitions) bool { _, ok := defs.OfName(s.Name); return !ok }
		if err := g.worker.Wait(ctx, gone); err != nil {
			return d, fmt.Errorf("create index %q while the old one is dropped: %w", s.Name, err)
		}
	}
}

// disuse takes a feature away that came with an index which was refused, unless there is
// another of its kind. The caller holds declaring.
func (g *Graph) disuse(k keyindex.Kind) error {
	infos, err := g.declaredOf(k)
	if err != nil || len(infos) > 0 {
		return err
	}
	return g.db.setFeature(g, featureOf(k), false)
}

func (g *Graph) takeDeclaring(ctx context.Context) error {
	select {
	case g.declaring <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// featureOf is the feature of graphs that have an index of a kind.
func featureOf(k keyindex.Kind) Feature {
	switch k {
	case keyindex.EdgeCentric:
		return EdgeIndexes
	case keyindex.Text:
		return TextIndexes
	case keyindex.Geo:
		return GeoIndexes
	}
	return CompositeIndexes
}

// dropDeclared drops all indexes of a kind, and then the feature.
func dropDeclared(k keyindex.Kind) func(*Graph, context.Context) error {
	return func(g *Graph, ctx context.Context) error {
		if err := g.takeDeclaring(ctx); err != nil {
			return err
		}
		defer func() { <-g.declaring }()
		infos, err := g.declaredOf(k)
		if err != nil {
			return err
		}
		for _, i := range infos {
			if err := g.DropIndex(ctx, i.Name); err != nil {
				return err
			}
		}
		err = g.worker.Wait(ctx, func(defs *keyindex.Definitions) bool {
			for _, c := range [...]table.Class{table.VertexClass, table.EdgeClass} {
				if slices.ContainsFunc(defs.Declared(c), func(d *keyindex.Definition) bool { return d.Kind == k }) {
					return false
				}
			}
			return true
		})
		if err != nil {
			return fmt.Errorf("drop the indexes of graph %q: %w", g.name, err)
		}
		return g.db.setFeature(g, featureOf(k), false)
	}
}

// declaredKept says what dropDeclared takes away.
func declaredKept(k keyindex.Kind) func(*Graph, context.Context) (string, error) {
	return func(g *Graph, _ context.Context) (string, error) {
		infos, err := g.declaredOf(k)
		names := make([]string, len(infos))
		for i := range infos {
			names[i] = infos[i].Name
		}
		what := "indexes"
		if len(names) == 1 {
			what = "index"
		}
		return fmt.Sprintf("%d %s %s: %s", len(names), k, what, strings.Join(names, ", ")), err
	}
}

func (g *Graph) declaredOf(k keyindex.Kind) ([]IndexInfo, error) {
	infos, err := g.DeclaredIndexes()
	return slices.DeleteFunc(infos, func(i IndexInfo) bool { return i.Kind != k }), err
}

func (g *Graph) validSpec(s *IndexSpec, d *keyindex.Definition) error {
	if err := validClass(s.Class); err != nil {
		return err
	}
	if s.Name == "" || len(s.Name) > NameMax {
		return illegalArgument("Index name can not be empty or longer than %d bytes", NameMax)
	}
	if err := d.Valid(); err != nil {
		return illegalArgument("%s", err.Error())
	}
	for _, k := range s.Keys {
		if err := ValidateKey(k); err != nil {
			return err
		}
	}
	if s.Label != "" {
		if err := ValidateLabel(s.Label); err != nil {
			return err
		}
	}
	if g.scratch != nil {
		return errScratch
	}
	return nil
}

func (g *Graph) internSpec(ctx context.Context, d *keyindex.Definition) error {
	d.Symbols = nil
	for _, k := range d.Keys {
		sym, err := g.intern(ctx, k)
		if err != nil {
			return err
		}
		d.Symbols = append(d.Symbols, uint32(sym))
	}
	if d.Label == "" {
		return nil
	}
	sym, err := g.intern(ctx, d.Label)
	d.LabelSymbol = uint32(sym)
	return err
}

// HideIndex keeps look-ups from a declared index, or lets them use it again: to try what
// dropping it would do. It is kept in step all the while, and a unique one holds.
func (g *Graph) HideIndex(ctx context.Context, name string, hide bool) (IndexInfo, error) {
	found := false
	err := g.define(ctx, func(tx storage.Tx) (err error) {
		found, err = keyindex.Hide(tx, g.number, name, hide)
		return err
	})
	switch {
	case err != nil:
		return IndexInfo{}, fmt.Errorf("change index %q: %w", name, err)
	case !found:
		return IndexInfo{}, noIndex(name)
	}
	infos, err := g.DeclaredIndexes()
	for _, i := range infos {
		if i.Name == name {
			return i, err
		}
	}
	return IndexInfo{}, errors.Join(err, noIndex(name))
}

func noIndex(name string) error {
	return illegalArgument("there is no complete index %q: gremlind.index.list lists those there are", name)
}

// DeclaredIndexes describes the declared indexes, those of vertices first, by name.
func (g *Graph) DeclaredIndexes() ([]IndexInfo, error) {
	var infos []IndexInfo
	if g.scratch != nil {
		return nil, nil
	}
	err := g.View(context.Background(), func(tx *Tx) error {
		d, err := tx.definitions()
		if err != nil {
			return err
		}
		for _, c := range [...]table.Class{table.VertexClass, table.EdgeClass} {
			for _, def := range d.Declared(c) {
				infos = append(infos, g.info(def))
			}
		}
		return nil
	})
	return infos, err
}

func (g *Graph) info(d *keyindex.Definition) IndexInfo {
	return IndexInfo{
		Name: d.Name, Class: d.Class, State: d.State, Kind: d.Kind, Label: d.Label, Keys: d.Keys, Unique: d.Unique, Direction: d.Direction,
		Analyzer: d.Analyzer, Lookups: g.lookups.of(d.Number).Load(),
	}
}

// lookups counts look-ups by the number of the index.
type lookups struct{ counts sync.Map }

func (l *lookups) of(number uint32) *atomic.Int64 {
	if n, ok := l.counts.Load(number); ok {
		return n.(*atomic.Int64)
	}
	n, _ := l.counts.LoadOrStore(number, new(atomic.Int64))
	return n.(*atomic.Int64)
}

// IndexReport is what VerifyIndex counted.
type IndexReport struct {
	// Entries are those there are; Missing those that an element should have and does not,
	// Stale those whose element does not have the values.
	Entries, Missing, Stale int64
}

// verifyBatch is how many elements VerifyIndex reads between two looks at its context.
const verifyBatch = 512

// VerifyIndex compares a declared index with the elements, as of one moment.
func (g *Graph) VerifyIndex(ctx context.Context, name string) (IndexReport, error) {
	var rep IndexReport
	err := g.View(ctx, func(tx *Tx) error {
		defs, err := tx.definitions()
		if err != nil {
			return err
		}
		d, ok := defs.OfName(name)
		if !ok || d.State != keyindex.Active && d.State != keyindex.Hidden {
			return noIndex(name)
		}
		v := verifier{ctx: ctx, r: tx.tx.Snapshot(), src: source{g.number}, x: d.Open(g.number), rep: &rep}
		v.els = v.src.Reading(v.r)
		if err := v.elements(); err != nil {
			return err
		}
		return v.entries()
	})
	if err != nil {
		return rep, fmt.Errorf("verify index %q: %w", name, err)
	}
	return rep, nil
}

type verifier struct {
	ctx context.Context
	r   storage.Reader
	src source
	els keyindex.Elements
	x   keyindex.Index
	n   keyindex.Entries
	rep *IndexReport
	// here are the entries of elements that are there.
	here int64
}

// elements counts the entries that elements lack.
func (v *verifier) elements() error {
	d := v.x.Definition()
	var after []byte
	for {
		ids, next, err := v.src.Elements(v.r, d.Class, d.LabelSymbol, after, math.MaxUint64, verifyBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := v.ctx.Err(); err != nil {
			return err
		}
		after = next
		for _, id := range ids {
			if err := v.element(id); err != nil {
				return err
			}
		}
	}
}

func (v *verifier) element(id uint64) error {
	e, _, err := v.els.Element(v.x.Definition().Class, id)
	if err != nil {
		return err
	}
	if err := v.n.Find(v.x.Definition(), &e, v.els); err != nil {
		return err
	}
	for i := range v.n.Len() {
		ok, err := v.x.Holds(v.r, &e, v.n.At(i))
		if err != nil {
			return err
		}
		if v.here++; !ok {
			v.here--
			v.rep.Missing++
		}
	}
	return nil
}

// entries counts all entries, and those that belong to no element.
func (v *verifier) entries() error {
	from, to := v.x.Range()
	it := v.r.Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
	defer it.Close()
	var owners []uint64
	for n := 0; it.Next(); n++ {
		if n%verifyBatch == 0 && v.ctx.Err() != nil {
			return v.ctx.Err()
		}
		var values []byte
		var own bool
		var err error
		if owners, values, own, err = v.x.Owner(owners[:0], it.Key(), it.Value()); err != nil {
			return err
		}
		for i := 0; own && i < len(owners); i++ {
			if v.rep.Entries++; v.x.Definition().Kind == keyindex.Text { // to find those of an element takes long
				v.rep.Stale = v.rep.Entries - v.here
				continue
			}
			has, err := hasEntry(v.x.Definition(), v.els, &v.n, owners[i], values)
			if err != nil {
				return err
			}
			if !has {
				v.rep.Stale++
			}
		}
	}
	return it.Err()
}

// hasEntry reports whether an element has the values of an entry.
func hasEntry(d *keyindex.Definition, els keyindex.Elements, n *keyindex.Entries, id uint64, values []byte) (bool, error) {
	e, ok, err := els.Element(d.Class, id)
	if err != nil || !ok {
		return false, err
	}
	if err := n.Find(d, &e, els); err != nil {
		return false, err
	}
	return n.Has(values), nil
}
