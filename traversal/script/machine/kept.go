package machine

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// opaqueBytes is what something counts for that is not looked into: a closure, say.
const opaqueBytes = 256

// Settle charges the session's account with what its variables keep now. When that is
// too much it forgets the largest of them until the rest fits, and says so.
func (s *State) Settle() error {
	if s.Options.Kept == nil || !s.Touched {
		return nil
	}
	s.Touched = false
	var forgotten []string
	var refused error
	for {
		total, largest, met := s.measure()
		err := error(nil)
		if total > s.kept {
			err = s.Options.Kept.Charge(total - s.kept)
		} else {
			s.Options.Kept.Release(s.kept - total)
		}
		if err == nil {
			s.kept = total
			s.Kinds.prune(met)
			break
		}
		refused, forgotten = err, append(forgotten, largest)
		delete(s.Vars, largest)
	}
	if refused == nil {
		return nil
	}
	return fmt.Errorf("the session forgets %s: %w", strings.Join(forgotten, ", "), refused)
}

// Forget has the host close the graphs that scripts opened and no variable reaches any
// more.
func (s *State) Forget() {
	h, ok := s.Host.(host.Graphs)
	if !ok {
		return
	}
	var met func(any) bool
	h.Forget(func(g host.Global) bool {
		if met == nil {
			_, _, met = s.measure()
		}
		return met(g)
	})
}

// measure returns what all variables keep, in bytes, which of them keeps most, and
// whether they keep a map, or a Global.
func (s *State) measure() (total int64, largest string, met func(any) bool) {
	k := keeper{seen: map[any]struct{}{}, defaults: s.Kinds.Defaults}
	most := int64(-1)
	for name, v := range s.Vars {
		before := k.bytes
		k.bytes += int64(len(name)) + opaqueBytes
		k.add(v)
		if k.bytes-before > most {
			most, largest = k.bytes-before, name
		}
	}
	return k.bytes, largest, func(of any) bool {
		_, met := k.seen[of]
		return met
	}
}

// keeper adds up the bytes that values keep, what several share once.
type keeper struct {
	bytes    int64
	seen     map[any]struct{}
	todo     []value.Value // in place of recursion: a script nests as deep as it likes
	defaults map[*value.Map]value.Value
}

func (k *keeper) add(v value.Value) {
	for k.todo = append(k.todo, v); len(k.todo) > 0; {
		last := len(k.todo) - 1
		v, k.todo = k.todo[last], k.todo[:last]
		k.bytes += ValueBytes
		k.inside(v)
	}
}

// first reports whether p is met for the first time.
func (k *keeper) first(p any) bool {
	_, met := k.seen[p]
	if !met {
		k.seen[p] = struct{}{}
	}
	return !met
}

func (k *keeper) all(list []value.Value) {
	if len(list) > 0 && k.first(&list[0]) {
		k.todo = append(k.todo, list...)
	}
}

// inside adds what v holds beside itself.
func (k *keeper) inside(v value.Value) {
	switch v.Kind() {
	case value.KindString:
		if s := v.Str(); len(s) > ValueBytes && k.first(unsafe.StringData(s)) {
			k.bytes += int64(len(s))
		}
	case value.KindBinary:
		k.bytes += int64(len(v.Bytes()))
	case value.KindList:
		k.all(v.Elems())
	case value.KindSet:
		if s := v.Set(); k.first(s) {
			k.todo = append(k.todo, s.Elems()...)
		}
	case value.KindMap:
		if m := v.Map(); k.first(m) {
			k.todo = append(append(k.todo, m.Keys()...), m.Values()...)
			if fn, ok := k.defaults[m]; ok {
				k.todo = append(k.todo, fn)
			}
		}
	case value.KindBulkSet:
		s := v.BulkSet()
		if !k.first(s) {
			return
		}
		for i := range s.Len() {
			e, _ := s.Entry(i)
			k.todo = append(k.todo, e)
		}
	case value.KindMapEntry:
		if e := v.MapEntry(); k.first(e) {
			k.todo = append(k.todo, e.Key, e.Value)
		}
	case value.KindPath:
		k.all(v.Path().Objects)
	case value.KindGraph:
		if g := v.Subgraph(); k.first(g) {
			k.todo = append(append(k.todo, g.Vertices...), g.Edges...)
		}
	case value.KindVertex, value.KindEdge:
		k.element(v)
	case value.KindVertexProperty:
		k.bytes += opaqueBytes
		k.todo = append(k.todo, v.VertexProperty().Vertex, v.VertexProperty().Value)
	case value.KindProperty:
		k.bytes += opaqueBytes
		k.todo = append(k.todo, v.Property().Element, v.Property().Value)
	case value.KindTree:
		if t := v.Tree(); k.first(t) {
			k.todo = append(k.todo, t.Keys...)
			for _, c := range t.Children {
				k.todo = append(k.todo, c.Value())
			}
		}
	case value.KindForeign:
		if l, ok := v.Object().(*List); ok {
			k.all(l.Elems)
			return
		}
		k.bytes += opaqueBytes
		k.object(v)
	case value.KindBool, value.KindInt, value.KindLong, value.KindDouble, value.KindNull:
	default:
		k.bytes += opaqueBytes
	}
}

// element adds a copy of an element.
func (k *keeper) element(v value.Value) {
	k.bytes += opaqueBytes
	if e := v.Detached(); e != nil && k.first(e) {
		k.first(e.Home)
		k.all(e.Properties)
	}
}

// object adds what an object of a script keeps: a closure the variables around it.
func (k *keeper) object(v value.Value) {
	switch o := v.Object().(type) {
	case *Closure:
		for f := o.Up; f != nil && k.first(f); f = f.up {
			k.bytes += opaqueBytes
			k.all(f.vars)
		}
		return
	case located:
		k.first(o.Belongs())
	}
	if o, ok := v.Object().(retaining); ok && k.first(o) {
		held, n := o.Retains()
		k.todo = append(k.todo, held...)
		k.bytes += int64(n)
	}
	if o, ok := v.Object().(keeping); ok && k.first(o) {
		held, n := o.Keeps()
		k.bytes += int64(n)
		k.all(held)
	}
}
