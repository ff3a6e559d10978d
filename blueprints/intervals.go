package blueprints

import (
	"slices"
	"strings"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Unit is a length of the intervals in which a counter is counted beside its sum.
type Unit byte

// The units. Do not renumber: on disk.
const (
	Minute Unit = 1
	Hour   Unit = 2
	Day    Unit = 3
	Week   Unit = 4 // from Monday on
	Month  Unit = 5
	Year   Unit = 6
)

var unitNames = []string{"minute", "hour", "day", "week", "month", "year"}

// ParseUnit returns the unit of a name.
func ParseUnit(name string) (Unit, error) {
	if i := slices.Index(unitNames, strings.ToLower(name)); i >= 0 {
		return Minute + Unit(i), nil
	}
	return 0, illegalArgument("interval %.64q: want one of %s", name, strings.Join(unitNames, ", "))
}

// String names the unit.
func (u Unit) String() string { return unitNames[u-Minute] }

// Interval is one interval of time, in UTC.
type Interval struct {
	Unit  Unit
	Start time.Time
}

// At returns the interval of a unit that a time lies in.
func (u Unit) At(at time.Time) Interval {
	at = at.UTC()
	year, month, day := at.Date()
	switch u {
	case Minute:
		return Interval{u, at.Truncate(time.Minute)}
	case Hour:
		return Interval{u, at.Truncate(time.Hour)}
	case Week:
		day -= (int(at.Weekday()) + 6) % 7
	case Month:
		day = 1
	case Year:
		month, day = time.January, 1
	}
	return Interval{u, time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
}

// Counted is what was counted in one interval.
type Counted struct {
	Start time.Time
	N     int64
}

// CountedIn appends what was counted under a key of an element in the intervals of a unit
// that begin at from or behind it and before to, the first max of them; intervals in which
// nothing was counted are left out.
func (t *Tx) CountedIn(dst []Counted, c ElementClass, id uint64, key Symbol, u Unit, from, to time.Time, max int) ([]Counted, error) {
	is, err := t.isCounter(c, id, key)
	if err != nil || !is {
		return dst, err
	}
	if t.asOf != 0 {
		return dst, t.noPastCounter(key)
	}
	k := table.ElementCounter{Graph: t.g.number, Class: c, Element: id, Key: uint32(key), Interval: byte(u), Start: from.Unix()}
	if from.Nanosecond() > 0 {
		k.Start++
	}
	low := table.AppendElementCounter(nil, k)
	if k.Start = to.Unix(); to.Nanosecond() > 0 {
		k.Start++
	}
	high := table.AppendElementCounter(nil, k)
	if string(low) >= string(high) {
		return dst, nil
	}
	it := t.tx.Scan(storage.ScanOptions{From: low, To: high, Limit: max})
	defer it.Close()
	for n := 0; n < max && it.Next(); n++ {
		k, err := table.DecodeElementCounter(it.Key())
		if err != nil {
			return dst, corrupt("counter", err)
		}
		count, _, err := counterValue(it.Value())
		if err != nil {
			return dst, err
		}
		dst = append(dst, Counted{time.Unix(k.Start, 0).UTC(), count})
	}
	return dst, it.Err()
}
