package keyindex

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/golang/geo/r1"
	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/table"
)

// Region is what points are looked up in: a circle or a box.
type Region struct {
	center Point
	meters float64
	box    *[4]float64 // south, west, north, east
}

// earthRadius is the mean one, in metres.
const earthRadius = 6_371_008.8

// Everywhere is a radius, in metres, within which all points are.
const Everywhere = earthRadius * math.Pi * 1.001

// Around is a circle.
func Around(center Point, meters float64) (Region, error) {
	if !(meters >= 0) {
		return Region{}, fmt.Errorf("meters %v: want 0 or more", meters)
	}
	return Region{center: center, meters: min(meters, Everywhere)}, nil
}

// Box is what lies between two corners. West greater than east is a box across the line of
// 180 degrees.
func Box(south, west, north, east float64) (Region, error) {
	for _, p := range [...][2]float64{{south, west}, {north, east}} {
		if _, err := NewPoint(p[0], p[1]); err != nil {
			return Region{}, err
		}
	}
	if south > north {
		return Region{}, fmt.Errorf("box: south %v is beyond north %v: want [south, west, north, east]", south, north)
	}
	return Region{box: &[4]float64{south, west, north, east}}, nil
}

// margin, in degrees, is more than rounding comes to: what lies in the cells that are read is
// looked at in any case.
const margin = 1e-7

// cells are what holds the region.
func (g *Region) cells() s2.CellUnion {
	coverer := s2.RegionCoverer{MaxLevel: 30, MaxCells: 16}
	if g.box == nil {
		center := s2.PointFromLatLng(s2.LatLngFromDegrees(g.center.Lat, g.center.Lon))
		return coverer.Covering(s2.CapFromCenterAngle(center, s1.Angle(g.meters/earthRadius)+margin*s1.Degree))
	}
	south, west, north, east := g.box[0]-margin, g.box[1], g.box[2]+margin, g.box[3]
	width := east - west
	if width < 0 {
		width += 360
	}
	lng := s1.FullInterval()
	if width+2*margin < 360 {
		lng = s1.IntervalFromEndpoints(turned(west-margin), turned(east+margin))
	}
	rad := math.Pi / 180
	rect := s2.Rect{Lat: r1.Interval{Lo: max(south*rad, -math.Pi/2), Hi: min(north*rad, math.Pi/2)}, Lng: lng}
	return coverer.Covering(rect.PolarClosure())
}

// turned is a longitude in radians, once around the earth at most.
func turned(lon float64) float64 { return math.Remainder(lon, 360) * math.Pi / 180 }

// holds reports whether a point is in the region, and how far it is from its center.
func (g *Region) holds(p Point) (meters float64, ok bool) {
	if g.box == nil {
		a, b := s2.LatLngFromDegrees(g.center.Lat, g.center.Lon), s2.LatLngFromDegrees(p.Lat, p.Lon)
		meters = a.Distance(b).Radians() * earthRadius
		return meters, meters <= g.meters
	}
	south, west, north, east := g.box[0], g.box[1], g.box[2], g.box[3]
	between := func(lon float64) bool {
		if west <= east {
			return lon >= west && lon <= east
		}
		return lon >= west || lon <= east
	}
	inside := between(p.Lon) || (p.Lon == 180 || p.Lon == -180) && between(-p.Lon) || p.Lat == 90 || p.Lat == -90
	return 0, p.Lat >= south && p.Lat <= north && inside
}

// SearchPoints returns the elements of a geo index that have a point in a region, the nearest
// to its center first, of those that are as near the older; Score is how many metres that is.
// What it keeps is charged to a, until release is called.
func SearchPoints(a *account.Account, r storage.Reader, graph uint32, d *Definition, g Region) (all []Found, release func(), err error) {
	release = func() { account.Free(a, all) }
	for _, c := range g.cells() {
		if all, err = searchCell(a, r, graph, d, &g, c, all); err != nil {
			return nil, release, err
		}
	}
	slices.SortFunc(all, func(x, y Found) int { return cmp.Or(cmp.Compare(x.Element, y.Element), cmp.Compare(x.Score, y.Score)) })
	nearest := slices.CompactFunc(all, func(x, y Found) bool { return x.Element == y.Element })
	slices.SortFunc(nearest, func(x, y Found) int { return cmp.Or(cmp.Compare(x.Score, y.Score), cmp.Compare(x.Element, y.Element)) })
	return nearest, release, nil
}

func searchCell(a *account.Account, r storage.Reader, graph uint32, d *Definition, g *Region, c s2.CellID, all []Found) ([]Found, error) {
	from := table.AppendGeoCell(nil, graph, d.Number, 0, uint64(c.RangeMin()))
	to := table.AppendGeoCell(nil, graph, d.Number, 0, uint64(c.RangeMax()))
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, to)})
	defer it.Close()
	for it.Next() {
		k, v := it.Key(), it.Value()
		if len(k) < elementLen || len(v) != pointLen {
			return all, fmt.Errorf("index entry: %w", storage.ErrCorrupt)
		}
		p := Point{math.Float64frombits(binary.BigEndian.Uint64(v)), math.Float64frombits(binary.BigEndian.Uint64(v[8:]))}
		meters, ok := g.holds(p)
		if !ok {
			continue
		}
		var err error
		if all, err = account.Append(a, all, Found{binary.BigEndian.Uint64(k[len(k)-elementLen:]), meters}); err != nil {
			return all, err
		}
	}
	return all, it.Err()
}
