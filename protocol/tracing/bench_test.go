package tracing

import (
	"io"
	"log/slog"
	"net/http"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// taker takes what a collector would, without a network.
type taker struct{ bytes int64 }

func (t *taker) RoundTrip(r *http.Request) (*http.Response, error) {
	n, err := io.Copy(io.Discard, r.Body)
	t.bytes += n
	return &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Body: http.NoBody, Request: r}, err
}

// BenchmarkTracer is what a request costs that is traced, of microseconds or with four steps and
// a commit: two spans or eight, made and sent in batches. At one in a hundred a hundredth of it
// falls to each request: bar 0.97 of the rate without, over README's table (bench -old, with a
// server that traces).
func BenchmarkTracer(b *testing.B) {
	b.Run("brief", func(b *testing.B) { benchmarkTracer(b, 20*time.Microsecond) })
	b.Run("whole", func(b *testing.B) { benchmarkTracer(b, brief) })
}

func benchmarkTracer(b *testing.B, took time.Duration) {
	tracer, err := New(Options{Endpoint: "http://collector", OneIn: 1}, slog.Default())
	if err != nil {
		b.Fatal(err)
	}
	var to taker
	e := newExporter("http://collector/v1/traces")
	e.client.Transport = &to
	tracer.provider = sdk.NewTracerProvider(sdk.WithBatcher(e), sdk.WithSampler(sdk.AlwaysSample()))
	tracer.tracer = tracer.provider.Tracer("gremlind")
	at := time.Now()
	steps := []Step{{"V(1)", time.Microsecond, 1}, {"out(knows)", time.Microsecond, 3}, {"values(name)", time.Microsecond, 3}, {"limit(10)", time.Microsecond, 3}}
	ended := Ended{Op: "bytecode", Source: "g", ID: "5b0e7c1e-4a4f-4c86-9a3b-5d6ad1a9f0c2", Query: `g.V(1).out("knows").values("name").limit(10)`,
		Code: 200, Results: 3, Remote: "127.0.0.1:51234", Received: at, Began: at, Evaluated: at.Add(took), Answered: at.Add(took)}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r := tracer.Begin("")
		r.Steps(steps)
		if took >= brief {
			r.Commits = at
		}
		r.End(&ended)
		if n++; n%128 == 0 { // the SDK leaves spans out where more than 2,048 wait
			_ = tracer.provider.ForceFlush(b.Context())
		}
	}
	_ = tracer.Close(b.Context())
	b.ReportMetric(float64(to.bytes)/float64(n), "B/sent")
}
