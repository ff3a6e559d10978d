package blueprints

import (
	"errors"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Notes are small named data that belong to a graph but to no element, such as how far
// an import came. They commit with the transaction that sets them.

// Note returns a note, nil when there is none.
func (t *Tx) Note(name string) ([]byte, error) {
	v, err := t.tx.Get(table.AppendMeta(nil, t.g.number, "note/"+name))
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	return append([]byte(nil), v...), err
}

// SetNote sets a note, or removes it when data is nil.
func (t *Tx) SetNote(name string, data []byte) error {
	key := table.AppendMeta(nil, t.g.number, "note/"+name)
	if data == nil {
		return t.tx.Delete(key)
	}
	return t.tx.Set(key, data)
}

// eachNote visits the notes whose names begin with prefix, by name; name is without it.
// What it hands out is valid during the call.
func (t *Tx) eachNote(prefix string, fn func(name string, data []byte) error) error {
	from := table.AppendMeta(nil, t.g.number, "note/"+prefix)
	it := t.tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	for it.Next() {
		if err := fn(string(it.Key()[len(from):]), it.Value()); err != nil {
			return err
		}
	}
	return it.Err()
}
