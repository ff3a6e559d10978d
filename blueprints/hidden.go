package blueprints

import (
	"slices"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Hidden keys: what the server knows of an element beside its properties. They are read as
// properties are, by who asks for them by name, and shown nowhere else; nobody writes them.
// Each has a symbol that no name gets, so that every way to read a property reaches it.

// hiddenFirst is the first symbol of a hidden key; the others are behind it.
const hiddenFirst = ^Symbol(0) - 0xf

// hiddenKeys are the names, by symbol.
var hiddenKeys = [...]string{"~created", "~modified", "~version", "~expires"}

const (
	keyCreated = hiddenFirst + iota
	keyModified
	keyVersion
	keyExpires
)

// SlotHidden is in place of the ordinal of what a hidden key gives.
const SlotHidden = ^uint64(0) - 1

func isHidden(key Symbol) bool { return key >= hiddenFirst }

// hiddenName is the name of a hidden key.
func hiddenName(key Symbol) string {
	if i := int(key - hiddenFirst); i < len(hiddenKeys) {
		return hiddenKeys[i]
	}
	return ""
}

// hiddenSymbol returns the symbol of a hidden key that the transaction knows something under.
func (t *Tx) hiddenSymbol(name string) (Symbol, bool) {
	if !t.hiding || name == "" || name[0] != '~' {
		return 0, false
	}
	i := slices.Index(hiddenKeys[:], name)
	return hiddenFirst + Symbol(max(i, 0)), i >= 0
}

// hiddenValue returns what a hidden key says of an element, false for nothing.
func (t *Tx) hiddenValue(c table.Class, id uint64, key Symbol) (value.Value, bool, error) {
	exists, err := t.elementExists(c, id)
	if err != nil || !exists {
		return value.Null, false, err
	}
	if key == keyExpires {
		return t.expires(c, id)
	}
	kind := table.StampChanged
	if key == keyCreated {
		kind = table.StampAdded
	}
	s, err := t.stampOf(c, id, kind)
	switch {
	case err != nil || s == 0:
		return value.Null, false, err
	case key == keyVersion:
		return value.Long(int64(s)), s != storage.NoStamp, nil
	case s == storage.NoStamp: // by the transaction itself
		return value.OffsetDateTime(t.ownTime()), true, nil
	}
	return value.OffsetDateTime(s.Time().UTC()), true, nil
}

func (t *Tx) elementExists(c table.Class, id uint64) (bool, error) {
	if c == table.EdgeClass {
		return t.EdgeExists(EdgeID(id))
	}
	return t.VertexExists(VertexID(id))
}

// ownTime is that of what the transaction itself does: the first time that somebody asks, in
// milliseconds, as a commit's is.
func (t *Tx) ownTime() time.Time {
	if t.asked.IsZero() {
		t.asked = time.UnixMilli(time.Now().UnixMilli()).UTC()
	}
	return t.asked
}

// withHidden appends the properties of an element, and what is known under hidden keys among
// keys behind them.
func (t *Tx) withHidden(dst []PropertyEntry, c table.Class, id uint64, keys []Symbol) ([]PropertyEntry, error) {
	plain := slices.DeleteFunc(slices.Clone(keys), isHidden)
	var err error
	switch {
	case len(plain) == 0:
	case c == table.EdgeClass:
		dst, err = t.EdgeProperties(dst, EdgeID(id), plain)
	default:
		dst, err = t.VertexProperties(dst, VertexID(id), plain)
	}
	for i := range hiddenKeys {
		key := hiddenFirst + Symbol(i)
		if err != nil || !slices.Contains(keys, key) {
			continue
		}
		var val value.Value
		var ok bool
		if val, ok, err = t.hiddenValue(c, id, key); ok && err == nil {
			dst = append(dst, t.g.computedEntry(c, id, key, SlotHidden, val))
		}
	}
	return dst, err
}

// hiddenValues is VertexValues of a hidden key.
func (t *Tx) hiddenValues(dst []value.Value, ends []int, vs []VertexID, key Symbol) ([]value.Value, []int, error) {
	for _, v := range vs {
		if err := t.looksUp(); err != nil {
			return dst, ends, err
		}
		val, ok, err := t.hiddenValue(table.VertexClass, uint64(v), key)
		if err != nil {
			return dst, ends, err
		}
		if ok {
			dst = append(dst, val)
		}
		ends = append(ends, len(dst))
	}
	return dst, ends, nil
}
