package indexhost

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// randomPoint lies anywhere, or near a pole or the line of 180 degrees.
func randomPoint(r *rand.Rand) (lat, lon float64) {
	lat, lon = 180*r.Float64()-90, 360*r.Float64()-180
	switch r.IntN(6) {
	case 0:
		lat = []float64{90, -90, 89.9999, -89.99}[r.IntN(4)]
	case 1:
		lon = []float64{180, -180, 179.9999, -179.99}[r.IntN(4)]
	case 2:
		lat, lon = float64(r.IntN(7)-3)*30, float64(r.IntN(7)-3)*60
	}
	return lat, lon
}

func pointValue(r *rand.Rand, lat, lon float64) value.Value {
	if r.IntN(2) == 0 {
		return value.List([]value.Value{value.Double(lat), value.Double(lon)})
	}
	m := value.NewMap()
	m.PutString("type", value.String("Point"))
	m.PutString("coordinates", value.List([]value.Value{value.Double(lon), value.Double(lat)}))
	return m.Value()
}

// apart is the way between two points over the sphere, in metres.
func apart(a, b [2]float64) float64 {
	rad := math.Pi / 180
	sa, sb := math.Sin((b[0]-a[0])*rad/2), math.Sin((b[1]-a[1])*rad/2)
	h := sa*sa + math.Cos(a[0]*rad)*math.Cos(b[0]*rad)*sb*sb
	return 2 * 6_371_008.8 * math.Asin(min(1, math.Sqrt(h)))
}

// randomRegion is a circle or a box, and what tells whether a point is in it.
func randomRegion(r *rand.Rand) (region keyindex.Region, inside func([2]float64) bool, err error) {
	lat, lon := randomPoint(r)
	c := [2]float64{lat, lon}
	meters := math.Pow(10, 2+5.4*r.Float64())
	region, err = keyindex.Around(keyindex.Point{Lat: lat, Lon: lon}, meters)
	inside = func(p [2]float64) bool { return apart(c, p) <= meters }
	if r.IntN(2) == 0 {
		south, west := randomPoint(r)
		north, east := randomPoint(r)
		south, north = min(south, north), max(south, north)
		region, err = keyindex.Box(south, west, north, east)
		inside = func(p [2]float64) bool {
			in := false
			for _, x := range []float64{p[1], p[1] + 360, p[1] - 360} {
				end := east
				if end < west {
					end += 360
				}
				in = in || x >= west && x <= end
			}
			return p[0] >= south && p[0] <= north && (in || math.Abs(p[0]) == 90)
		}
	}
	return region, inside, err
}

// testPoints: what is found are the points that are there, wherever on the earth, while
// they move.
func testPoints(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		g := newGraph(t, blueprints.Options{Isolation: level})
		seed := rand.Uint64()
		t.Log("seed", seed)
		r := rand.New(rand.NewPCG(seed, 1))
		places := map[blueprints.VertexID][2]float64{}
		var vs []blueprints.VertexID
		move := func(tx *blueprints.Tx, v blueprints.VertexID) {
			lat, lon := randomPoint(r)
			places[v] = [2]float64{lat, lon}
			if _, err := tx.SetVertexProperty(v, "single", "where", pointValue(r, lat, lon), value.Null, nil); err != nil {
				t.Fatal(err)
			}
		}
		update(t, g, func(tx *blueprints.Tx) error {
			for range 300 {
				vs = append(vs, addVertex(t, tx, "place"))
				move(tx, vs[len(vs)-1])
			}
			return nil
		})
		Declare(t, g, blueprints.IndexSpec{Name: "w", Class: blueprints.VertexClass, Keys: []string{"where"}, Analyzer: "geo"})
		for range 150 {
			update(t, g, func(tx *blueprints.Tx) error { move(tx, vs[r.IntN(len(vs))]); return nil })
			region, inside, err := randomRegion(r)
			if err != nil {
				t.Fatal(err)
			}
			var want []uint64
			for _, v := range vs {
				if inside(places[v]) {
					want = append(want, uint64(v))
				}
			}
			view(t, g, func(tx *blueprints.Tx) {
				_, found, release, err := tx.SearchPoints(nil, "w", region)
				defer release()
				if err != nil {
					t.Fatal(err)
				}
				var got []uint64
				for i, f := range found {
					if got = append(got, f.Element); i > 0 && f.Score < found[i-1].Score {
						t.Error("not the nearest first")
					}
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("%+v: %v, want %v", region, got, want)
				}
			})
		}
		Verified(t, g, "w")
		wantSound(t, g)
	}
}
