package traversal

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Objects is a Source that can leave the traversers out where they are nothing but
// their objects: bulk 1, no path, no sack, no loops. Scans and reductions of whole
// graphs pass objects this way.
//
// Tolerates: labels that nobody asks for. Not full paths or sacks, nor a strict run, in
// which effects and side effects may conflict.
type Objects interface {
	Source
	// NextObjects appends objects in place of the traversers that Next would give, about
	// max; none is the end. plain is false when the next traverser is more than its
	// object: then it is to be had from Next. An error comes behind good objects.
	NextObjects(dst []value.Value, max int) (objs []value.Value, plain bool, err error)
}

// Objects returns up as Objects, nil when traversers may not be left out.
func (r *Run) Objects(up Source) Objects {
	if r.Strict || r.paths == fullPath || r.hasSack {
		return nil
	}
	o, _ := up.(Objects)
	return o
}

// ObjectReducer is a Reducer that takes plain objects many at a time.
type ObjectReducer interface {
	Reducer
	AddObjects(objs []value.Value) error
}

// drainObjects feeds a Reducer from Objects as far as they are plain, and returns how
// many there were. The rest, if plain is false, is to be had from Next.
func (r *Run) drainObjects(up Objects, red ObjectReducer) (n int, plain bool, err error) {
	var buf []value.Value
	for {
		buf, plain, err = up.NextObjects(buf[:0], r.Demand(batchMax))
		n += len(buf)
		if len(buf) > 0 {
			if perr := r.PollNow(); perr != nil {
				return n, plain, perr
			}
			if aerr := red.AddObjects(buf); aerr != nil {
				return n, plain, aerr
			}
		}
		if err != nil || !plain || len(buf) == 0 {
			return n, plain, err
		}
	}
}

// NextObjects implements Objects: what a cursor gives for a traverser that is nothing
// but its object is nothing more either.
func (f *flatMap) NextObjects(dst []value.Value, max int) ([]value.Value, bool, error) {
	for {
		if f.cursor == nil {
			t, ok, err := f.in.Take(f.r.Demand(max))
			if !ok {
				return dst, true, err
			}
			f.cur = t
			if f.cursor, err = f.expander.Expand(&f.cur); err != nil {
				return dst, true, err
			}
			if f.cursor == nil {
				continue
			}
		}
		if f.cur.Bulk != 1 || f.cur.X != nil {
			return dst, false, nil
		}
		if err := f.r.Poll(); err != nil {
			return dst, true, err
		}
		from := len(dst)
		var err error
		dst, err = f.cursor.Next(dst, f.r.Demand(max))
		if len(dst) > from || err != nil {
			return dst, true, err
		}
		f.cursor.Close()
		f.cursor = nil
	}
}

// VertexIDs appends the ids of the stored vertices that objs begins with.
func VertexIDs(dst []blueprints.VertexID, objs []value.Value) []blueprints.VertexID {
	for i := range objs {
		if objs[i].Kind() != value.KindVertex || !objs[i].IsStored() {
			break
		}
		dst = append(dst, blueprints.VertexID(objs[i].Ref()))
	}
	return dst
}
