package blueprints

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Elements and properties that end at a time. Each says so itself, an element in a cell of its row,
// a property in its own cell, and the table of ends lists them by time, exactly: whoever removes
// or replaces what ends takes it from there. What is due is dropped by a worker (expire.go), in
// transactions as any other, and is there until then.

// ttlBit is the feature among those that a graph gained.
var ttlBit = Gained(0).with(TTL, true)

// expiring reports whether there may be elements and properties that end.
func (g *Graph) expiring() bool { return Gained(g.gained.Load())&ttlBit != 0 }

// hasEnds refuses the end of a property in a graph that has no such.
func (g *Graph) hasEnds(end uint64) error {
	if end == 0 || g.mayHold(table.ExpiryCell) {
		return nil
	}
	return otherFeature("property", TTL)
}

// TTL bounds how long something may be there.
const (
	TTLMin = time.Second
	TTLMax = 100 * 365 * 24 * time.Hour
)

// Expire has an element end at a time, in place of another one; the zero time is never.
func (t *Tx) Expire(c ElementClass, id uint64, at time.Time) error {
	if err := t.mayExpire(at); err != nil {
		return err
	}
	if err := t.guardElement(c, id); err != nil {
		return err
	}
	return t.expireElement(c, id, at)
}

func (t *Tx) expireElement(c table.Class, id uint64, at time.Time) error {
	if was, err := t.elementEnd(c, id); err != nil {
		return err
	} else if was != 0 {
		if err := t.deleteEnd(table.Expiry{At: was, Class: c, Element: id}); err != nil {
			return err
		}
	}
	key := table.AppendExpiryCell(nil, t.g.number, c, id)
	if at.IsZero() {
		return t.tx.Delete(key)
	}
	end := uint64(at.UnixMilli())
	if err := t.tx.Set(key, binary.BigEndian.AppendUint64(nil, end)); err != nil {
		return err
	}
	return t.setEnd(table.Expiry{At: end, Class: c, Element: id})
}

// mayExpire refuses what no graph without the feature can have.
func (t *Tx) mayExpire(at time.Time) error {
	switch err := t.writable(); {
	case err != nil:
		return err
	case !t.expiring:
		return illegalArgument("graph %s has nothing that expires (setting: %s)", t.g.name, string(TTL))
	case !at.IsZero() && t.g.unexpiring.Load():
		return illegalArgument("graph %s: the feature %s is being turned off, nothing expires any more", t.g.name, string(TTL))
	case !at.IsZero() && (at.UnixMilli() < 1 || at.UnixMilli() > math.MaxInt64/2):
		return illegalArgument("an element cannot expire at %s", at)
	}
	return nil
}

func (t *Tx) setEnd(e table.Expiry) error {
	e.Graph = t.g.number
	return t.tx.Set(table.AppendExpiry(nil, e), nil)
}

func (t *Tx) deleteEnd(e table.Expiry) error {
	e.Graph = t.g.number
	return t.tx.Delete(table.AppendExpiry(nil, e))
}

// elementEnd reads when an element ends, 0 for never.
func (t *Tx) elementEnd(c table.Class, id uint64) (uint64, error) {
	if !t.expiring {
		return 0, nil
	}
	b, err := t.tx.Get(table.AppendExpiryCell(nil, t.g.number, c, id))
	if errors.Is(err, storage.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return decodeEnd(b)
}

func decodeEnd(b []byte) (uint64, error) {
	if len(b) != 8 {
		return 0, corrupt("expiry", nil)
	}
	return binary.BigEndian.Uint64(b), nil
}

// ExpireVertexProperty has a property end at a time; the zero time is never.
func (t *Tx) ExpireVertexProperty(v VertexID, p PropertyEntry, at time.Time) error {
	if err := t.mayExpire(at); err != nil {
		return err
	}
	if p.Ordinal == SlotCounter || p.Ordinal == SlotHidden {
		return illegalArgument("key %s is a counter, which does not expire", t.Name(p.Key))
	}
	if err := t.notRequired(table.VertexClass, uint64(v), p.Key, at); err != nil {
		return err
	}
	c, ok, err := t.propertyCell(v, p)
	if err != nil {
		return err
	}
	if !ok {
		return t.absentProperty(p)
	}
	if err := t.endOfProperty(table.VertexClass, uint64(v), p.Key, p.Ordinal, c.Expires, at); err != nil {
		return err
	}
	c.Expires = endOf(at)
	_, err = t.setPropertyCell(v, p.Key, p.Ordinal, c)
	return err
}

// ExpireEdgeProperty has a property end at a time; the zero time is never.
func (t *Tx) ExpireEdgeProperty(e EdgeID, key string, at time.Time) error {
	if err := t.mayExpire(at); err != nil {
		return err
	}
	sym, ok := t.Symbol(key)
	if !ok {
		return nil
	}
	if err := t.notRequired(table.EdgeClass, uint64(e), sym, at); err != nil {
		return err
	}
	cell, ok, err := t.edgePropertyCell(e, sym)
	if err != nil || !ok {
		return err
	}
	if err := t.endOfProperty(table.EdgeClass, uint64(e), sym, 0, cell.Expires, at); err != nil {
		return err
	}
	cell.Expires = endOf(at)
	return t.writeEdgeProperty(e, sym, cell)
}

// endOf is a time as cells have it.
func endOf(at time.Time) uint64 {
	if at.IsZero() {
		return 0
	}
	return uint64(at.UnixMilli())
}

// endOfProperty changes when a property ends in the table of ends.
func (t *Tx) endOfProperty(c table.Class, id uint64, key Symbol, ordinal, was uint64, at time.Time) error {
	if err := t.forgetEnd(c, id, key, ordinal, was); err != nil || at.IsZero() {
		return err
	}
	return t.setEnd(table.Expiry{At: endOf(at), Class: c, Element: id, Property: true, Key: uint32(key), Ordinal: ordinal})
}

// forgetEnd takes a property that goes out of the table of ends.
func (t *Tx) forgetEnd(c table.Class, id uint64, key Symbol, ordinal, was uint64) error {
	if was == 0 {
		return nil
	}
	return t.deleteEnd(table.Expiry{At: was, Class: c, Element: id, Property: true, Key: uint32(key), Ordinal: ordinal})
}

// notRequired refuses to let a property end that the schema asks for.
func (t *Tx) notRequired(c table.Class, id uint64, key Symbol, at time.Time) error {
	if at.IsZero() {
		return nil
	}
	if _, err := t.definitions(); err != nil || t.rules == nil {
		return err
	}
	label, ok, err := t.elementLabel(c, id)
	if err != nil || !ok {
		return err
	}
	for _, r := range t.rules {
		if r.requires(c, label, key) {
			return illegalArgument("Label %s: key %s is required, and so cannot expire", t.Name(label), t.Name(key))
		}
	}
	return nil
}

// unexpire takes an element that is removed out of the table of ends, with its properties.
func (t *Tx) unexpire(c table.Class, id uint64) error {
	if !t.expiring {
		return nil
	}
	from, to := ownCells(t.g.number, c, id)
	var ends []table.Expiry
	it := t.tx.Scan(storage.ScanOptions{From: from, To: to})
	defer it.Close()
	for it.Next() {
		e, ok, err := endIn(it.Key(), it.Value())
		if err != nil {
			return err
		}
		if ok {
			ends = append(ends, e)
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	for _, e := range ends {
		if err := t.deleteEnd(e); err != nil {
			return err
		}
	}
	return nil
}

// endIn returns the end that a cell of an element's row says, false for none.
func endIn(key, val []byte) (e table.Expiry, ok bool, err error) {
	e.Class = table.VertexClass
	id, f, ok := table.VertexCell(key)
	if !ok {
		e.Class = table.EdgeClass
		if id, f, ok = table.EdgeCell(key); !ok {
			return e, false, nil
		}
	}
	e.Element = id
	switch {
	case f == table.ExpiryCell:
		e.At, err = decodeEnd(val)
	case f == table.Property && e.Class == table.EdgeClass:
		var k table.EdgeProperty
		var c EdgePropertyCell
		if k, err = table.DecodeEdgeProperty(key); err == nil {
			c, err = DecodeEdgePropertyCell(val)
		}
		e.At, e.Property, e.Key = c.Expires, true, k.Key
	case f == table.Property:
		var k table.VertexProperty
		var c PropertyCell
		if k, err = table.DecodeVertexProperty(key); err == nil {
			c, err = DecodePropertyCell(val)
		}
		e.At, e.Property, e.Key, e.Ordinal = c.Expires, true, k.Key, k.Ordinal
	}
	return e, e.At != 0, err
}

// EndIn returns the row of the table of ends that a cell of an element of a graph asks for, for
// the checker; nil for none.
func EndIn(graph uint32, key, val []byte) ([]byte, error) {
	e, ok, err := endIn(key, val)
	if err != nil || !ok {
		return nil, err
	}
	e.Graph = graph
	return table.AppendExpiry(nil, e), nil
}

// expires is the value of the hidden key.
func (t *Tx) expires(c table.Class, id uint64) (value.Value, bool, error) {
	if err := t.endsNow(); err != nil {
		return value.Null, false, err
	}
	end, err := t.elementEnd(c, id)
	return endValue(end, err)
}

// endsNow refuses to say when something ended, as of an earlier time.
func (t *Tx) endsNow() error {
	if t.asOf != 0 && t.expiring {
		return illegalArgument("~expires is not kept in history: ask for it now")
	}
	return nil
}

func endValue(end uint64, err error) (value.Value, bool, error) {
	if err != nil || end == 0 {
		return value.Null, false, err
	}
	return value.OffsetDateTime(time.UnixMilli(int64(end)).UTC()), true, nil
}

// PropertyHidden returns what a hidden key says of a property of an element, false for nothing: when
// it expires.
func (t *Tx) PropertyHidden(c ElementClass, id uint64, p PropertyEntry, key Symbol) (value.Value, bool, error) {
	if key != keyExpires || !t.expiring {
		return value.Null, false, nil
	}
	if err := t.endsNow(); err != nil {
		return value.Null, false, err
	}
	if c == EdgeClass {
		cell, _, err := t.edgePropertyCell(EdgeID(id), p.Key)
		return endValue(cell.Expires, err)
	}
	cell, _, err := t.propertyCell(VertexID(id), p)
	return endValue(cell.Expires, err)
}

// ParseTTL reads how long something is to be there: an ISO-8601 duration as text, or a duration.
func ParseTTL(v value.Value) (time.Duration, error) {
	return parseTTL(v, "want an ISO-8601 duration of at least one second", false)
}

// ParseTTLOrEnd is ParseTTL that takes 0, too, which is for good.
func ParseTTLOrEnd(v value.Value) (time.Duration, error) {
	return parseTTL(v, "want PT0S or an ISO-8601 duration of at least one second", true)
}

func parseTTL(v value.Value, want string, zero bool) (time.Duration, error) {
	said := v
	if v.Kind() == value.KindString {
		if d, err := value.ParseTime(value.KindDuration, v.Str()); err == nil {
			v = d
		}
	}
	switch d, ok := ttlOf(v); {
	case ok && d == 0 && zero, ok && d >= TTLMin && d <= TTLMax:
		return d, nil
	case ok && d > TTLMax:
		return 0, illegalArgument("ttl %s: that is more than 100 years, leave it away", said.Brief())
	}
	text := said.Brief()
	if said.Kind() == value.KindString {
		text = fmt.Sprintf("'%.64s'", said.Str())
	}
	return 0, illegalArgument("ttl %s: %s", text, want)
}

// ttlOf is a duration that is none of too many seconds for a time.Duration.
func ttlOf(v value.Value) (time.Duration, bool) {
	if v.Kind() != value.KindDuration {
		return 0, false
	}
	d := v.Duration()
	if d.Seconds < 0 {
		return 0, false
	}
	return min(time.Duration(min(d.Seconds, int64(2*TTLMax/time.Second)))*time.Second+time.Duration(d.Nanos), 2*TTLMax), true
}
