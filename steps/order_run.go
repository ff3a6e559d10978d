package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// global sorts all traversers; equal ones merge where the first of them stands.
func (s *sorter) global(all []traversal.Traverser) ([]traversal.Traverser, error) {
	set := s.r.NewSet()
	for i := range all {
		set.Add(all[i])
	}
	if err := set.Err(); err != nil {
		return nil, err
	}
	all = set.Rest()
	keys, err := account.Grow(s.r.Account, []value.Value(nil), len(all)*len(s.by))
	if err != nil {
		return nil, err
	}
	kept, keys, err := s.keyed(all, keys)
	if err != nil {
		return nil, err
	}
	if err := s.r.Charge(len(kept) * placeBytes); err != nil {
		return nil, err
	}
	at, err := s.permutation(len(kept), keys)
	if err != nil {
		return nil, err
	}
	account.Free(s.r.Account, keys)
	out, err := account.Grow(s.r.Account, []traversal.Traverser(nil), len(kept))
	if err != nil {
		return nil, err
	}
	for _, p := range at {
		out = append(out, kept[p])
	}
	s.r.Release(len(kept) * placeBytes)
	set.Clear()
	return out, nil
}

// keyed appends the keys of all that have some to keys, and returns those, in all.
func (s *sorter) keyed(all []traversal.Traverser, keys []value.Value) ([]traversal.Traverser, []value.Value, error) {
	if s.column != nil {
		return s.columnOf(all, keys)
	}
	kept := all[:0]
	for i := range all {
		if err := s.r.Poll(); err != nil {
			return nil, nil, err
		}
		from := len(keys)
		var ok bool
		var err error
		if keys, ok, err = s.keys(keys, &all[i]); err != nil {
			return nil, nil, err
		}
		if !ok {
			keys = keys[:from]
			continue
		}
		kept = append(kept, all[i])
	}
	return kept, keys, nil
}

// columnPiece is how many traversers are projected at once.
const columnPiece = 256

// columnOf is keyed for a column.
func (s *sorter) columnOf(all []traversal.Traverser, keys []value.Value) ([]traversal.Traverser, []value.Value, error) {
	defer s.column.Release()
	kept := all[:0]
	var b traversal.Batch
	var ends []int
	for len(all) > 0 {
		if err := s.r.PollNow(); err != nil {
			return nil, nil, err
		}
		piece := all[:min(columnPiece, len(all))]
		all = all[len(piece):]
		b.Clear()
		b.Append(piece)
		from := len(keys)
		var err error
		if keys, ends, err = s.column.Each(keys, ends[:0], &b); err != nil {
			return nil, nil, err
		}
		for i, end := range ends {
			if end > from {
				keys[from] = sortKey(keys[from])
				kept = append(kept, piece[i])
			}
			from = end
		}
	}
	return kept, keys, nil
}

// placeBytes is what sorting takes for each place: where it is, and where it comes to.
const placeBytes = 2 * 4

// local sorts the members of a collection into a list, or the entries of a map.
func (s *sorter) local(t *traversal.Traverser) (value.Value, bool, error) {
	object := step.AsMap(t.Value)
	if !object.Kind().IsCollection() && object.Kind() != value.KindMap {
		return object, true, nil
	}
	list, err := step.MemberList(s.r, object)
	if err != nil {
		return value.Null, false, err
	}
	kept := list[:0]
	var keys []value.Value
	for _, v := range list {
		if err := s.r.Poll(); err != nil {
			return value.Null, false, err
		}
		u := s.r.Generate(v)
		from := len(keys)
		var ok bool
		var err error
		if keys, ok, err = s.keys(keys, &u); err != nil {
			return value.Null, false, err
		}
		if !ok {
			keys = keys[:from]
			continue
		}
		kept = append(kept, v)
	}
	at, err := s.permutation(len(kept), keys)
	if err != nil {
		return value.Null, false, err
	}
	if object.Kind() == value.KindMap {
		m := value.NewMapSize(len(kept))
		for _, p := range at {
			e := kept[p].MapEntry()
			m.Put(e.Key, e.Value)
		}
		return m.Value(), true, nil
	}
	sorted := make([]value.Value, len(kept))
	for i, p := range at {
		sorted[i] = kept[p]
	}
	return value.List(sorted), true, nil
}
