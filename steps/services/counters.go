package services

import (
	"fmt"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// Counters: properties that many clients add to at once.
//
//	V(1).call("gremlind.increment", [key: "views", by: 1])                     the vertex
//	V(1).call("gremlind.increment", [key: "views", interval: "hour"])          likewise, and in this hour
//	V(1).call("gremlind.counter", [key: "views", interval: "hour", from: datetime("2026-11-23")])   {start, count}
var (
	increment = &service{name: "gremlind.increment", kinds: inside, right: traversal.WriteRight, call: callIncrement, params: []traversal.ServiceParam{
		counterParam, {Name: "by", Type: "Long", Doc: "A whole number, 1 without; a negative one takes away (optional)"},
		{Name: "interval", Type: "String, or a List of such", Doc: "minute, hour, day, week, month or year, or a list of such: counts there too (optional)"},
		{Name: "at", Type: "Date", Doc: "The time that the interval is of; now without (optional)"},
	}}
	counter = &service{name: "gremlind.counter", kinds: inside, call: callCounter, params: []traversal.ServiceParam{
		counterParam, {Name: "interval", Type: "String", Doc: "minute, hour, day, week, month or year"},
		{Name: "from", Type: "Date", Doc: "Intervals that begin then or later (optional)"},
		{Name: "to", Type: "Date", Doc: "Intervals that begin before (optional)"},
	}}
	counterParam = traversal.ServiceParam{Name: "key", Type: "String", Doc: "The property key"}
)

// counting returns the element that a call is about.
func counting(c traversal.ServiceCall, name string) (class blueprints.ElementClass, id uint64, err error) {
	switch k := c.In.Kind(); {
	case k != value.KindVertex && k != value.KindEdge:
		return 0, 0, fmt.Errorf("%s is for vertices and edges, not for %s", name, value.Article(k.String()))
	case !c.In.IsStored():
		return 0, 0, fmt.Errorf("%s is for elements of the graph, and this is a copy of one", name)
	case k == value.KindEdge:
		return blueprints.EdgeClass, c.In.Ref(), nil
	}
	return blueprints.VertexClass, c.In.Ref(), nil
}

func callIncrement(c traversal.ServiceCall) (traversal.Cursor, error) {
	class, id, err := counting(c, "gremlind.increment")
	if err != nil {
		return nil, err
	}
	key, err := text(c, "key")
	if err != nil {
		return nil, err
	}
	by := int64(1)
	if v, ok := c.Params.GetString("by"); ok {
		if by, ok = wholeNumber(v); !ok {
			return nil, step.IllegalArgument("the parameter by is a whole number within a Long, not %s", v.Brief())
		}
	}
	at, given, err := timeOf(c, "at")
	if err != nil {
		return nil, err
	}
	if !given {
		at = time.Now()
	}
	units, err := unitsOf(c)
	if err != nil {
		return nil, err
	}
	if given && len(units) == 0 {
		return nil, step.IllegalArgument("the parameter at is the time of an interval: say which, minute, hour, day, week, month or year")
	}
	intervals := make([]blueprints.Interval, len(units))
	for i, u := range units {
		intervals[i] = u.At(at)
	}
	m, err := c.Run.Write()
	if err != nil {
		return nil, err
	}
	// Traversers that are one object stand for as many increments.
	if err := m.Increment(class, id, key, by*max(c.Bulk, 1), intervals...); err != nil {
		return nil, err
	}
	return one(c.In), nil
}

func wholeNumber(v value.Value) (int64, bool) {
	switch v.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return v.Int64(), true
	case value.KindBigInteger:
		return v.BigInt().Int64(), v.BigInt().IsInt64()
	}
	return 0, false
}

// unitsOf reads the parameter interval: a name, or a list of names.
func unitsOf(c traversal.ServiceCall) ([]blueprints.Unit, error) {
	v, ok := c.Params.GetString("interval")
	if !ok {
		return nil, nil
	}
	names := []value.Value{v}
	switch v.Kind() {
	case value.KindList:
		names = v.Elems()
	case value.KindSet:
		names = v.Set().Elems()
	}
	var units []blueprints.Unit
	seen := map[blueprints.Unit]bool{}
	for _, n := range names {
		if n.Kind() != value.KindString {
			return nil, step.IllegalArgument("the parameter interval is a String or a list of such, not %s", n.Brief())
		}
		u, err := blueprints.ParseUnit(n.Str())
		if err != nil {
			return nil, err
		}
		if !seen[u] {
			seen[u] = true
			units = append(units, u)
		}
	}
	return units, nil
}

// timeOf reads a parameter that is a time: a date, an ISO 8601 text, or milliseconds since
// 1970.
func timeOf(c traversal.ServiceCall, name string) (at time.Time, given bool, err error) {
	v, given := c.Params.GetString(name)
	if !given {
		return at, false, nil
	}
	switch v.Kind() {
	case value.KindOffsetDateTime, value.KindDate, value.KindTimestamp, value.KindInstant, value.KindZonedDateTime:
		at = v.Time()
	case value.KindInt, value.KindLong:
		at = time.UnixMilli(v.Int64())
	case value.KindString:
		at, err = lang.DateTime(v.Str())
	default:
		err = fmt.Errorf("no time")
	}
	if year := at.UTC().Year(); err != nil || year < -9999 || year > 9999 {
		return at, true, step.IllegalArgument("the parameter %s is a date, an ISO 8601 text or milliseconds since 1970, not %s", name, v.Brief())
	}
	return at, true, nil
}

// Bounds of what is counted: times that timeOf gives lie between.
var (
	ever  = time.Date(-10000, 1, 1, 0, 0, 0, 0, time.UTC)
	never = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
)

func callCounter(c traversal.ServiceCall) (traversal.Cursor, error) {
	class, id, err := counting(c, "gremlind.counter")
	if err != nil {
		return nil, err
	}
	key, err := text(c, "key")
	if err != nil {
		return nil, err
	}
	units, err := unitsOf(c)
	if err != nil {
		return nil, err
	}
	if len(units) != 1 {
		return nil, step.IllegalArgument("gremlind.counter wants one interval: minute, hour, day, week, month or year; the sum is values('%s')", key)
	}
	n := &countedCursor{r: c.Run, class: class, id: id, unit: units[0], from: ever, to: never}
	if at, given, err := timeOf(c, "from"); err != nil {
		return nil, err
	} else if given {
		n.from = at
	}
	if at, given, err := timeOf(c, "to"); err != nil {
		return nil, err
	} else if given {
		n.to = at
	}
	// Who does not see the property does not see what it is the sum of.
	_, seen, err := c.Run.Property(c.In, key)
	if err != nil {
		return nil, err
	}
	if n.key, n.more = c.Run.View.Symbol(key); !seen {
		n.more = false
	}
	return n, nil
}

// countedCursor reads intervals in their order, some at a time.
type countedCursor struct {
	r        *traversal.Run
	class    blueprints.ElementClass
	id       uint64
	key      blueprints.Symbol
	unit     blueprints.Unit
	from, to time.Time
	more     bool
	found    []blueprints.Counted
}

// countedAtOnce is how many intervals are read with one question.
const countedAtOnce = 256

func (n *countedCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	if !n.more || max <= 0 {
		return dst, nil
	}
	if err := n.r.PollNow(); err != nil {
		return dst, err
	}
	max = min(max, countedAtOnce)
	var err error
	if n.found, err = n.r.View.CountedIn(n.found[:0], n.class, n.id, n.key, n.unit, n.from, n.to, max); err != nil {
		return dst, err
	}
	for _, x := range n.found {
		m := value.NewMapSize(2)
		m.PutString("start", value.OffsetDateTime(x.Start))
		m.PutString("count", value.Long(x.N))
		dst = append(dst, m.Value())
		n.from = x.Start.Add(time.Second)
	}
	n.more = len(n.found) == max
	return dst, nil
}

func (n *countedCursor) Close() {}
