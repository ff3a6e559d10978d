package blueprints

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// How long elements of a label are there: part of the definitions, in one cell, so that who adds
// elements depends on it. It is for what is added from then on.

// labelTTLs are the times by label, as the cell has them.
type labelTTLs struct {
	Vertex map[string]int64 `json:"vertex,omitempty"` // milliseconds
	Edge   map[string]int64 `json:"edge,omitempty"`
}

// labelTTLsMax is how many labels may have one.
const labelTTLsMax = 10_000

func (l *labelTTLs) of(c table.Class) map[string]int64 {
	switch {
	case l == nil:
		return nil
	case c == table.EdgeClass:
		return l.Edge
	}
	return l.Vertex
}

func ttlKey(graph uint32) []byte {
	return table.AppendIndexDefinition(nil, table.IndexDefinition{Graph: graph, Family: table.IndexTTL})
}

// loadLabelTTLs reads them, nil for none.
func (g *Graph) loadLabelTTLs(r storage.Reader) (*labelTTLs, error) {
	if !g.expiring() {
		return nil, nil
	}
	b, err := r.Get(ttlKey(g.number))
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	l := &labelTTLs{}
	if err := json.Unmarshal(b, l); err != nil {
		return nil, corrupt("ttl", err)
	}
	return l, nil
}

// expireByLabel has an element that is added end when those of its label do.
func (t *Tx) expireByLabel(c table.Class, id uint64, label string) error {
	if !t.expiring || t.g.unexpiring.Load() {
		return nil
	}
	if _, err := t.definitions(); err != nil || t.ttls == nil {
		return err
	}
	ms, has := t.ttls.of(c)[label]
	if !has {
		return nil
	}
	return t.expireElement(c, id, time.Now().Add(time.Duration(ms)*time.Millisecond))
}

// LabelTTLs lists how long elements of labels are there.
func (g *Graph) LabelTTLs(ctx context.Context, c ElementClass) (map[string]time.Duration, error) {
	all := map[string]time.Duration{}
	err := g.View(ctx, func(tx *Tx) error {
		l, err := g.loadLabelTTLs(tx.tx)
		for label, ms := range l.of(c) {
			all[label] = time.Duration(ms) * time.Millisecond
		}
		return err
	})
	return all, err
}

// SetLabelTTL has the elements of a label end so long after they are added, those that are added
// from now on; 0 has them stay.
func (g *Graph) SetLabelTTL(ctx context.Context, c ElementClass, label string, ttl time.Duration) error {
	if g.scratch != nil {
		return errScratch
	}
	if !g.expiring() {
		return illegalArgument("graph %s has nothing that expires (setting: %s)", g.name, string(TTL))
	}
	if err := ValidateLabel(label); err != nil {
		return err
	}
	return g.define(ctx, func(tx storage.Tx) error {
		l, err := g.loadLabelTTLs(tx)
		if err != nil {
			return err
		}
		if l == nil {
			l = &labelTTLs{}
		}
		at := &l.Vertex
		if c == EdgeClass {
			at = &l.Edge
		}
		if *at == nil {
			*at = map[string]int64{}
		}
		if delete(*at, label); ttl > 0 {
			(*at)[label] = ttl.Milliseconds()
		}
		if len(l.Vertex)+len(l.Edge) > labelTTLsMax {
			return illegalArgument("ttl: a graph has it for %d labels at most", labelTTLsMax)
		}
		b, err := json.Marshal(l)
		if err != nil {
			return err
		}
		return errors.Join(tx.Set(ttlKey(g.number), b), g.touchVersion(tx))
	})
}

// keepTTL has a graph drop what expires from now on.
func (g *Graph) keepTTL() error {
	if g.scratch != nil {
		return errScratch
	}
	return g.gain(TTL)
}

// loseTTL has all that ends stay, and takes the feature away. What is interrupted can be called
// again.
func (g *Graph) loseTTL(ctx context.Context) error {
	if !g.unexpiring.CompareAndSwap(false, true) {
		return errors.New("somebody else is turning the feature ttl off")
	}
	defer g.unexpiring.Store(false)
	// Transactions that do not know of it yet depend on the version.
	if err := g.define(ctx, func(tx storage.Tx) error { return errors.Join(tx.Delete(ttlKey(g.number)), g.touchVersion(tx)) }); err != nil {
		return err
	}
	for {
		all, err := g.due(table.Expiry{}, time.UnixMilli(1<<53))
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return g.db.loseFeature(g, TTL, nil)
		}
		err = g.Update(ctx, func(tx *Tx) error {
			for _, e := range all {
				if err := tx.stay(e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("have everything stay in graph %q: %w", g.name, err)
		}
	}
}

// stay has what ends at a time stay.
func (t *Tx) stay(e table.Expiry) error {
	if err := t.deleteEnd(e); err != nil {
		return err
	}
	switch {
	case !e.Property:
		at, err := t.elementEnd(e.Class, e.Element)
		if err != nil || at != e.At {
			return err
		}
		return t.expireElement(e.Class, e.Element, time.Time{})
	case e.Class == table.EdgeClass:
		return t.ExpireEdgeProperty(EdgeID(e.Element), t.Name(Symbol(e.Key)), time.Time{})
	}
	p := PropertyEntry{Key: Symbol(e.Key), Ordinal: e.Ordinal}
	if _, ok, err := t.propertyCell(VertexID(e.Element), p); err != nil || !ok {
		return err
	}
	return t.ExpireVertexProperty(VertexID(e.Element), p, time.Time{})
}

// ttlKept says what loseTTL takes away.
func (g *Graph) ttlKept(ctx context.Context) (string, error) {
	n := 0
	err := g.View(ctx, func(tx *Tx) error {
		l, err := g.loadLabelTTLs(tx.tx)
		if l != nil {
			n = len(l.Vertex) + len(l.Edge)
		}
		return err
	})
	return fmt.Sprintf("when elements and properties expire, and the ttl of %d labels: all that is there stays", n), err
}
