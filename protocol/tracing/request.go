package tracing

import (
	"context"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Request is the trace of a request.
type Request struct {
	tracer trace.Tracer
	parent context.Context
	wanted bool // by its client, not by chance
	steps  []Step
	// Commits is when its commit began, zero where there was none.
	Commits time.Time
}

// brief is how long something takes that is not worth a span of its own in a trace that chance
// alone made: a request of microseconds would take as long again for them.
const brief = time.Millisecond

func (r *Request) worth(took time.Duration) bool { return r.wanted || took >= brief }

// Step is a step of a traversal, with the time that it took for itself.
type Step struct {
	Name string
	Took time.Duration
	Rows int64
}

// Steps takes note of what steps took.
func (r *Request) Steps(list []Step) { r.steps = list }

// Ended is a request that was answered.
type Ended struct {
	Op, ID, Source, Query, User, SeesAs, Remote, Session string

	Received, Began, Evaluated, Answered time.Time // Began and Evaluated may be zero

	Code    int32
	Failure string // "" for none
	Results int64
}

// End makes the spans of a request.
func (r *Request) End(e *Ended) {
	ctx, span := r.tracer.Start(r.parent, e.Op+" "+e.Source, trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(e.Received),
		trace.WithAttributes(e.attributes()...))
	if e.Failure != "" {
		span.SetStatus(codes.Error, e.Failure)
	}
	if !e.Began.IsZero() {
		if r.worth(e.Began.Sub(e.Received)) {
			r.child(ctx, "wait", e.Received, e.Began)
		}
		if !e.Evaluated.IsZero() {
			r.evaluation(ctx, e)
		}
	}
	if !r.Commits.IsZero() {
		r.child(ctx, "commit", r.Commits, e.Answered)
	}
	span.End(trace.WithTimestamp(e.Answered))
}

func (e *Ended) attributes() []attribute.KeyValue {
	list := []attribute.KeyValue{
		attribute.String("db.system.name", "gremlind"), attribute.String("db.namespace", e.Source),
		attribute.String("db.operation.name", e.Op), attribute.String("db.query.text", e.Query),
		attribute.Int("db.response.status_code", int(e.Code)), attribute.Int64("db.response.returned_rows", e.Results),
		attribute.String("client.address", e.Remote), attribute.String("gremlind.request", e.ID),
	}
	for key, text := range map[string]string{"user.name": e.User, "gremlind.see_as": e.SeesAs, "session.id": e.Session} {
		if text != "" {
			list = append(list, attribute.String(key, text))
		}
	}
	return list
}

// evaluation makes the span of the evaluation and those of the steps: the time that a step
// took comes in many pieces, which are shown as one, behind those of the steps before it.
// A brief evaluation has them in a text.
func (r *Request) evaluation(ctx context.Context, e *Ended) {
	if !r.worth(e.Evaluated.Sub(e.Began)) {
		r.child(ctx, "evaluate", e.Began, e.Evaluated, attribute.String("gremlind.steps", r.told()))
		return
	}
	ctx, span := r.tracer.Start(ctx, "evaluate", trace.WithTimestamp(e.Began))
	at := e.Began
	for _, s := range r.steps {
		r.child(ctx, s.Name, at, at.Add(s.Took), attribute.Int64("gremlind.rows", s.Rows))
		at = at.Add(s.Took)
	}
	span.End(trace.WithTimestamp(e.Evaluated))
}

// told tells the steps with the microseconds that they took and their rows.
func (r *Request) told() string {
	var b []byte
	for i, s := range r.steps {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(b, s.Name...), ' ')
		b = append(strconv.AppendFloat(b, float64(s.Took)/float64(time.Microsecond), 'f', 1, 64), "µs "...)
		b = strconv.AppendInt(b, s.Rows, 10)
	}
	return string(b)
}

func (r *Request) child(ctx context.Context, name string, from, to time.Time, about ...attribute.KeyValue) {
	_, span := r.tracer.Start(ctx, name, trace.WithTimestamp(from), trace.WithAttributes(about...))
	span.End(trace.WithTimestamp(to))
}
