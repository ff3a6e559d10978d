package tracing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/segmentio/encoding/json"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// exporter sends spans to a collector: OTLP as JSON over HTTP. The SDK's own for HTTP brings
// gRPC and protobuf's reflection along, a fifth of the server once more, for what is a
// document of four levels.
type exporter struct {
	url    string
	client *http.Client
	sent   int // bytes of the batch before, which the next one takes about
}

var _ sdk.SpanExporter = (*exporter)(nil)

// exportTimeout bounds one delivery.
const exportTimeout = 10 * time.Second

func newExporter(url string) *exporter {
	return &exporter{url: url, client: &http.Client{
		Timeout:       exportTimeout,
		Transport:     http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// ExportSpans sends one batch; the SDK calls it for one after the other.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	body, err := json.Append(make([]byte, 0, e.sent+e.sent/8), documentOf(spans), 0)
	if err != nil {
		return err
	}
	e.sent = len(body)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := e.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, answerBytes) // so that the connection serves again
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s answers %s", e.url, resp.Status)
	}
	return nil
}

// answerBytes is how much of a collector's answer is read.
const answerBytes = 64 << 10

// Shutdown ends idle connections.
func (e *exporter) Shutdown(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}

// The document, by the names of OTLP: ids are hexadecimal, numbers of 64 bits are texts.
type (
	document struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   attributes   `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	attributes struct {
		Attributes []keyValue `json:"attributes"`
	}
	scopeSpans struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []span `json:"spans"`
	}
	span struct {
		TraceID    string     `json:"traceId"`
		SpanID     string     `json:"spanId"`
		ParentID   string     `json:"parentSpanId,omitempty"`
		State      string     `json:"traceState,omitempty"`
		Name       string     `json:"name"`
		Kind       int        `json:"kind"`
		Start      int64      `json:"startTimeUnixNano,string"`
		End        int64      `json:"endTimeUnixNano,string"`
		Attributes []keyValue `json:"attributes,omitempty"`
		Status     status     `json:"status"`
	}
	status struct {
		Code    int    `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
	keyValue struct {
		Key   string   `json:"key"`
		Value anyValue `json:"value"`
	}
	anyValue struct {
		Text *string `json:"stringValue,omitempty"`
		Int  *int64  `json:"intValue,string,omitempty"`
	}
)

func documentOf(spans []sdk.ReadOnlySpan) *document {
	if len(spans) == 0 {
		return &document{ResourceSpans: []resourceSpans{}}
	}
	scope := scopeSpans{Spans: make([]span, len(spans))}
	scope.Scope.Name = spans[0].InstrumentationScope().Name // all are of one
	for i, s := range spans {
		scope.Spans[i] = spanOf(s)
	}
	about := attributes{keyValues(spans[0].Resource().Attributes())}
	return &document{[]resourceSpans{{Resource: about, ScopeSpans: []scopeSpans{scope}}}}
}

func spanOf(s sdk.ReadOnlySpan) span {
	c := s.SpanContext()
	out := span{
		TraceID: c.TraceID().String(), SpanID: c.SpanID().String(), State: c.TraceState().String(), Name: s.Name(), Kind: int(s.SpanKind()),
		Start: s.StartTime().UnixNano(), End: s.EndTime().UnixNano(), Attributes: keyValues(s.Attributes()),
	}
	if p := s.Parent(); p.HasSpanID() {
		out.ParentID = p.SpanID().String()
	}
	if s.Status().Code == codes.Error {
		out.Status = status{Code: otlpError, Message: s.Status().Description}
	}
	return out
}

// otlpError is what OTLP calls the status of an error, where the SDK has another number.
const otlpError = 2

// keyValues are attributes, which are texts and whole numbers here.
func keyValues(list []attribute.KeyValue) []keyValue {
	out := make([]keyValue, len(list))
	for i, a := range list {
		out[i].Key = string(a.Key)
		if a.Value.Type() == attribute.INT64 {
			n := a.Value.AsInt64()
			out[i].Value.Int = &n
			continue
		}
		text := a.Value.AsString()
		out[i].Value.Text = &text
	}
	return out
}
