package steps

import (
	"time"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// dateAdd() moves dates.
//
//	dateAdd(DT.day, 7)  dateAdd(DT.hour, -1)
var dateAddSpec = step.Mapped(traversal.Spec{
	Name: "dateAdd", Class: "DateAddStep", Doc: "Moves dates by seconds, minutes, hours or days.",
	Prepare: func(n *traversal.Node) error {
		unit, ok := dateUnits[n.Value(0).Str()]
		if n.Value(0).Kind() != value.KindDT || !ok {
			return step.IllegalArgument("DT tokens should only be second, minute, hour, or day.")
		}
		k := n.Value(1).Kind()
		if len(n.Args) != 2 || k != value.KindInt && k != value.KindLong {
			return step.IllegalArgument("dateAdd() takes an Integer, not %s", n.Value(1).Brief())
		}
		n.Data = dateStep{seconds: n.Value(1).Int64() * unit}
		return nil
	},
}, func(n *traversal.Node, _ *traversal.Run) (traversal.Func, error) {
	by := n.Data.(dateStep).seconds
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		at, ok := dateOf(t.Value)
		if !ok {
			return value.Null, false, step.IllegalArgument("dateAdd() accept only OffsetDateTime or Date (deprecated).")
		}
		// A Duration of Go ends after 292 years: seconds do not.
		moved := time.Unix(at.Unix()+by, int64(at.Nanosecond())).In(at.Location())
		return value.OffsetDateTime(moved), true, nil
	}, nil
})

type dateStep struct{ seconds int64 }

// dateUnits are the constants of DT in seconds.
var dateUnits = map[string]int64{"second": 1, "minute": 60, "hour": 3600, "day": 86400}

// dateDiff() gives the milliseconds from another date to the traverser's, as a Long.
//
//	dateDiff(datetime("2024-01-01"))  dateDiff(select("a"))
//
// Without another date (null) it is 1970.
var dateDiffSpec = step.Mapped(traversal.Spec{
	Name: "dateDiff", Class: "DateDiffStep", Doc: "Gives the milliseconds between dates.", Prepare: step.OneArg,
}, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	other, err := step.NewOperand(n, r, n.Args[0])
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		at, ok := dateOf(t.Value)
		if !ok {
			return value.Null, false, notDate(t.Value)
		}
		v, err := other.Get(t)
		if err != nil {
			return value.Null, false, err
		}
		since, ok := dateOf(v)
		if !ok && !v.IsNull() {
			return value.Null, false, notDate(v)
		}
		ms := at.UnixMilli()
		if ok {
			ms = millisBetween(since, at)
		}
		return value.Long(ms), true, nil
	}, nil
})

// millisBetween is Duration.between(a, b).toMillis(), which cuts what is below a
// millisecond off.
func millisBetween(a, b time.Time) int64 {
	seconds := b.Unix() - a.Unix()
	nanos := int64(b.Nanosecond()) - int64(a.Nanosecond())
	if seconds > 0 && nanos < 0 {
		seconds, nanos = seconds-1, nanos+1e9
	} else if seconds < 0 && nanos > 0 {
		seconds, nanos = seconds+1, nanos-1e9
	}
	return seconds*1000 + nanos/1e6
}

func notDate(v value.Value) error {
	class := "null"
	if !v.IsNull() {
		class = step.ClassName(v)
	}
	return step.IllegalArgument("DateDiff can only take OffsetDateTime or Date (deprecated) as argument, encountered %s", class)
}
