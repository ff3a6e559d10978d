package services_test

import (
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestCounters: what was counted in intervals is told of all times that can be given, to the
// ends of them, and of those between from and to.
func TestCounters(t *testing.T) {
	g := open(t, "modern")
	const add, read = "gremlind.increment", "gremlind.counter"
	c := newCaller(t, g)
	first, last := "-9999-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
	for _, at := range []string{first, "2026-11-23T10:20:30Z", "2026-11-23T10:59:00Z", last} {
		c.want("v[1]", add, c.vertex(1), "key", "views", "by", 2, "interval", []any{"minute", "week", "year"}, "at", at)
	}
	for _, x := range []struct {
		want   string
		params []any
	}{
		{"{start=-9999-01-01T00:00Z, count=2} {start=2026-11-23T00:00Z, count=4} {start=9999-12-27T00:00Z, count=2}", []any{"interval", "week"}},
		{"{start=-9999-01-01T00:00Z, count=2} {start=2026-01-01T00:00Z, count=4} {start=9999-01-01T00:00Z, count=2}", []any{"interval", "year"}},
		{"{start=-9999-01-01T00:00Z, count=2} {start=2026-11-23T10:20Z, count=2} {start=2026-11-23T10:59Z, count=2} {start=9999-12-31T23:59Z, count=2}", []any{"interval", "minute"}},
		{"{start=2026-11-23T10:59Z, count=2}", []any{"interval", "minute", "from", "2026-11-23T10:20:30Z", "to", "2026-11-23T10:59:01Z"}},
		{"{start=2026-11-23T10:20Z, count=2}", []any{"interval", "minute", "from", "2026-11-23T10:20:00Z", "to", "2026-11-23T10:59:00Z"}},
		{"error: gremlind.counter wants one interval: minute, hour, day, week, month or year; the sum is values('views')", nil},
	} {
		c.want(x.want, read, c.vertex(1), append([]any{"key", "views"}, x.params...)...)
	}
	c.want("", read, c.vertex(2), "key", "views", "interval", "year")
	c.want("error: gremlind.counter is for vertices and edges, not for an Integer", read, value.Int(1), "key", "views", "interval", "year")
	for _, at := range []string{"10000-01-01T00:00:00Z", "-10000-12-31T23:59:59Z"} {
		c.want("error: the parameter at is a date, an ISO 8601 text or milliseconds since 1970, not "+at, add, c.vertex(1), "key", "views", "interval", "year", "at", at)
	}
}
