package blueprints

import (
	"fmt"
	"math"

	"github.com/gremlind/gremlind/storage/account"
)

// Limits are what a graph may hold and what may be asked of it. Zero is no limit. They are
// about the running server and not about what is stored, so programs that do not know them
// read the graph all the same.
type Limits struct {
	// ReadOnly graphs take no writes.
	ReadOnly bool `json:"readOnly,omitempty"`
	// Vertices, Edges and Bytes bound what the graph holds: the first two exactly, bytes on
	// disk as far as the store can tell.
	Vertices int64 `json:"vertices,omitempty"`
	Edges    int64 `json:"edges,omitempty"`
	Bytes    int64 `json:"bytes,omitempty"`
	// Requests is how many requests a second reach the graph, Memory what all that run keep.
	Requests int64 `json:"requests,omitempty"`
	Memory   int64 `json:"memory,omitempty"`
	// Timeout (in milliseconds) and RequestMemory bound each request, AtOnce how many run.
	Timeout       int64 `json:"timeout,omitempty"`
	RequestMemory int64 `json:"requestMemory,omitempty"`
	AtOnce        int64 `json:"atOnce,omitempty"`
}

// The names of the options that are limits.
const (
	OptionReadOnly      = "readOnly"
	OptionVertices      = "quota.vertices"
	OptionEdges         = "quota.edges"
	OptionBytes         = "quota.bytes"
	OptionRequests      = "quota.requests"
	OptionMemory        = "quota.memory"
	OptionTimeout       = "limit.evaluationTimeout"
	OptionRequestMemory = "limit.queryMemory"
	OptionAtOnce        = "limit.requests"
)

var limitKeys = []optionKey{
	flagKey(OptionReadOnly, func(o *Options) *bool { return &o.Limits.ReadOnly }),
	numberKey(OptionVertices, func(o *Options) *int64 { return &o.Limits.Vertices }),
	numberKey(OptionEdges, func(o *Options) *int64 { return &o.Limits.Edges }),
	numberKey(OptionBytes, func(o *Options) *int64 { return &o.Limits.Bytes }),
	numberKey(OptionRequests, func(o *Options) *int64 { return &o.Limits.Requests }),
	numberKey(OptionMemory, func(o *Options) *int64 { return &o.Limits.Memory }),
	numberKey(OptionTimeout, func(o *Options) *int64 { return &o.Limits.Timeout }),
	numberKey(OptionRequestMemory, func(o *Options) *int64 { return &o.Limits.RequestMemory }),
	numberKey(OptionAtOnce, func(o *Options) *int64 { return &o.Limits.AtOnce }),
}

// check says what is wrong with limits of a graph in memory or on disk.
func (l *Limits) check(inMemory bool) error {
	for i := range limitKeys {
		if k := &limitKeys[i]; k.number != nil {
			if n := *k.number(&Options{Limits: *l}); n < 0 {
				return fmt.Errorf("%s: %d is less than 0", k.name, n)
			}
		}
	}
	switch {
	case l.Bytes > 0 && inMemory:
		return fmt.Errorf("%s: a graph in memory has no bytes on disk; %s and %s bound it", OptionBytes, OptionVertices, OptionEdges)
	case l.Timeout > math.MaxInt32: // 24 days, so that it is no Duration too many
		return fmt.Errorf("%s: %d ms is more than %d", OptionTimeout, l.Timeout, math.MaxInt32)
	}
	return nil
}

// FullError refuses a commit by which a graph would hold more than it may.
type FullError struct {
	Graph, Setting string
	What           string // what there would be too many of
	Has, Max, More int64
	// Untold says that the error keeps to itself how much there is, of which something is
	// denied to who reads it.
	Untold bool
	pace   *account.Pace
}

// Pace is that of the graph, nil for a load, of which there is one at a time.
func (e *FullError) Pace() *account.Pace { return e.pace }

// Error tells how full the graph is.
func (e *FullError) Error() string {
	switch {
	case e.Untold && e.Setting == OptionBytes:
		return fmt.Sprintf("graph %s is full (%s)", e.Graph, e.Setting)
	case e.Untold:
		return fmt.Sprintf("graph %s has no room for %d more %s (%s)", e.Graph, e.More, e.What, e.Setting)
	}
	if e.Has >= e.Max || e.Setting == OptionBytes {
		return fmt.Sprintf("graph %s is full: %d of %d %s (%s)", e.Graph, e.Has, e.Max, e.What, e.Setting)
	}
	return fmt.Sprintf("graph %s has %d of %d %s (%s): there is no room for %d more", e.Graph, e.Has, e.Max, e.What, e.Setting, e.More)
}

// JavaClass returns the class that clients are told.
func (e *FullError) JavaClass() string { return "java.lang.IllegalStateException" }
