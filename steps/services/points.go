package services

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Elements by points of theirs, as a geo index has them: the nearest first, within a circle,
// or the nearest few of all; or those within a box, which may lie across the line of 180 degrees.
//
//	call("gremlind.near", [index: "where", lat: 40.04, lon: -86.9, meters: 500])
//	call("gremlind.near", [index: "where", lat: 40.04, lon: -86.9, limit: 10]).with("distance")    {element, distance}
//	call("gremlind.within", [index: "where", box: [south, west, north, east]])
var (
	near = &service{name: "gremlind.near", kinds: atStart, call: callNear, params: []traversal.ServiceParam{
		indexParam, {Name: "lat", Type: "Double", Doc: "The latitude, in degrees"}, {Name: "lon", Type: "Double", Doc: "The longitude, in degrees"},
		{Name: "meters", Type: "Double", Doc: "How far elements are at most (optional with limit)"},
		limitParam, {Name: "distance", Type: "Boolean", Doc: "true gives maps of element and distance in metres (optional)"},
	}}
	within = &service{name: "gremlind.within", kinds: atStart, call: callWithin, params: []traversal.ServiceParam{
		indexParam, {Name: "box", Type: "List of Doubles", Doc: "[south, west, north, east], in degrees"}, limitParam,
	}}
)

// degrees reads a parameter that is a number.
func degrees(c traversal.ServiceCall, name string) (f float64, given bool, err error) {
	v, given := c.Params.GetString(name)
	if !given {
		return 0, false, nil
	}
	f, ok := keyindex.Degrees(v)
	if !ok {
		return 0, true, fmt.Errorf("the parameter %s is a number, not %s", name, v.Brief())
	}
	return f, true, nil
}

// nearAtFirst is how far nearest elements are looked for at first, in metres, and fartherBy
// how many times as far when there are not enough.
const (
	nearAtFirst = 1000
	fartherBy   = 8
)

func callNear(c traversal.ServiceCall) (traversal.Cursor, error) {
	if _, err := searched(c); err != nil {
		return nil, err
	}
	var at [2]float64
	for i, name := range []string{"lat", "lon"} {
		f, given, err := degrees(c, name)
		if err != nil {
			return nil, err
		}
		if at[i] = f; !given {
			return nil, fmt.Errorf("Missing %s parameter", name)
		}
	}
	center, err := keyindex.NewPoint(at[0], at[1])
	if err != nil {
		return nil, step.IllegalArgument("%s", err.Error())
	}
	meters, bounded, err := degrees(c, "meters")
	if err != nil {
		return nil, err
	}
	limit, err := limitOf(c)
	if err != nil {
		return nil, err
	}
	if !bounded && limit < 0 {
		return nil, fmt.Errorf("gremlind.near needs meters, or a limit, or both")
	}
	if !bounded {
		meters = nearAtFirst
	}
	for {
		region, err := keyindex.Around(center, meters)
		if err != nil {
			return nil, step.IllegalArgument("%s", err.Error())
		}
		found, err := searchPoints(c, region, limit)
		if err != nil || bounded || len(found.found) >= limit || meters >= keyindex.Everywhere {
			return found, err
		}
		found.Close()
		if err := c.Run.PollNow(); err != nil {
			return nil, err
		}
		meters *= fartherBy
	}
}

func callWithin(c traversal.ServiceCall) (traversal.Cursor, error) {
	if _, err := searched(c); err != nil {
		return nil, err
	}
	v, ok := c.Params.GetString("box")
	if !ok {
		return nil, fmt.Errorf("Missing box parameter")
	}
	var corners []float64
	if v.Kind() == value.KindList {
		for _, x := range v.Elems() {
			if f, ok := keyindex.Degrees(x); ok {
				corners = append(corners, f)
			}
		}
	}
	if len(corners) != 4 || len(v.Elems()) != 4 {
		return nil, fmt.Errorf("the parameter box is [south, west, north, east], in degrees, not %s", v.Brief())
	}
	region, err := keyindex.Box(corners[0], corners[1], corners[2], corners[3])
	if err != nil {
		return nil, step.IllegalArgument("%s", err.Error())
	}
	limit, err := limitOf(c)
	if err != nil {
		return nil, err
	}
	return searchPoints(c, region, limit)
}

func searchPoints(c traversal.ServiceCall, region blueprints.Region, limit int) (*foundCursor, error) {
	tx, err := searched(c)
	if err != nil {
		return nil, err
	}
	return findIn(c, "distance", limit, func(index string) (blueprints.ElementClass, []blueprints.FoundElement, func(), error) {
		return tx.SearchPoints(c.Run.Account, index, region)
	})
}
