package assist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	pages "github.com/gremlind/gremlind/docs/steps"
)

// Options say what a server shows, and how much of it.
type Options struct {
	Conn client.Options
	// Source and Language are those of client.Request.
	Source, Language string
	// Write lets queries write: they go to the server as they came, scripts too.
	Write bool
	// Timeout bounds a query, Rows and Bytes the results of one that are handed on.
	Timeout time.Duration
	Rows    int
	Bytes   int
	// Place says where the graph is, Version who serves it.
	Place, Version string
	In             io.ReadCloser
	Out            io.WriteCloser
}

// Server answers one assistant.
type Server struct {
	o     Options
	conns *pool
}

// Run serves until the input ends or ctx does.
func Run(ctx context.Context, o Options) error {
	s := &Server{o: o, conns: newPool(o.Conn)}
	defer s.conns.close()
	if err := s.check(ctx); err != nil {
		return err
	}
	in, out := framed(o.In, o.Out)
	err := s.protocol().Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
	switch {
	case out.failed() != nil:
		return out.failed()
	case ctx.Err() != nil, errors.Is(err, io.EOF):
		return nil // the assistant has left, or the process was told to end
	}
	return err
}

// check asks for nothing, so that a wrong server or password shows at once.
func (s *Server) check(ctx context.Context) error {
	_, err := s.ask(ctx, "g.inject(0).limit(0)", 1)
	return err
}

const instructions = `A property graph, asked in Gremlin (Apache TinkerPop). Call schema first: it says which labels, property keys and
directions of edges there are. Then query, one traversal a call, as g.V().has('person', 'name', 'marko').out('knows').values('name').
Give values as bindings rather than in the text. Ask for little: count(), limit(n), valueMap('name'). explain shows whether an
index is used.`

func (s *Server) protocol() *mcp.Server {
	m := mcp.NewServer(&mcp.Implementation{Name: "gremlind", Title: "Gremlin graph", Version: s.o.Version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
	})
	for _, t := range s.tools() {
		m.AddTool(t.tool, t.handle)
	}
	m.AddResource(&mcp.Resource{
		URI: schemaURI, Name: "schema", MIMEType: "application/json", Description: "What the graph has: labels, keys, directions of edges, indexes.",
	}, s.readSchema)
	m.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: stepURI + "{name}", Name: "step", MIMEType: "text/markdown", Description: "What a Gremlin step does, with examples, as " + stepURI + "out.",
	}, readStep)
	return m
}

// The addresses of resources.
const (
	schemaURI = "gremlin://schema"
	stepURI   = "gremlin://steps/"
)

func (s *Server) readSchema(ctx context.Context, q *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	schema, err := s.schema(ctx)
	if err != nil {
		return nil, err
	}
	text, err := indented(schema)
	return resource(q, "application/json", text), err
}

func readStep(_ context.Context, q *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	page, err := pages.Files.ReadFile(strings.TrimPrefix(q.Params.URI, stepURI) + ".md")
	if err != nil {
		return nil, mcp.ResourceNotFoundError(q.Params.URI)
	}
	return resource(q, "text/markdown", string(page)), nil
}

func resource(q *mcp.ReadResourceRequest, mime, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: q.Params.URI, MIMEType: mime, Text: text}}}
}

func indented(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	return b.String(), err
}

// failed is a result that says what went wrong, for the assistant to read.
func failed(err error) *mcp.CallToolResult {
	r := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("error: %v", err)}}}
	r.IsError = true
	return r
}
