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
