package blueprints

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// Restricted is what somebody sees of a transaction from whom something is denied, and how
// he changes it: to him that is not there. It embeds nothing, so that what is added to View
// or to Mutator says here what it hides, or does not compile. Elements that were read while
// all was seen are not there either.
type Restricted struct {
	tx *Tx
	by *Restriction
	*deniedSymbols
	prunedRows *pruned        // rows without denied edges; nil for none
	prunedFor  *deniedSymbols // nil for not looked for

	// shade is in place of the vertices' labels, once more than enough of these were looked up.
	shade          *shade
	looked, enough int64
	// given are edges that were found to be there, each at a place of its own.
	given *[edgesGiven]EdgeID // the edge and one
	// labels, hidden and sink are scratch, room is that of given, without any.
	labels []Symbol
	hidden []bool
	sink   *restrictedSink
	room   *[edgesGiven]EdgeID
}

// edgesGiven is how many edges are known to be there: more than steps read at once.
const edgesGiven = 512

var (
	_ View           = (*Restricted)(nil)
	_ Mutator        = (*Restricted)(nil)
	_ value.Resolver = (*Restricted)(nil)
)

// Restrict returns the transaction without what is denied. It is the same for as long as the
// transaction lasts and by does, and its memory is used again with the transaction's.
func (t *Tx) Restrict(by *Restriction) *Restricted {
	r := t.restricted
	if r == nil || r.tx != nil && r.by != by { // both may be in use
		r = &Restricted{}
	}
	if r.tx == nil {
		r.tx, r.by, r.enough, t.restricted = t, by, shadeFrom, r
		if t.observing || t.asOf != 0 {
			r.enough = math.MaxInt64
		}
	}
	r.deniedSymbols = by.in(t) // there may be more by now
	return r
}

// leave gives the memory of a transaction that is over to the next one.
func (r *Restricted) leave() {
	if r == nil || r.tx == nil {
		return
	}
	room := r.room
	if r.given != nil {
		clear(r.given[:])
		room = r.given
	}
	*r = Restricted{room: room, labels: left(r.labels, edgesKept), hidden: left(r.hidden, edgesKept)}
}

// Tx returns the transaction.
func (r *Restricted) Tx() *Tx { return r.tx }

// without drops what is denied from names that are asked for. all is set when none was
// asked for, which means all; none when nothing is left.
func (s symbolSet) without(asked []Symbol) (left []Symbol, all, none bool) {
	if len(asked) == 0 {
		return nil, true, false
	}
	if s == nil || !slices.ContainsFunc(asked, s.has) {
		return asked, false, false
	}
	left = slices.DeleteFunc(slices.Clone(asked), s.has)
	return left, false, len(left) == 0
}

// Symbol returns the symbol of a name; a hidden key that is denied has none.
func (r *Restricted) Symbol(name string) (Symbol, bool) {
	sym, ok := r.tx.Symbol(name)
	if ok && isHidden(sym) && slices.Contains(r.by.Denied.Keys, name) {
		return 0, false
	}
	return sym, ok
}

// Name returns the text of a symbol.
func (r *Restricted) Name(s Symbol) string { return r.tx.Name(s) }

// Options returns the graph's options.
func (r *Restricted) Options() Options { return r.tx.Options() }

// NameUse says what a name is used for by what is there.
func (r *Restricted) NameUse(name string) (use NameUse, known bool, err error) {
	if use, known, err = r.tx.NameUse(name); !known || err != nil || !r.by.names(name) {
		return use, known, err
	}
	use.Vertices = use.Vertices && !slices.Contains(r.by.Denied.VertexLabels, name)
	use.Edges = use.Edges && !slices.Contains(r.by.Denied.EdgeLabels, name)
	return use, use.Vertices || use.Edges, nil
}

// Names yields the labels and property keys that are not denied as anything.
func (r *Restricted) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range r.tx.Names() {
			if !r.by.names(name) && !yield(name) {
				return
			}
		}
	}
}

// showsVertex reports whether a vertex is there for who asks, if it is there at all.
func (r *Restricted) showsVertex(v VertexID) (bool, error) {
	if r.vertices.list == nil {
		return true, nil
	}
	if dark, err := r.shaded(1); dark != nil || err != nil {
		return dark != nil && !dark.has(v), err
	}
	l, err := r.tx.VertexLabel(v)
	if errors.Is(err, ErrNoElement) {
		return false, nil
	}
	return err == nil && !r.vertices.has(l), err
}

// shaded returns the vertices that are not there, nil as long as their labels are looked at,
// as the caller does now of n vertices more.
func (r *Restricted) shaded(n int) (*shade, error) {
	if r.shade != nil && r.shade == r.tx.shade {
		return r.shade, nil
	}
	if r.looked += int64(n); r.looked < r.enough {
		return nil, nil
	}
	hidden, err := r.tx.VertexCount(r.vertices.list...)
	if err != nil || r.looked < hidden {
		r.enough = max(r.enough, hidden)
		return nil, err
	}
	if r.shade, err = r.tx.shadeOf(r.vertices.list); errors.Is(err, account.ErrLimit) {
		r.enough, err = math.MaxInt64, nil
	}
	return r.shade, err
}

// hides tells which of vertices are not there, nil when all are. It is valid until the next call.
func (r *Restricted) hides(vs []VertexID) (hidden []bool, err error) {
	if r.vertices.list == nil {
		return nil, nil
	}
	hide := func(i int) {
		if hidden == nil {
			hidden = append(r.hidden[:0], make([]bool, len(vs))...)
			r.hidden = hidden
		}
		hidden[i] = true
	}
	dark, err := r.shaded(len(vs))
	if err != nil {
		return nil, err
	}
	if dark != nil {
		for i, v := range vs {
			if dark.has(v) {
				hide(i)
			}
		}
		return hidden, nil
	}
	r.labels, err = r.tx.VertexLabels(r.labels[:0], vs)
	gone := err != nil // one of them, or the store
	for i, v := range vs {
		shows := !gone && !r.vertices.has(r.labels[i])
		if gone {
			if shows, err = r.showsVertex(v); err != nil {
				return nil, err
			}
		}
		if !shows {
			hide(i)
		}
	}
	return hidden, nil
}

// give notes that an edge is there.
func (r *Restricted) give(e EdgeID) {
	if r.given == nil {
		if r.given = r.room; r.given == nil {
			r.given = new([edgesGiven]EdgeID)
		}
	}
	r.given[e%edgesGiven] = e + 1
}

// showsEdge does so for an edge, whose ends have to be there.
func (r *Restricted) showsEdge(e EdgeID) (bool, error) {
	if r.edges.list == nil && r.vertices.list == nil || r.given != nil && r.given[e%edgesGiven] == e+1 {
		return true, nil
	}
	h, err := r.tx.Edge(e)
	if errors.Is(err, ErrNoElement) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return r.showsHeader(h)
}

func (r *Restricted) showsHeader(h EdgeHeader) (bool, error) {
	if r.edges.has(h.Label) {
		return false, nil
	}
	if ok, err := r.showsVertex(h.Out); !ok || err != nil {
		return false, err
	}
	return r.showsVertex(h.In)
}

// Shows reports whether an element is there for who asks, if it is there at all.
func (r *Restricted) Shows(c ElementClass, id uint64) (bool, error) {
	if c == EdgeClass {
		return r.showsEdge(EdgeID(id))
	}
	return r.showsVertex(VertexID(id))
}

// wants returns the error of a vertex that is not there for who asks.
func (r *Restricted) wants(v VertexID) error {
	ok, err := r.showsVertex(v)
	if err == nil && !ok {
		err = fmt.Errorf("vertex #%d: %w", v, ErrNoElement)
	}
	return err
}

func (r *Restricted) wantsEdge(e EdgeID) error {
	ok, err := r.showsEdge(e)
	if err == nil && !ok {
		err = fmt.Errorf("edge #%d: %w", e, ErrNoElement)
	}
	return err
}

// FindVertex finds a vertex.
func (r *Restricted) FindVertex(id value.Value) (VertexID, bool, error) {
	v, ok, err := r.tx.FindVertex(id)
	if ok && err == nil {
		ok, err = r.showsVertex(v)
	}
	return v, ok, err
}

// FindEdge finds an edge.
func (r *Restricted) FindEdge(id value.Value) (EdgeID, bool, error) {
	e, ok, err := r.tx.FindEdge(id)
	if ok && err == nil {
		ok, err = r.showsEdge(e)
	}
	return e, ok, err
}

// VertexUserID returns the user-visible id.
func (r *Restricted) VertexUserID(v VertexID) (value.Value, error) {
	if err := r.wants(v); err != nil {
		return value.Null, err
	}
	return r.tx.VertexUserID(v)
}

// EdgeUserID returns the user-visible id.
func (r *Restricted) EdgeUserID(e EdgeID) (value.Value, error) {
	if err := r.wantsEdge(e); err != nil {
		return value.Null, err
	}
	return r.tx.EdgeUserID(e)
}

// VertexExists reports whether a vertex is there.
func (r *Restricted) VertexExists(v VertexID) (bool, error) {
	if ok, err := r.tx.VertexExists(v); !ok || err != nil {
		return false, err
	}
	return r.showsVertex(v)
}

// EdgeExists reports whether an edge is there.
func (r *Restricted) EdgeExists(e EdgeID) (bool, error) {
	if ok, err := r.tx.EdgeExists(e); !ok || err != nil {
		return false, err
	}
	return r.showsEdge(e)
}

// VertexLabel returns the label.
func (r *Restricted) VertexLabel(v VertexID) (Symbol, error) {
	l, err := r.tx.VertexLabel(v)
	if err == nil && r.vertices.has(l) {
		return 0, fmt.Errorf("vertex #%d: %w", v, ErrNoElement)
	}
	return l, err
}

// VertexLabels appends labels.
func (r *Restricted) VertexLabels(dst []Symbol, vs []VertexID) ([]Symbol, error) {
	from := len(dst)
	dst, err := r.tx.VertexLabels(dst, vs)
	if err == nil && r.vertices.list != nil && slices.ContainsFunc(dst[from:], r.vertices.has) {
		return dst[:from], fmt.Errorf("label: %w", ErrNoElement)
	}
	return dst, err
}

// Edge returns label and endpoints.
func (r *Restricted) Edge(e EdgeID) (EdgeHeader, error) {
	h, err := r.tx.Edge(e)
	if err != nil || r.edges.list == nil && r.vertices.list == nil {
		return h, err
	}
	ok, err := r.showsHeader(h)
	if err == nil && !ok {
		err = fmt.Errorf("edge #%d: %w", e, ErrNoElement)
	}
	if err != nil {
		return EdgeHeader{}, err
	}
	return h, nil
}

// FetchVertices reads elements at once.
func (r *Restricted) FetchVertices(vs []VertexID, adjacent bool) error {
	return r.tx.FetchVertices(vs, adjacent)
}

// FetchEdges reads elements at once.
func (r *Restricted) FetchEdges(es []EdgeID) error { return r.tx.FetchEdges(es) }

// ReadOnce calls fn, which reads most of the graph.
func (r *Restricted) ReadOnce(fn func() error) error { return r.tx.ReadOnce(fn) }

// Ahead says what is read next.
func (r *Restricted) Ahead(objs []value.Value) { r.tx.Ahead(objs) }

// AheadWhole says so for who reads all of each.
func (r *Restricted) AheadWhole(objs []value.Value) { r.tx.AheadWhole(objs) }

// CountedIn appends what was counted under a key.
func (r *Restricted) CountedIn(dst []Counted, c ElementClass, id uint64, key Symbol, u Unit, from, to time.Time, max int) ([]Counted, error) {
	if ok, err := r.Shows(c, id); !ok || err != nil || r.keys.has(key) {
		return dst, err
	}
	return r.tx.CountedIn(dst, c, id, key, u, from, to, max)
}
