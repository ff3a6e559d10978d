package assist

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/query"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/storage/value"
)

// tool is one tool and what answers it.
type tool struct {
	tool   *mcp.Tool
	handle mcp.ToolHandler
}

// arguments are those of all tools.
type arguments struct {
	Query    string          `json:"query"`
	Bindings json.RawMessage `json:"bindings"`
	Limit    int             `json:"limit"`
	Timeout  float64         `json:"timeout_seconds"`
}

func (s *Server) tools() []tool {
	no := false
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}
	asks := &mcp.ToolAnnotations{ReadOnlyHint: !s.o.Write, OpenWorldHint: &no}
	may := "It can only read: one traversal a call, no scripts."
	if s.o.Write {
		may = "It may write, and each call commits what it wrote."
	}
	return []tool{
		{&mcp.Tool{
			Name: "schema", Title: "Schema of the graph", Annotations: reads, InputSchema: object(nil),
			Description: "What the graph has: labels of vertices and edges with their counts and property keys, which labels the edges connect, indexes.",
		}, s.schemaTool},
		{&mcp.Tool{
			Name: "query", Title: "Query the graph", Annotations: asks,
			Description: fmt.Sprintf("Runs Gremlin and answers the results as a JSON array. %s At most %d results and %d bytes are shown; a note says when there are more.", may, s.o.Rows, s.o.Bytes),
			InputSchema: object(map[string]any{
				"query":           property("string", "Gremlin, as g.V().has('name', name).out('knows').valueMap()"),
				"bindings":        property("object", "values of the variables in the query, by name"),
				"limit":           bounded("integer", fmt.Sprintf("most results to show; %d unless it is given", s.o.Rows), 1, s.o.Rows),
				"timeout_seconds": bounded("number", fmt.Sprintf("most time; %g unless it is given", s.o.Timeout.Seconds()), 0, s.o.Timeout.Seconds()),
			}, "query"),
		}, s.queryTool},
		{&mcp.Tool{
			Name: "explain", Title: "Explain a query", Annotations: reads,
			Description: "Shows the plan of a traversal without running it: what each strategy makes of it, and which labels or keys the graph does not know.",
			InputSchema: object(map[string]any{
				"query":    property("string", "one traversal"),
				"bindings": property("object", "values of the variables in it, by name"),
			}, "query"),
		}, s.explainTool},
	}
}

func object(properties map[string]any, required ...string) map[string]any {
	o := map[string]any{"type": "object", "additionalProperties": false}
	if properties != nil {
		o["properties"], o["required"] = properties, required
	}
	return o
}

func property(kind, doc string) map[string]any {
	return map[string]any{"type": kind, "description": doc}
}

func bounded(kind, doc string, least, most any) map[string]any {
	p := property(kind, doc)
	p["minimum"], p["maximum"] = least, most
	return p
}

// read reads the arguments of a call.
func (s *Server) read(q *mcp.CallToolRequest, names ...string) (*arguments, *value.Map, error) {
	a := &arguments{}
	raw := q.Params.Arguments
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	given := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, nil, errors.New("the arguments are an object")
	}
	for name := range given {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+name+" ") {
			return nil, nil, fmt.Errorf("there is no argument %q: %s takes %s", name, q.Params.Name, listed(names))
		}
	}
	if err := json.Unmarshal(raw, a); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, nil, fmt.Errorf("the argument %s cannot be a %s", wrong.Field, wrong.Value)
		}
		return nil, nil, err
	}
	if len(names) > 0 && strings.TrimSpace(a.Query) == "" {
		return nil, nil, errors.New("the argument query is missing: Gremlin, as g.V().count()")
	}
	bindings, err := query.Object(a.Bindings)
	if err != nil {
		return nil, nil, fmt.Errorf("bindings: %w", err)
	}
	if a.Limit <= 0 || a.Limit > s.o.Rows {
		a.Limit = s.o.Rows
	}
	if a.Timeout <= 0 || a.Timeout > s.o.Timeout.Seconds() {
		a.Timeout = s.o.Timeout.Seconds()
	}
	return a, bindings, nil
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (s *Server) schemaTool(ctx context.Context, q *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if _, _, err := s.read(q); err != nil {
		return failed(err), nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	schema, err := s.schema(ctx)
	if err != nil {
		return failed(err), nil
	}
	text, err := indented(schema)
	return answer(text), err
}

func (s *Server) queryTool(ctx context.Context, q *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a, bindings, err := s.read(q, "query", "bindings", "limit", "timeout_seconds")
	if err != nil {
		return failed(err), nil
	}
	r := &client.Request{Gremlin: a.Query, Bindings: bindings, Source: s.o.Source, Language: s.o.Language}
	if !s.o.Write {
		if r, err = s.reading(a.Query, bindings); err != nil {
			return failed(err), nil
		}
	}
	r.Timeout = time.Duration(a.Timeout * float64(time.Second))
	ctx, cancel := context.WithTimeout(ctx, r.Timeout+grace)
	defer cancel()
	rows, err := s.collect(ctx, r, a.Limit, s.o.Bytes)
	if err != nil {
		if ctx.Err() == context.DeadlineExceeded {
			err = fmt.Errorf("it took more than %s, and was stopped", r.Timeout)
		}
		return failed(query.Located(r.Gremlin, err)), nil
	}
	return answer(append([]string{rows.json()}, rows.notes...)...), nil
}

// grace is what a server has beyond the time of a query to say itself that it was up.
const grace = 2 * time.Second

// reading is the request of a query that cannot write.
func (s *Server) reading(text string, bindings *value.Map) (*client.Request, error) {
	t, err := parse(text, bindings)
	if err == nil {
		t, err = t.readOnly()
	}
	if err != nil {
		return nil, err
	}
	return s.request(t, t.text()), nil
}

// request is one of gremlin-lang.
func (s *Server) request(t *traversalOf, text string) *client.Request {
	r := &client.Request{Gremlin: text, Source: s.o.Source, Language: languageLang}
	if t.source != "" {
		r.Source = t.source
	}
	if r.Source == "" {
		r.Source = sourceName // the reference's gremlin-lang knows what is aliased alone
	}
	return r
}

func (s *Server) explainTool(ctx context.Context, q *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a, bindings, err := s.read(q, "query", "bindings")
	if err != nil {
		return failed(err), nil
	}
	t, err := parse(a.Query, bindings)
	if err != nil {
		return failed(err), nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	rows, err := s.collect(ctx, s.request(t, t.text()+".explain()"), 1, ownBytes)
	if err != nil {
		return failed(err), nil
	}
	var b strings.Builder
	out := render.New(render.Table, &limited{w: &b, left: s.o.Bytes}, render.Options{})
	if err := errors.Join(out.Write(rows.values), out.Close()); err != nil && !errors.Is(err, errLimit) {
		return failed(err), nil
	}
	return answer(b.String()), nil
}

// errLimit is returned when a text is as long as it may be.
var errLimit = errors.New("too long")

// limited hands on so many bytes.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.left {
		_, _ = io.WriteString(l.w, strings.ToValidUTF8(string(p[:l.left]), "")+"\n(cut)\n") // into memory
		l.left = 0
		return 0, errLimit
	}
	l.left -= len(p)
	return l.w.Write(p)
}

func answer(texts ...string) *mcp.CallToolResult {
	r := &mcp.CallToolResult{}
	for _, t := range texts {
		r.Content = append(r.Content, &mcp.TextContent{Text: t})
	}
	return r
}
