package keyindex

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// ErrDropping is returned while an index of that name is still being removed.
var ErrDropping = errors.New("index is being dropped")

// Define adds a key index, BUILDING or, over a graph without elements of the class,
// ACTIVE at once. An index that is there already is left alone.
func Define(tx storage.Tx, graph uint32, c table.Class, key string, symbol uint32) error {
	d := Definition{Name: key, Class: c, Symbol: symbol, State: Building}
	have, ok, err := get(tx, graph, d)
	if err != nil {
		return err
	}
	if ok && have.State == Dropping {
		return fmt.Errorf("key index %q: %w", key, ErrDropping)
	}
	if ok {
		return nil
	}
	empty, err := noElements(tx, graph, c)
	if err != nil {
		return err
	}
	if empty {
		d.State = Active
	}
	return store(tx, graph, d, true)
}

func noElements(tx storage.Tx, graph uint32, c table.Class) (bool, error) {
	code := table.VertexLabels
	if c == table.EdgeClass {
		code = table.EdgeLabels
	}
	from := table.AppendTable(nil, graph, code)
	it := tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	return !it.Next(), it.Err()
}

// Undefine starts the removal of a key index; one that is not there is no error.
func Undefine(tx storage.Tx, graph uint32, c table.Class, key string) error {
	d, ok, err := get(tx, graph, Definition{Name: key, Class: c})
	if err != nil || !ok || d.State == Dropping {
		return err
	}
	d.State = Dropping
	if err := forgetWork(tx, graph, d); err != nil {
		return err
	}
	return store(tx, graph, d, true)
}

// get reads one definition.
func get(tx storage.Tx, graph uint32, d Definition) (Definition, bool, error) {
	key := definitionKey(graph, d)
	b, err := tx.Get(key)
	if errors.Is(err, storage.ErrNotFound) {
		return d, false, nil
	}
	if err != nil {
		return d, false, err
	}
	k, err := table.DecodeIndexDefinition(key)
	if err != nil {
		return d, false, err
	}
	def, err := decodeDefinition(k, b)
	return def, err == nil, err
}

// DefineNamed adds a named index; exists is set when the name is taken, whatever the
// class.
func DefineNamed(tx storage.Tx, graph uint32, c table.Class, name string) (exists bool, err error) {
	d := Definition{Name: name, Class: c, Named: true, State: Active}
	for _, other := range []Definition{d, {Name: name, Kind: Composite}} {
		if _, exists, err = get(tx, graph, other); err != nil || exists {
			return exists, err
		}
	}
	if d.Number, err = nextNumber(tx, graph); err != nil {
		return false, err
	}
	return false, store(tx, graph, d, true)
}

// nextNumber numbers named indexes; a number is never used again.
func nextNumber(tx storage.Tx, graph uint32) (uint32, error) {
	key := table.AppendMeta(nil, graph, "sequence/index")
	n := uint32(1)
	b, err := tx.Get(key)
	switch {
	case errors.Is(err, storage.ErrNotFound):
	case err != nil:
		return 0, err
	case len(b) != 4:
		return 0, fmt.Errorf("sequence of indexes: %w", storage.ErrCorrupt)
	default:
		n = binary.BigEndian.Uint32(b)
	}
	return n, tx.Set(key, binary.BigEndian.AppendUint32(nil, n+1))
}

// UndefineNamed removes a named index with its entries; one that is not there is no
// error.
func UndefineNamed(tx storage.Tx, graph uint32, name string) error {
	d, ok, err := get(tx, graph, Definition{Name: name, Named: true})
	if err != nil || !ok {
		return err
	}
	for _, from := range [][]byte{
		table.AppendNamedIndex(nil, graph, d.Number),
		table.AppendNamedOwned(nil, graph, d.Number),
	} {
		if err := tx.DeleteRange(from, table.PrefixEnd(nil, from)); err != nil {
			return err
		}
	}
	if err := tx.Delete(definitionKey(graph, d)); err != nil {
		return err
	}
	return touchVersion(tx, graph)
}

// ErrTaken is returned when another index has the name.
var ErrTaken = errors.New("Index already exists")

// Declare adds a declared index, BUILDING or, over a graph without elements of the class,
// ACTIVE at once, and gives it its number. A definition that is there already and the same
// is left alone; made tells them apart.
func Declare(tx storage.Tx, graph uint32, d *Definition) (made bool, err error) {
	if err := d.Valid(); err != nil {
		return false, err
	}
	have, ok, err := get(tx, graph, *d)
	switch {
	case err != nil:
		return false, err
	case ok && have.State == Dropping:
		return false, fmt.Errorf("index %q: %w", d.Name, ErrDropping)
	case ok && have.same(d):
		*d = have
		return false, nil
	case ok:
		return false, ErrTaken
	}
	if _, ok, err = get(tx, graph, Definition{Name: d.Name, Named: true}); err != nil || ok {
		return false, errors.Join(err, taken(ok))
	}
	if d.Number, err = nextNumber(tx, graph); err != nil {
		return false, err
	}
	empty, err := noElements(tx, graph, d.Class)
	if err != nil {
		return false, err
	}
	if d.State = Building; empty {
		d.State = Active
	}
	return true, store(tx, graph, *d, true)
}

func taken(is bool) error {
	if is {
		return ErrTaken
	}
	return nil
}

// same reports whether two definitions say the same of what is to be indexed.
func (d *Definition) same(e *Definition) bool {
	return d.Class == e.Class && d.Kind == e.Kind && slices.Equal(d.Keys, e.Keys) && d.Label == e.Label &&
		d.Unique == e.Unique && d.Direction == e.Direction && d.Analyzer == e.Analyzer
}

// Revoke starts the removal of a declared index; found is false when there is none.
func Revoke(tx storage.Tx, graph uint32, name string) (found bool, err error) {
	d, ok, err := get(tx, graph, Definition{Name: name, Kind: Composite})
	if err != nil || !ok || d.State == Dropping {
		return ok, err
	}
	d.State = Dropping
	if err := forgetWork(tx, graph, d); err != nil {
		return true, err
	}
	return true, store(tx, graph, d, true)
}

// Hide keeps look-ups from a declared index that goes on to be kept, or lets them use it
// again. found is false when there is none that is complete.
func Hide(tx storage.Tx, graph uint32, name string, hide bool) (found bool, err error) {
	d, ok, err := get(tx, graph, Definition{Name: name, Kind: Composite})
	if err != nil || !ok || d.State != Active && d.State != Hidden {
		return false, err
	}
	if d.State = Active; hide {
		d.State = Hidden
	}
	return true, store(tx, graph, d, true)
}
