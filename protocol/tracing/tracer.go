package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Options say where spans go and of which requests they are.
type Options struct {
	// Endpoint is the URL of the collector's OTLP over HTTP; without a path /v1/traces.
	Endpoint string
	// OneIn is the number of requests of which one is sampled, at random, beside those whose
	// client says that it samples; 0: only those.
	OneIn   int
	Version string // of the server
}

// Tracer samples requests. A nil Tracer samples none.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	oneIn    int
}

// target is the URL that spans are sent to.
func (o *Options) target() (string, error) {
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%.100q is not the URL of a collector, as http://localhost:4318", o.Endpoint)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/traces"
	}
	return u.String(), nil
}

// Check reports what is wrong with options.
func (o *Options) Check() error {
	if o.Endpoint == "" {
		return nil
	}
	_, err := o.target()
	return err
}

// New returns a Tracer, nil without an Endpoint; log hears of spans that the collector did not
// take.
func New(o Options, log *slog.Logger) (*Tracer, error) {
	if o.Endpoint == "" {
		return nil, nil
	}
	target, err := o.target()
	if err != nil {
		return nil, err
	}
	otel.SetErrorHandler(seldom(log))
	about := resource.NewSchemaless(attribute.String("service.name", "gremlind"), attribute.String("service.version", o.Version))
	p := sdk.NewTracerProvider(sdk.WithBatcher(newExporter(target)), sdk.WithResource(about), sdk.WithSampler(sdk.AlwaysSample()))
	return &Tracer{provider: p, tracer: p.Tracer("gremlind"), oneIn: o.OneIn}, nil
}

// errorPeriod is how long nothing more is said of a collector that takes no spans.
const errorPeriod = 30 * time.Second

func seldom(log *slog.Logger) otel.ErrorHandlerFunc {
	var next atomic.Int64
	return func(err error) {
		now := time.Now().UnixNano()
		if due := next.Load(); now >= due && next.CompareAndSwap(due, now+int64(errorPeriod)) {
			log.Warn("the collector of traces took no spans: requests go on without", "error", err)
		}
	}
}

// Close sends what is left until ctx ends.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

var w3c propagation.TraceContext

// Begin returns the trace of a request, nil when it is not sampled. parent is a traceparent as
// W3C has it: where it is one the client decides. What is none counts as nothing.
func (t *Tracer) Begin(parent string) *Request {
	ctx := context.Background()
	if parent != "" {
		ctx = w3c.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
	}
	client := trace.SpanContextFromContext(ctx)
	if client.IsValid() && !client.IsSampled() || !client.IsValid() && !t.chosen() {
		return nil
	}
	return &Request{tracer: t.tracer, parent: ctx, wanted: client.IsValid()}
}

func (t *Tracer) chosen() bool { return t.oneIn > 0 && rand.IntN(t.oneIn) == 0 }
