package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpPatience is how long an answer may take on a machine that has other things to do.
const mcpPatience = time.Minute

// assistant starts gremlind mcp as assistants do.
func assistant(t *testing.T, args ...string) (*mcp.ClientSession, context.Context) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), mcpPatience)
	t.Cleanup(cancel)
	cmd := exec.Command(binary, append([]string{"mcp"}, args...)...)
	cmd.Env = append(os.Environ(), "GREMLIN_YAML=")
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: mcpPatience}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("it ends with %v", err)
		}
	})
	return session, ctx
}

// call uses a tool, and returns the texts that it answers.
func call(t *testing.T, ctx context.Context, s *mcp.ClientSession, tool string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	var texts []string
	for _, c := range r.Content {
		texts = append(texts, c.(*mcp.TextContent).Text)
	}
	return strings.Join(texts, "\n"), r.IsError
}

func TestMCP_Tools(t *testing.T) {
	s, ctx := assistant(t, "--sample", "modern", "--max-rows", "3", "--max-bytes", "2000")
	list, err := s.ListTools(ctx, nil)
	if err != nil || len(list.Tools) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, tool := range list.Tools {
		if !tool.Annotations.ReadOnlyHint || tool.Description == "" {
			t.Errorf("%s: %+v", tool.Name, tool.Annotations)
		}
	}
	text, failed := call(t, ctx, s, "schema", nil)
	var schema struct {
		Vertices, Edges struct {
			Count  int
			Labels []struct {
				Label    string
				Count    int
				Keys     map[string]string
				Connects []map[string]string
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &schema); err != nil || failed || schema.Vertices.Count != 6 || schema.Edges.Count != 6 {
		t.Fatalf("%v: %s", err, text)
	}
	if l := schema.Vertices.Labels[0]; l.Label != "person" || l.Count != 4 || l.Keys["age"] != "Integer" || l.Keys["name"] != "String" {
		t.Errorf("%+v", l)
	}
	if l := schema.Edges.Labels[0]; l.Label != "created" || fmt.Sprint(l.Connects) != "[map[from:person to:software]]" {
		t.Errorf("%+v", l)
	}
	type object = map[string]any
	for _, c := range []struct {
		query string
		more  object
		want  string
		fails bool
	}{
		{"g.V().has('name', n).values('age')", object{"bindings": object{"n": "marko"}}, "[\n29\n]", false},
		{"g.V().has('age', P.gt(x)).count()", object{"bindings": object{"x": 30}}, "[\n2\n]", false},
		{"g.V().has('age', P.lt(x)).count()", object{"bindings": object{"x": int64(9007199254740993)}}, "[\n4\n]", false},
		{"g.V().has(T.id, P.within(x)).count()", object{"bindings": object{"x": []int{1, 2}}}, "[\n2\n]", false},
		{"g.V().hasLabel('nobody')", nil, "[]", false},
		{"g.V().values('name').order().limit(4)", nil, "[\n\"josh\",\n\"lop\",\n\"marko\"\n]\nOnly the first 3 results are shown", false},
		{"g.V().values('name').order()", object{"limit": 1}, "[\n\"josh\"\n]\nOnly the first 1 results", false},
		{"g.inject('日本', '" + strings.Repeat("x", 3000) + "')", nil, "[\n\"日本\"\n]\nOnly 1 results are shown: with the next one, of 3002 bytes", false},
		{"g.V().outt()", nil, "did you mean out()?\n  g.V().outt()\n        ^", true},
		{"g.V().fail('stop')", nil, "stop", true},
		{"g.addV('x')", nil, "--write", true},
		{"g.V().map{it.get()}", nil, "error: ", true},
		{"System.exit(0)", nil, "error: ", true},
		{"g.V(); g.V()", nil, "2 statements", true},
		{"nobody.V()", nil, "nobody", true},
		{"g.V().has(unknown, 1)", nil, "unknown", true},
		{"", nil, "is missing", true},
		{"g.V()", object{"limits": 1}, "no argument \"limits\"", true},
		{"g.V()", object{"limit": "many"}, "limit", true},
		{"g.V()", object{"bindings": 7}, "bindings", true},
		{"g.inject(1).repeat(__.identity()).times(2000000000)", object{"timeout_seconds": 0.1}, "100", true},
	} {
		arguments := object{"query": c.query}
		for k, v := range c.more {
			arguments[k] = v
		}
		if text, failed := call(t, ctx, s, "query", arguments); !strings.Contains(text, c.want) || failed != c.fails {
			t.Errorf("%s %v: %v, %s", c.query, c.more, failed, text)
		}
	}
	if text, failed := call(t, ctx, s, "explain", object{"query": "g.V().has('name', n).count()", "bindings": object{"n": "x"}}); failed || !strings.Contains(text, "final\n    GraphStep(vertex,[name.eq(x)]) → CountGlobalStep") {
		t.Errorf("explain: %s", text)
	}
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "nothing"}); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("an unknown tool: %v", err)
	}
	for uri, want := range map[string]string{"gremlin://schema": `"label": "person"`, "gremlin://steps/out": "Walks along edges"} {
		r, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
		if err != nil || !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("%s: %v, %v", uri, r, err)
		}
	}
	if _, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: "gremlin://steps/../steps/out"}); err == nil {
		t.Error("a path out of the steps is read")
	}
}

// TestMCP_Writes writes only when it was told that it may.
func TestMCP_Writes(t *testing.T) {
	dir := t.TempDir()
	reader, ctx := assistant(t, "--data-dir", writeData(t, dir))
	if text, failed := call(t, ctx, reader, "query", map[string]any{"query": "g.V().drop()"}); !failed {
		t.Errorf("dropped: %s", text)
	}
	// The directory is in use by the first, and found through its socket.
	writer, ctx := assistant(t, "--data-dir", dir, "--write")
	if text, failed := call(t, ctx, writer, "query", map[string]any{"query": "v = g.addV('person').property('name', n).next(); g.V(v).values('name')", "bindings": map[string]any{"n": "josh"}}); failed || text != "[\n\"josh\"\n]" {
		t.Errorf("%v %s", failed, text)
	}
	if text, _ := call(t, ctx, reader, "query", map[string]any{"query": "g.V().values('name').order()"}); text != "[\n\"josh\",\n\"marko\"\n]" {
		t.Errorf("%s", text)
	}
}

// writeData makes a directory with one vertex.
func writeData(t *testing.T, dir string) string {
	t.Helper()
	p := serve(t, "--data-dir", dir)
	if code, out := p.post(t, "g.addV('person').property('name', 'marko')"); code != 200 {
		t.Fatal(out)
	}
	p.stop(syscall.SIGTERM)
	return dir
}

// TestMCP_User may do what its user may.
func TestMCP_User(t *testing.T) {
	dir := t.TempDir()
	if out, code := pipe(t, "a password\n", "user", "add", "stephen", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	p := serve(t, "--data-dir", dir, "--auth")
	secret := writeFile(t, "secret", "a password\n")
	s, ctx := assistant(t, "--user", "stephen", "--password-file", secret, queryURL(p))
	if text, failed := call(t, ctx, s, "query", map[string]any{"query": "g.V().count()"}); failed || text != "[\n0\n]" {
		t.Errorf("%v %s", failed, text)
	}
	for want, args := range map[int][]string{
		exitDenied:    {queryURL(p)},
		exitUsage:     {queryURL(p), "--max-rows", "0"},
		exitUnreached: {"ws://127.0.0.1:1"},
	} {
		if out, errs, code := run(t, append([]string{"mcp"}, args...)...); code != want || out != "" {
			t.Errorf("%v: %d %q %s", args, code, out, errs)
		}
	}
}

// TestMCP_Cancelled stops the query of a call that was given up, and no other.
func TestMCP_Cancelled(t *testing.T) {
	dir := t.TempDir()
	serve(t, "--data-dir", dir)
	s, ctx := assistant(t, "--data-dir", dir)
	runs := func() bool {
		out, _, _ := run(t, "status", "--data-dir", dir)
		return strings.Contains(out, "repeat")
	}
	impatient, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() {
		_, err := s.CallTool(impatient, &mcp.CallToolParams{Name: "query", Arguments: map[string]any{"query": "g.inject(1).repeat(__.identity()).times(2000000000)"}})
		done <- err
	}()
	waitFor(t, "the query runs", runs)
	if text, failed := call(t, ctx, s, "query", map[string]any{"query": "g.V().count()"}); failed || text != "[\n0\n]" {
		t.Errorf("beside it: %s", text)
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("the call was answered")
	}
	waitFor(t, "the server has given it up", func() bool { return !runs() })
	if text, failed := call(t, ctx, s, "query", map[string]any{"query": "g.inject(1).repeat(__.identity()).emit().constant('a line that is long enough')"}); failed || !strings.Contains(text, "Only the first 200 results") {
		t.Errorf("without end: %.200s", text)
	}
	waitFor(t, "the server has given that up, too", func() bool { return !runs() })
}

// TestMCP_LostServer says so, and goes on when the server is there again.
func TestMCP_LostServer(t *testing.T) {
	dir := t.TempDir()
	server := serve(t, "--data-dir", dir)
	s, ctx := assistant(t, queryURL(server))
	server.stop(syscall.SIGKILL)
	for range 6 { // more than there are connections
		if text, failed := call(t, ctx, s, "query", map[string]any{"query": "g.V().count()"}); !failed || !strings.Contains(text, "connect") {
			t.Errorf("%v %s", failed, text)
		}
	}
	if text, failed := call(t, ctx, s, "schema", nil); !failed || !strings.Contains(text, "connect") {
		t.Errorf("%v %s", failed, text)
	}
	serveWith(t, binary, "serve", "--port", portOf(server.addr), "--data-dir", dir)
	if text, failed := call(t, ctx, s, "query", map[string]any{"query": "g.V().count()"}); failed || text != "[\n0\n]" {
		t.Errorf("%v %s", failed, text)
	}
}

// TestMCP_Lines speaks the protocol without a library, and wrongly.
func TestMCP_Lines(t *testing.T) {
	cmd := exec.Command(binary, "mcp", "--sample", "modern")
	cmd.Env = append(os.Environ(), "GREMLIN_YAML=")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	overdue := time.AfterFunc(mcpPatience, func() { cmd.Process.Kill() })
	defer overdue.Stop()
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 1<<20)
	for _, c := range []struct{ line, want string }{
		{"nonsense", `-32700`},
		{`{"jsonrpc":"2.0","id":1`, `-32700`},
		{`{"foo":1}`, `-32600`},
		{`[]`, `-32600`},
		{`"text"`, `-32600`},
		{strings.Repeat("x", 9<<20), `longer than`},
		{"\xff\xfe", `-32700`},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, `"serverInfo"`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""},
		{`{"jsonrpc":"2.0","id":2,"method":"what"}`, `-32601`},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":7}`, `"error"`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"query","arguments":[]}}`, `error`},
		{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"query","arguments":{"query":"g.V().count()"}}}`, `[\n6\n]`},
		{`{"jsonrpc":"2.0","id":99,"result":{}}`, ""},
		{"", ""},
		{`{"jsonrpc":"2.0","id":6,"method":"ping"}` + "\r", `"id":6`},
	} {
		if _, err := io.WriteString(in, c.line+"\n"); err != nil {
			t.Fatal(err)
		}
		if c.want == "" {
			continue
		}
		if !answers.Scan() {
			t.Fatalf("%.80s: no answer: %v", c.line, answers.Err())
		}
		if got := answers.Text(); !json.Valid([]byte(got)) || !strings.Contains(got, c.want) {
			t.Errorf("%.80s: %s", c.line, got)
		}
	}
	// A query that runs does not keep it when the assistant has left.
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"query","arguments":{"query":"g.inject(1).repeat(__.identity()).times(2000000000)"}}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	in.Close()
	began := time.Now()
	io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ends with %v after %s", err, time.Since(began))
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it ends after %s", took)
	}
}
