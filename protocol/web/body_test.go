package web

import (
	"bytes"
	"errors"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

const anID = "6f0b6d1c-5a3e-4f0c-9d3f-0123456789ab"

func TestParseJSON(t *testing.T) {
	for body, want := range map[string]string{
		`{"gremlin":"g.V()"}`:                             `{gremlin=g.V()}`,
		"\xef\xbb\xbf" + `{"gremlin":"g"}`:                `{gremlin=g}`,
		`{"gremlin":"g","language":"gremlin-lang"}`:       `{gremlin=g, language=gremlin-lang}`,
		`{"gremlin":"g","bindings":{"y":2,"x":[1,null]}}`: `{gremlin=g, bindings={x=[1, null], y=2}}`,
		`{"gremlin":"g","bindings":null,"language":null}`: `{gremlin=g}`,
		`{"gremlin":"g","aliases":{"g":"gmodern"}}`:       `{gremlin=g, aliases={g=gmodern}}`,
		`{"gremlin":"g","batchSize":5,"unknown":1}`:       `{gremlin=g, batchSize=5}`,
		`{"gremlin":"g","evaluationTimeout":1.5}`:         `{gremlin=g, evaluationTimeout=1.5}`,
		`{"gremlin":"g","materializeProperties":"all"}`:   `{gremlin=g, materializeProperties=all}`,
		`{"gremlin":"g"} x`:                               "data after the request",
		`{"gremlin":"g"}{}`:                               "data after the request",
		`{"gremlin":""}`:                                  "no gremlin script supplied",
		`{"gremlin":1}`:                                   "no gremlin script supplied",
		`{}`:                                              "no gremlin script supplied",
		`null`:                                            "could not be parsed",
		`[]`:                                              "could not be parsed",
		``:                                                "could not be parsed",
		`{"gremlin":"g","bindings":[1]}`:                  "bindings must be a Map",
		`{"gremlin":"g","aliases":"g"}`:                   "aliases must be a Map",
		`{"gremlin":"g","requestId":"x"}`:                 "requestId is not a UUID",
		`{"gremlin":"g","requestId":7}`:                   "requestId is not a UUID",
	} {
		task := request.NewTask()
		err := parseJSON([]byte(body), task)
		if err == nil && task.Req.Args.Value().JavaString() != want {
			t.Errorf("%s: %s, want %s", body, task.Req.Args.Value().JavaString(), want)
		}
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

func TestNewRequest(t *testing.T) {
	for _, parse := range []func(*request.Task) error{
		func(task *request.Task) error {
			return parseJSON([]byte(`{"gremlin":"g","requestId":"`+anID+`"}`), task)
		},
		func(task *request.Task) error {
			return parseQuery(url.Values{"gremlin": {"g"}, "requestId": {anID}}, task)
		},
	} {
		task := request.NewTask()
		if err := parse(task); err != nil || task.ID() != anID || task.Req.Op != message.OpEval {
			t.Errorf("%v: request %v of id %s", err, task.Req.Op, task.ID())
		}
	}
	a, b := request.NewTask(), request.NewTask()
	if err := errors.Join(newRequest(a, ""), newRequest(b, "")); err != nil || a.Req.ID == b.Req.ID || a.Req.ID == uuid.Nil {
		t.Errorf("%v: ids %s and %s of requests that have none", err, a.ID(), b.ID())
	}
}

// TestQueryAndJSONAgree: texts mean the same in the query string and in the body.
func TestQueryAndJSONAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.MapOf(rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_.]{0,8}`), rapid.String())
		bindings, aliases := texts.Draw(t, "bindings"), texts.Draw(t, "aliases")
		script := rapid.StringN(1, 20, 100).Draw(t, "script")
		q := url.Values{"gremlin": {script}, "language": {"gremlin-lang"}, "other": {"1"}, "bindings": {"x"}, "bindings.": {"x"}}
		args, b, a := value.NewMap(), value.NewMap(), value.NewMap()
		for name, text := range bindings {
			q.Set("bindings."+name, text)
			b.PutString(name, value.String(text))
		}
		for name, text := range aliases {
			q.Set("aliases."+name, text)
			a.PutString(name, value.String(text))
		}
		args.PutString("gremlin", value.String(script))
		args.PutString("language", value.String("gremlin-lang"))
		if len(bindings) > 0 {
			args.PutString("bindings", b.Value())
		}
		if len(aliases) > 0 {
			args.PutString("aliases", a.Value())
		}
		task := request.NewTask()
		again, err := url.ParseQuery(q.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if err := parseQuery(again, task); err != nil {
			t.Fatal(err)
		}
		if got := task.Req.Args.Value(); !value.Equal(got, args.Value()) {
			t.Errorf("got %s, want %s", got.JavaString(), args.Value().JavaString())
		}
	})
}

func TestJSONNumber(t *testing.T) {
	for text, want := range map[string]value.Value{
		"0": value.Long(0), "-7": value.Long(-7), "9223372036854775807": value.Long(math.MaxInt64),
		"9223372036854775808": value.Double(9223372036854775808), "1.0": value.Double(1), "1e2": value.Double(100),
		"-0": value.Long(0), "1e400": value.Double(math.Inf(1)), "-1e400": value.Double(math.Inf(-1)),
	} {
		if got := jsonNumber(text); !value.Identical(got, want) {
			t.Errorf("%s: %s of kind %v, want %s", text, got.JavaString(), got.Kind(), want.JavaString())
		}
	}
}

func TestAcceptedMimes(t *testing.T) {
	for header, want := range map[string][]string{
		"":                                 {"*/*"},
		"  ":                               {"*/*"},
		"application/json":                 {"application/json"},
		"Application/JSON; charset=utf-8":  {"application/json"},
		"a/b;q=0.5, c/d;q=0.7, e/f":        {"e/f", "c/d", "a/b"},
		"a/b, c/d":                         {"a/b", "c/d"},
		"a/b;q=0, c/d":                     {"c/d"},
		"application/x; types=false, a/b":  {"application/x;types=false", "a/b"},
		"a/b;q=x, c/d;q=0.9":               {"a/b", "c/d"},
		"a;b;=, a/b":                       {"a/b"},
		"application/vnd.x+json;types=yes": {"application/vnd.x+json"},
	} {
		if got := acceptedMimes(header); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

// TestReadCharged: what is read is whole, and charged by the room that it takes, but for
// what is free.
func TestReadCharged(t *testing.T) {
	for _, n := range []int{0, 1, request.FreeMessage - 1, request.FreeMessage, request.FreeMessage + 1, 5 * request.FreeMessage} {
		want := bytes.Repeat([]byte("0123456789"), n/10+1)[:n]
		for _, said := range []int64{-1, 0, 10, int64(n)} {
			memory := account.New(nil, "queryMemory", 1<<20)
			got, err := readCharged(iotest.HalfReader(bytes.NewReader(want)), said, memory)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes: %d were read (%v)", n, len(got), err)
			}
			charged := int64(0)
			if cap(got) > request.FreeMessage {
				charged = int64(cap(got))
			}
			if memory.Used() != charged {
				t.Errorf("%d bytes: %d are charged, %d are taken", n, memory.Used(), cap(got))
			}
		}
	}
	_, err := readCharged(bytes.NewReader(make([]byte, 100<<10)), -1, account.New(nil, "queryMemory", 50<<10))
	if !errors.Is(err, account.ErrLimit) {
		t.Errorf("more than may be kept: %v", err)
	}
	broken := errors.New("broken")
	if _, err := readCharged(iotest.ErrReader(broken), -1, account.New(nil, "queryMemory", 0)); !errors.Is(err, broken) {
		t.Errorf("a body that breaks off: %v", err)
	}
}

func TestBodyCodec(t *testing.T) {
	s := New(newDesk(t, nil), false)
	binary := "\x20" + message.MimeGraphBinary + "\x81"
	for _, x := range []struct {
		contentType, body, payload string
		codec                      bool
		fails                      string
	}{
		{message.MimeJSON, "{}", "{}", false, ""},
		{"", "{}", "{}", false, ""},
		{"text/plain", "{}", "{}", false, ""},
		{message.MimeGraphBinary, "\x81abc", "\x81abc", true, ""},
		{message.MimeGraphBinary, "", "", true, ""},
		{"", binary, "\x81", true, ""},
		{message.MimeGraphBinary, binary, "\x81", true, ""},
		{message.MimeGraphSON1 + message.Untyped, binary, "", true, "Content-Type says"},
		{"", "\x10application/other{}", "", false, "application/othe"},
	} {
		codec, payload, err := s.bodyCodec(x.contentType, []byte(x.body))
		if x.fails != "" {
			if err == nil || !strings.Contains(err.Error(), x.fails) {
				t.Errorf("%s with %q: %v, want %s", x.contentType, x.body, err, x.fails)
			}
			continue
		}
		if err != nil || (codec != nil) != x.codec || string(payload) != x.payload {
			t.Errorf("%s with %q: codec %v, payload %q, %v", x.contentType, x.body, codec, payload, err)
		}
	}
}
