package traversal

import (
	"strconv"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

const asOfOption = "asOf"

// AsOf is the time of what the traversal reads, 0 when that is what is now: what
// with("asOf", x) says.
func (o *SourceOptions) AsOf() (storage.Stamp, error) {
	if o == nil || len(o.With) == 0 {
		return 0, nil
	}
	v, said := o.With[asOfOption]
	if !said {
		return 0, nil
	}
	return ParseAsOf(v)
}

// versionMin is the least number that is a version; lesser ones are milliseconds since 1970.
const versionMin = 1 << 44

// ParseAsOf reads a time or a version. A time stands for all commits of its millisecond.
func ParseAsOf(v value.Value) (storage.Stamp, error) { return ParseVersion(asOfOption, v) }

// ParseVersion is ParseAsOf for what has another name.
func ParseVersion(name string, v value.Value) (storage.Stamp, error) {
	switch v.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return numberAsOf(name, v, v.Int64())
	case value.KindBigInteger:
		if v.BigInt().IsInt64() {
			return numberAsOf(name, v, v.BigInt().Int64())
		}
	case value.KindDate, value.KindTimestamp, value.KindInstant, value.KindOffsetDateTime, value.KindZonedDateTime, value.KindLocalDateTime, value.KindLocalDate:
		return timeAsOf(name, v, v.Time())
	case value.KindString:
		if n, err := strconv.ParseInt(v.Str(), 10, 64); err == nil {
			return numberAsOf(name, v, n)
		}
		for _, k := range [...]value.Kind{value.KindOffsetDateTime, value.KindLocalDateTime, value.KindLocalDate} {
			if t, err := value.ParseTime(k, v.Str()); err == nil {
				return timeAsOf(name, v, t.Time())
			}
		}
	}
	return 0, noAsOf(name, v)
}

func noAsOf(name string, v value.Value) error {
	return illegalArgument("%s '%s': want a date, an ISO-8601 text or a version", name, value.Brief(v.JavaString()))
}

func numberAsOf(name string, v value.Value, n int64) (storage.Stamp, error) {
	if n >= versionMin {
		return storage.Stamp(n), nil
	}
	return timeAsOf(name, v, time.UnixMilli(n))
}

// stampYears are those that stamps can tell.
const stampYears = 2500

func timeAsOf(name string, v value.Value, t time.Time) (storage.Stamp, error) {
	if y := t.UTC().Year(); y < 1970 || y > stampYears {
		return 0, noAsOf(name, v)
	}
	return storage.LastOf(t), nil
}

// Writer is the name of the first step that writes to the graph, "" for none.
func (p *Plan) Writer() (name string) {
	p.Walk(func(n *Node) {
		if e := n.Effects(); name == "" && e&(WritesGraph|Administers) != 0 {
			name = n.Spec.Name
		}
	})
	return name
}
