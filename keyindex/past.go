package keyindex

import (
	"errors"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// since is the stamp of the last commit that r holds, 0 in a graph without history. An index that
// is complete with what r holds gives what there was then and at any later time: from then on
// those who change elements put what they overwrite of it into history, while what the builder
// writes looks as if it had always been there.
func since(r storage.Reader, graph uint32) (storage.Stamp, error) {
	if kept, err := has(r, table.FloorKey(graph)); err != nil || !kept {
		return 0, err
	}
	b, err := r.Get(table.Layout.Stamp)
	if errors.Is(err, storage.ErrNotFound) {
		return 0, nil
	}
	n, _ := storage.Count(b)
	return storage.Stamp(n), err
}

// AsOf returns the definitions for who reads what there was at a time: indexes that were complete
// then, and have been since. Others are not.
func (d *Definitions) AsOf(at storage.Stamp) *Definitions {
	if !d.newer(at) {
		return d
	}
	then := *d
	for i := range then.keys {
		then.keys[i] = slices.Clone(d.keys[i])
		for k := range then.keys[i] {
			if x := &then.keys[i][k]; x.Since > at {
				x.State = Building
			}
		}
		then.active[i] = complete(then.keys[i])
		later := func(x *Definition) bool { return x.Since > at }
		then.complete[i] = slices.DeleteFunc(slices.Clone(d.complete[i]), later)
	}
	then.named = slices.DeleteFunc(slices.Clone(d.named), func(x Definition) bool { return x.Since > at })
	return &then
}

// newer reports whether an index became complete later.
func (d *Definitions) newer(at storage.Stamp) bool {
	for i := range d.keys {
		for k := range d.keys[i] {
			if d.keys[i][k].Since > at {
				return true
			}
		}
		for _, x := range d.complete[i] {
			if x.Since > at {
				return true
			}
		}
	}
	return slices.ContainsFunc(d.named, func(x Definition) bool { return x.Since > at })
}
