package machine

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
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
	if !ok || !h.HasOpened() {
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
	k := keeper{others: map[any]struct{}{}, texts: map[*byte]int{}, defaults: s.Kinds.Defaults}
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
		if m, ok := of.(*value.Map); ok {
			return k.seen.Has(placeOf(m))
		}
		_, met := k.others[of]
		return met
	}
}

// keeper adds up the bytes that values keep, what several share once.
type keeper struct {
	bytes    int64
	seen     keyed.Set        // places of memory
	others   map[any]struct{} // graphs and sources, and objects of kinds that are few
	texts    map[*byte]int    // lengths of the long ones
	todo     []value.Value    // in place of recursion: a script nests as deep as it likes
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

// placeOf is where p is in memory, in words. What is met stays there meanwhile: the variables
// hold it.
func placeOf[T any](p *T) uint64 {
	const word = 8
	return uint64(uintptr(unsafe.Pointer(p))) / word
}

// first reports whether what is at p is met for the first time.
func first[T any](k *keeper, p *T) bool {
	isNew, _ := k.seen.Add(placeOf(p)) // without an account, which alone would refuse
	return isNew
}

// firstOf is first for what an interface holds.
func (k *keeper) firstOf(o any) bool {
	_, met := k.others[o]
	if !met {
		k.others[o] = struct{}{}
	}
	return !met
}

func (k *keeper) all(list []value.Value) {
	if len(list) > 0 && first(k, &list[0]) {
		k.each(list)
	}
}

// each adds values, those at once that hold nothing.
func (k *keeper) each(list []value.Value) {
	for _, v := range list {
		switch v.Kind() {
		case value.KindBool, value.KindInt, value.KindLong, value.KindDouble, value.KindNull:
			k.bytes += ValueBytes
		case value.KindString:
			k.bytes += ValueBytes
			k.text(v.Str())
		default:
			k.todo = append(k.todo, v)
		}
	}
}

// text adds a text.
func (k *keeper) text(s string) {
	if len(s) == 0 {
		return
	}
	const allocated, long = 16, 4 << 10 // a text takes a multiple of the first
	n := int64((len(s) + allocated - 1) &^ (allocated - 1))
	at := unsafe.StringData(s)
	switch {
	case len(s) > long: // a part of it may have been met before
		if k.texts[at] < len(s) {
			k.bytes += n - int64(k.texts[at])
			k.texts[at] = len(s)
		}
	case len(s) <= allocated || first(k, at):
		k.bytes += n
	}
}

// inside adds what v holds beside itself.
func (k *keeper) inside(v value.Value) {
	if k.collection(v) {
		return
	}
	switch v.Kind() {
	case value.KindString:
		k.text(v.Str())
	case value.KindBinary:
		k.bytes += int64(len(v.Bytes()))
	case value.KindList:
		k.all(v.Elems())
	case value.KindVertex, value.KindEdge:
		k.element(v)
	case value.KindVertexProperty:
		k.bytes += opaqueBytes
		k.todo = append(k.todo, v.VertexProperty().Vertex, v.VertexProperty().Value)
	case value.KindProperty:
		k.bytes += opaqueBytes
		k.todo = append(k.todo, v.Property().Element, v.Property().Value)
	case value.KindForeign:
		if l, ok := v.Object().(*List); ok {
			if first(k, l) {
				k.bytes += ObjectBytes + int64(ValueBytes*(cap(l.Elems)-len(l.Elems)+l.gone))
			}
			k.all(l.Elems)
			return
		}
		k.bytes += opaqueBytes
		k.object(v)
	case value.KindBool, value.KindInt, value.KindLong, value.KindDouble, value.KindNull:
	default:
		k.bytes += opaqueBytes
		k.other(v)
	}
}

// collection adds what a collection holds; false when v is none of them.
func (k *keeper) collection(v value.Value) bool {
	switch v.Kind() {
	case value.KindSet:
		if s := v.Set(); first(k, s) {
			k.bytes += ObjectBytes + EntryBytes*int64(s.Len())
			k.each(s.Elems())
		}
	case value.KindMap:
		if m := v.Map(); first(k, m) {
			k.bytes += ObjectBytes + EntryBytes*int64(m.Len())
			k.each(m.Keys())
			k.each(m.Values())
			if fn, ok := k.defaults[m]; ok {
				k.todo = append(k.todo, fn)
			}
		}
	case value.KindBulkSet:
		s := v.BulkSet()
		if !first(k, s) {
			return true
		}
		for i := range s.Len() {
			k.bytes += EntryBytes
			e, _ := s.Entry(i)
			k.todo = append(k.todo, e)
		}
	case value.KindMapEntry:
		if e := v.MapEntry(); first(k, e) {
			k.bytes += ObjectBytes
			k.todo = append(k.todo, e.Key, e.Value)
		}
	case value.KindPath:
		if p := v.Path(); first(k, p) {
			k.bytes += opaqueBytes
			k.all(p.Objects)
		}
	case value.KindGraph:
		if g := v.Subgraph(); first(k, g) {
			k.each(g.Vertices)
			k.each(g.Edges)
		}
	case value.KindTree:
		if t := v.Tree(); first(k, t) {
			k.bytes += opaqueBytes
			k.each(t.Keys)
			for _, c := range t.Children {
				k.todo = append(k.todo, c.Value())
			}
		}
	default:
		return false
	}
	return true
}

// other adds what values hold that scripts seldom keep.
func (k *keeper) other(v value.Value) {
	switch v.Kind() {
	case value.KindBigInteger:
		k.bytes += int64(value.AsBigInt(v).BitLen() / 8)
	case value.KindBigDecimal:
		k.bytes += int64(v.Decimal().Unscaled.BitLen() / 8)
	case value.KindClass:
		k.bytes += int64(len(v.Str()))
	case value.KindTraverser:
		k.todo = append(k.todo, v.Object().(*value.Bulked).Value)
	}
	switch o := v.Object().(type) {
	case *traversal.P:
		k.all(o.Args)
	case *traversal.Bytecode:
		k.bytecode(o)
	case *traversal.Lambda:
		k.bytes += int64(len(o.Script))
		if c, ok := o.Native.(*Closure); ok {
			k.todo = append(k.todo, c.Value())
		}
	case *traversal.StrategySpec:
		k.bytes += int64(len(o.Class))
		if o.Config != nil {
			k.todo = append(k.todo, o.Config.Value())
		}
	case *traversal.Binding:
		k.todo = append(k.todo, o.Value)
	case *traversal.TraversalMetrics:
		k.metrics(o.Metrics)
	case *traversal.Explanation:
		k.bytes += int64(o.Bytes())
	}
}

// metrics adds those of a profile.
func (k *keeper) metrics(list []*traversal.Metrics) {
	for _, m := range list {
		k.bytes += opaqueBytes + int64(EntryBytes*(len(m.Counts)+len(m.Annotations)))
		k.metrics(m.Nested)
	}
}

// bytecode adds the arguments of all instructions.
func (k *keeper) bytecode(b *traversal.Bytecode) {
	if !first(k, b) {
		return
	}
	for _, list := range [][]traversal.Instruction{b.Source, b.Steps} {
		for i := range list {
			k.bytes += ObjectBytes
			k.all(list[i].Args)
		}
	}
}

// element adds a copy of an element.
func (k *keeper) element(v value.Value) {
	k.bytes += opaqueBytes
	if e := v.Detached(); e != nil && first(k, e) {
		if g, ok := e.Home.(host.Hidden); ok {
			k.firstOf(g.Global)
		} else {
			k.firstOf(e.Home)
		}
		k.all(e.Properties)
	}
}

// object adds what an object of a script keeps: a closure the variables around it.
func (k *keeper) object(v value.Value) {
	switch o := v.Object().(type) {
	case *Closure:
		if first(k, o.Function) {
			k.bytes += o.Function.bytes()
		}
		for f := o.Up; f != nil && first(k, f); f = f.up {
			k.bytes += opaqueBytes
			k.all(f.vars)
		}
		return
	case located:
		k.firstOf(o.Belongs())
	}
	if o, ok := v.Object().(retaining); ok && k.firstOf(o) {
		held, n := o.Retains()
		k.each(held)
		k.bytes += int64(n)
	}
	if o, ok := v.Object().(keeping); ok && k.firstOf(o) {
		held, n := o.Keeps()
		k.bytes += int64(n)
		k.all(held)
	}
}
