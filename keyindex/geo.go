package keyindex

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/golang/geo/s2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Points is the analyzer of geo indexes: it takes values as points of the earth's surface.
const Points = "geo"

func (d *Definition) validGeo() error {
	switch {
	case d.Analyzer != Points:
		return fmt.Errorf("Index %s: the analyzer is %s, not %q", d.Name, Points, d.Analyzer)
	case d.Unique:
		return fmt.Errorf("Index %s: an index of points cannot be unique", d.Name)
	case d.Direction != "":
		return fmt.Errorf("Index %s: an index of points has no direction", d.Name)
	}
	return nil
}

// Point is a place on the earth's surface, in degrees.
type Point struct{ Lat, Lon float64 }

// NewPoint returns an error unless there is such a place.
func NewPoint(lat, lon float64) (Point, error) {
	switch {
	case !(lat >= -90 && lat <= 90):
		return Point{}, fmt.Errorf("lat %v: want -90 to 90", lat)
	case !(lon >= -180 && lon <= 180):
		return Point{}, fmt.Errorf("lon %v: want -180 to 180", lon)
	}
	return Point{lat, lon}, nil
}

// PointOf reads a point as elements have it: [lat, lon], or GeoJSON's map with the type Point
// and the coordinates [lon, lat].
func PointOf(v value.Value) (Point, error) {
	want := func() (Point, error) {
		return Point{}, fmt.Errorf("%s is no point: want [lat, lon], or [type: 'Point', coordinates: [lon, lat]]", v.Brief())
	}
	list, turned := v, false
	if v.Kind() == value.KindMap {
		kind, _ := v.Map().GetString("type")
		if kind.Kind() != value.KindString || kind.Str() != "Point" {
			return want()
		}
		list, _ = v.Map().GetString("coordinates")
		turned = true
	}
	if list.Kind() != value.KindList || len(list.Elems()) < 2 || !turned && len(list.Elems()) != 2 || len(list.Elems()) > 3 {
		return want() // GeoJSON may have a height behind
	}
	a, aok := Degrees(list.Elems()[0])
	b, bok := Degrees(list.Elems()[1])
	if !aok || !bok {
		return want()
	}
	if turned {
		a, b = b, a
	}
	return NewPoint(a, b)
}

// Degrees is a number as a float.
func Degrees(v value.Value) (float64, bool) {
	switch k := v.Kind(); k {
	case value.KindFloat, value.KindDouble:
		return v.Float64(), true
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return float64(v.Int64()), true
	default:
		f, err := strconv.ParseFloat(v.JavaString(), 64)
		return f, k.IsNumber() && err == nil
	}
}

// cell is the place of a point in the index. A pole has one, and so has the line of 180
// degrees.
func (p Point) cell() s2.CellID {
	lat, lon := p.Lat, p.Lon
	if lat == 90 || lat == -90 {
		lon = 0
	}
	if lon == -180 {
		lon = 180
	}
	return s2.CellIDFromLatLng(s2.LatLngFromDegrees(lat, lon))
}

// PointError is returned when a value of an indexed key is no point.
type PointError struct {
	Index   string
	Element uint64
	err     error
}

func (e *PointError) Error() string { return fmt.Sprintf("Index %s: %v", e.Index, e.err) }

const (
	cellLen  = 8
	pointLen = 16
)

// points makes n the points of an element: the cell of each, with latitude and longitude
// behind it. Of points in one cell, which is a centimetre wide, one is kept.
func (n *Entries) points(d *Definition, e *Element, els Elements) error {
	n.ordered = true
	for _, symbol := range d.Symbols {
		var err error
		if n.vals, err = els.Values(n.vals[:0], e.Class, e.ID, symbol); err != nil {
			return err
		}
		for _, v := range n.vals {
			if v.IsNull() {
				continue
			}
			p, err := PointOf(v)
			if err != nil {
				return &PointError{d.Name, e.ID, err}
			}
			start := len(n.buf)
			n.buf = binary.BigEndian.AppendUint64(n.buf, uint64(p.cell()))
			n.buf = binary.BigEndian.AppendUint64(n.buf, math.Float64bits(p.Lat))
			n.buf = binary.BigEndian.AppendUint64(n.buf, math.Float64bits(p.Lon))
			n.list = append(n.list, entry{start: start, end: len(n.buf)})
			if len(n.list) > EntriesMax {
				return &TooManyError{d.Name}
			}
		}
	}
	at := func(e entry) []byte { return n.buf[e.start:e.end] }
	slices.SortFunc(n.list, func(a, b entry) int { return bytes.Compare(at(a), at(b)) })
	n.list = slices.CompactFunc(n.list, func(a, b entry) bool { return bytes.Equal(at(a)[:cellLen], at(b)[:cellLen]) })
	return nil
}

// geoIndex is an index of points. There are no reverse rows, as in textIndex.
type geoIndex struct{ opened }

// GeoEntryOf is the entry of values as points makes them, and what stands behind its key.
func GeoEntryOf(graph, number uint32, element uint64, values []byte) (table.GeoEntry, []byte) {
	e := table.GeoEntry{Graph: graph, Index: number, Element: element}
	if len(values) != cellLen+pointLen {
		return e, nil
	}
	e.Cell = binary.BigEndian.Uint64(values)
	return e, values[cellLen:]
}

func (x *geoIndex) entry(id uint64, values []byte) (key, val []byte) {
	e, val := GeoEntryOf(x.graph, x.def.Number, id, values)
	x.key = table.AppendGeoEntry(x.key[:0], e)
	return x.key, val
}

func (x *geoIndex) Put(tx storage.Tx, _ Elements, e *Element, values []byte, _ bool) error {
	return tx.Set(x.entry(e.ID, values))
}

func (x *geoIndex) Take(tx storage.Tx, e *Element, values []byte) error {
	key, _ := x.entry(e.ID, values)
	return tx.Delete(key)
}

func (x *geoIndex) Holds(r storage.Reader, e *Element, values []byte) (bool, error) {
	key, val := x.entry(e.ID, values)
	got, err := r.Get(key)
	if isAbsent(err) {
		return false, nil
	}
	return bytes.Equal(got, val), err
}

func (x *geoIndex) Range() (from, to []byte) {
	from = table.AppendGeoIndex(nil, x.graph, x.def.Number)
	return from, table.PrefixEnd(nil, from)
}

func (x *geoIndex) Owner(dst []uint64, key, val []byte) ([]uint64, []byte, bool, error) {
	e, err := table.DecodeGeoEntry(key)
	if err == nil && len(val) != pointLen {
		err = fmt.Errorf("%w: a point of %d bytes", table.ErrKey, len(val))
	}
	x.row = append(binary.BigEndian.AppendUint64(x.row[:0], e.Cell), val...)
	return append(dst, e.Element), x.row, true, damaged(err)
}

func (x *geoIndex) Erase(tx storage.Tx, key, _ []byte) error { return tx.Delete(key) }
