package keyindex

import (
	"bytes"

	"github.com/cespare/xxhash/v2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/table"
)

// uniqueTables has the tables of a unique index be right when they are taken in, or not be. An entry
// whose values another element has is found when it is gathered, if that was there before, and when
// entries are put in order, if it was gathered as well. One that somebody has added since makes the
// builder lose; who is under way and has not seen the tables, and adds or removes any, loses to it. So
// does the builder to whoever has changed one of its elements: an entry that is no longer right would
// be in others' way until it is mended.
type uniqueTables struct {
	b        *builder
	d        *Definition
	ids      []uint64    // ascending
	from, to []byte      // where the entries are
	gathered keyed.Index // their hashes
}

// uniqueTables is how tables of a unique index are committed, and what they are made of.
func (b *builder) uniqueTables(tx storage.Tx, d *Definition, ids []uint64, next []byte, sources []storage.KeySource) (storage.Beside, []storage.KeySource) {
	u := &uniqueTables{b: b, d: d, ids: ids}
	u.from, u.to = d.Open(b.graph).Range()
	tx.Observe(u.from, u.to)
	for i, each := range sources {
		sources[i] = u.noting(each)
	}
	return storage.Beside{Over: u.over(), Late: func(touched []storage.Touched) (storage.KeySource, error) {
		if err := u.unchanged(touched); err != nil {
			return nil, err
		}
		return along(b.graph, d, next, nil)
	}}, sources
}

// over is where others under way may not have written: the entries, and what whoever changes one of
// the elements deletes where reads are not validated.
func (u *uniqueTables) over() []storage.Range {
	first, last := u.ids[0], u.ids[len(u.ids)-1]
	fences := storage.Range{
		From: table.AppendCompositeOwnedRow(nil, u.b.graph, first),
		To:   table.PrefixEnd(nil, table.AppendCompositeOwnedRow(nil, u.b.graph, last)),
	}
	return []storage.Range{{From: u.from, To: u.to}, fences}
}

// noting is a source of entries that notes them.
func (u *uniqueTables) noting(each storage.KeySource) storage.KeySource {
	return func(add func(key, value []byte) error) error {
		return each(func(key, value []byte) error {
			u.gathered.Add(xxhash.Sum64(key))
			return add(key, value)
		})
	}
}

// unchanged is storage.ErrConflict if what others have touched matters to the entries.
func (u *uniqueTables) unchanged(touched []storage.Touched) error {
	rows := touched[:0]
	for _, c := range touched {
		if bytes.Compare(c.From, u.from) < 0 || bytes.Compare(c.From, u.to) >= 0 {
			rows = append(rows, c)
		} else if len(c.To) > 0 || u.gathered.Find(xxhash.Sum64(c.From)) >= 0 {
			return &storage.ConflictError{Key: bytes.Clone(c.From), What: "a unique value that an index is filled with"}
		}
	}
	changed, err := u.b.changedOf(rows, u.d, u.ids)
	if err == nil && len(changed) > 0 {
		err = &storage.ConflictError{What: "what an index is made of"}
	}
	return err
}
