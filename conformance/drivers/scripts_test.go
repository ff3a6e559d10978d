//go:build drivers

package drivers

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/storage/value"
)

// TestScripts sends the scripts that drivers, their suites and the console send, and
// compares the answers with those of a Gremlin Server 3.8.1, which
//
//	go test -tags drivers -run Scripts ./conformance/drivers -url ws://... -record
//
// writes into testdata/scripts; testdata/own-scripts has what gremlind answers otherwise.
// A case is
//
//	eval [source=gmodern] [lang=gremlin-lang] [session=name] [bind=(x:1,...)] [message] [timeout=ms]
//
// followed by the script. Each line of the answer is one result with its type; of an
// error it is the status and the exception's class, with message its text too.
func TestScripts(t *testing.T) {
	s := start(t)
	if *record {
		golden.Rewrite(t)
	}
	paths := []string{filepath.Join("testdata", "scripts"), filepath.Join("testdata", "own-scripts")}
	switch {
	case *target != "":
		paths = paths[:1]
	case *record:
		paths = paths[1:]
	}
	for _, path := range paths {
		datadriven.Walk(t, path, func(t *testing.T, path string) { s.scripts(t, path) })
	}
}

func (s *subject) scripts(t *testing.T, path string) {
	r, found := &scripts{url: s.url(), conns: map[string]*client.Conn{}}, differences{}
	defer r.close()
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		answer, err := r.answer(d)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		return found.compare(d, answer)
	})
	found.report(t)
}

// scripts keeps a connection per session; "" is that without one.
type scripts struct {
	url   string
	conns map[string]*client.Conn
}

func (r *scripts) close() {
	for _, c := range r.conns {
		c.Close()
	}
}

func (r *scripts) answer(d *datadriven.TestData) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if d.Cmd != "eval" {
		return "", fmt.Errorf("unknown command %s", d.Cmd)
	}
	q, err := parseScript(d)
	if err != nil {
		return "", err
	}
	c := r.conns[q.session]
	if c == nil {
		if c, err = client.Dial(ctx, r.url); err != nil {
			return "", err
		}
		r.conns[q.session] = c
	}
	results, err := c.Send(ctx, q.processor, "eval", q.args)
	var b strings.Builder
	for _, v := range results {
		fmt.Fprintln(&b, typed(v))
	}
	var status *client.StatusError
	switch {
	case errors.As(err, &status):
		fmt.Fprintln(&b, statusText(status, q.message))
	case err != nil:
		return "", err
	case len(results) == 0:
		b.WriteString("nothing\n")
	}
	return b.String(), nil
}

type scriptRequest struct {
	session, processor string
	args               *value.Map
	message            bool
}

func parseScript(d *datadriven.TestData) (*scriptRequest, error) {
	q := &scriptRequest{args: value.NewMap()}
	aliases, bindings := value.NewMap(), value.NewMap()
	q.args.PutString("gremlin", value.String(d.Input))
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "source":
			aliases.PutString("g", value.String(a.Vals[0]))
		case "alias":
			name, to, _ := strings.Cut(a.Vals[0], ":")
			aliases.PutString(name, value.String(to))
		case "lang":
			q.args.PutString("language", value.String(a.Vals[0]))
		case "session":
			q.session, q.processor = a.Vals[0], "session"
			q.args.PutString("session", value.String(a.Vals[0]))
		case "bind":
			for _, b := range a.Vals {
				name, text, _ := strings.Cut(b, ":")
				bindings.PutString(name, binding(text))
			}
		case "timeout":
			n, err := strconv.ParseInt(a.Vals[0], 10, 64)
			if err != nil {
				return nil, err
			}
			q.args.PutString("evaluationTimeout", value.Long(n))
		case "message":
			q.message = true
		default:
			return nil, fmt.Errorf("unknown argument %s", a.Key)
		}
	}
	if aliases.Len() > 0 {
		q.args.PutString("aliases", aliases.Value())
	}
	if bindings.Len() > 0 {
		q.args.PutString("bindings", bindings.Value())
	}
	return q, nil
}

// binding is an int, or a text; $1 is the text 1.
func binding(text string) value.Value {
	if s, ok := strings.CutPrefix(text, "$"); ok {
		return value.String(s)
	}
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		return value.Int(int32(n))
	}
	return value.String(text)
}

func statusText(e *client.StatusError, message bool) string {
	s := fmt.Sprintf("error %d", e.Code)
	for _, a := range e.Attributes {
		if a.Key == "exceptions" && len(a.Value.Elems()) > 0 {
			s += " " + a.Value.Elems()[0].JavaString()
		}
	}
	if message {
		text, _, _ := strings.Cut(e.Message, "\nPossible solutions:")
		s += ": " + text
	}
	return s
}

// typed prints a value with its type; within collections too.
func typed(v value.Value) string {
	list := func(vs []value.Value) string {
		texts := make([]string, len(vs))
		for i, e := range vs {
			texts[i] = typed(e)
		}
		return strings.Join(texts, ", ")
	}
	switch v.Kind() {
	case value.KindNull:
		return "null"
	case value.KindList:
		return "[" + list(v.Elems()) + "]"
	case value.KindSet:
		return "{" + list(v.Set().Elems()) + "}"
	case value.KindPath:
		return "path[" + list(v.Path().Objects) + "]"
	case value.KindMap:
		m, entries := v.Map(), []string{}
		for i := range m.Len() {
			k, e := m.Entry(i)
			entries = append(entries, typed(k)+": "+typed(e))
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case value.KindString:
		return strconv.Quote(v.Str())
	case value.KindVertex, value.KindEdge:
		// Without properties it came as a reference.
		return fmt.Sprintf("%s with %d properties", v.JavaString(), len(v.Detached().Properties))
	}
	return fmt.Sprintf("%#v", v)
}
