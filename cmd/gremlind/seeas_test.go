package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// sightRows are what requests answer that see as another user, over every way in.
var sightRows = []struct{ user, as, text, want string }{
	{"root", "", "g.V(1).values('age')", "29"},
	{"root", "bob", "g.V(1).values('age')", ""},
	{"root", "bob", "g.V(1).out().values('name')", "vadas josh"},
	{"root", "bob", "g.addV('x')", "!user bob (seen by root) may not write to graph social"},
	{"root", "ann", "g.V().count()", "6"},
	{"root", "ann", "g.addV('x')", "!user ann (seen by root) may not write to graph social"},
	{"root", "other", "g.call('gremlind.graph.list')", "social"},
	{"root", "other", "g.call('gremlind.running')", "!user other (seen by root) may not administer graphs"},
	{"root", "other", "g.call('gremlind.users')", ""},
	{"root", "zed", "g.V().count()", "!user root may not see as zed: there is no user of that name; who shows a token alone is not known by name"},
	{"ann", "bob", "g.V().count()", "!user ann may not see as bob: only who administers"},
	{"ann", "zed", "g.V().count()", "!user ann may not see as zed: only who administers"},
	{"ann", "ann", "g.V().count()", "!user ann may not see as ann: only who administers"},
	{"other", "root", "g.V().count()", "!user other may not see as root: only who administers"},
	{"blind", "ann", "g.V().count()", "!user blind may not see as ann: only who administers"},
	{"ann", "", "g.call('gremlind.users')", ""},
	{"root", "", "g.call('gremlind.users')", "ann blind bob other"},
}

// TestSeeAs: who administers everything sees what another user does, and changes nothing; to
// all others it is refused, and both names are written down.
func TestSeeAs(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "audit")
	for _, args := range [][]string{
		{"role", "add", "clerk", "--allow", "write", "--deny-keys", "age", "--deny-edge-labels", "created"},
		{"role", "add", "quiet", "--allow", "read", "--steps", "!call"},
		{"user", "add", "root", "--role", "admin"}, {"user", "add", "ann", "--role", "write"}, {"user", "add", "bob", "--role", "clerk"},
		{"user", "add", "other", "--role", "admin", "--graph", "elsewhere", "--graph", "social"}, {"user", "add", "blind", "--role", "admin,quiet"},
	} {
		if out, code := pipe(t, "a password\n", append(args, "--data-dir", dir)...); code != exitDone {
			t.Fatal(out)
		}
	}
	p := serve(t, "--data-dir", dir, "--auth", "--set", "auditFile="+file, writeFile(t, "g.yaml", "graphs:\n  social: {sample: modern}\ntraversalSources: {g: social}\n"))
	for way, ask := range map[string]func(user, as, text string) string{"POST": p.seeByPost(t), "GET": p.seeByGet(t), "WebSocket": p.seeByWebSocket(t)} {
		for _, row := range sightRows {
			if got := ask(row.user, row.as, row.text); !matchesRow(got, row.want) {
				t.Errorf("%s as %s by %s: %s\n got %s\nwant %s", row.user, row.as, way, row.text, got, row.want)
			}
		}
	}
	for _, want := range []map[string]string{
		{"msg": "request sees as another user", "user": "root", "seeAs": "bob", "query": "values(", "remote": "127.0.0.1:"},
		{"msg": "request refused", "user": "root", "seeAs": "bob", "query": "g.addV('x')"},
		{"msg": "request refused", "user": "ann", "why": "see as bob", "query": "count()"},
	} {
		if lines := auditLines(t, file); !hasLine(lines, want) {
			t.Errorf("no line %v in %v", want, lines)
		}
	}
	p.seenAgain(t)
	p.sightEnds(t, dir)
}

// sightEnds: requests under way are listed with both names, and end with the rights of who
// asked for them.
func (p *process) sightEnds(t *testing.T, dir string) {
	t.Helper()
	if out, code := pipe(t, "a password\n", "user", "add", "boss", "--role", "admin", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	ended := make(chan string)
	go func() { ended <- p.seeByPost(t)("boss", "ann", "g.inject(1).repeat(__.identity()).until(__.is(2))") }()
	waitFor(t, "it runs", func() bool {
		return p.seeByPost(t)("root", "", "g.call('gremlind.running').where(__.select('seeAs').is('ann')).select('user')") == "boss"
	})
	if got := p.seeByPost(t)("ann", "", "g.inject(1)"); got != "1" {
		t.Error(got)
	}
	if out, code := pipe(t, "", "user", "rm", "boss", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	if got := <-ended; !strings.Contains(got, "the user is gone") {
		t.Error(got)
	}
}

func (p *process) seeByPost(t *testing.T) func(user, as, text string) string {
	return func(user, as, text string) string {
		body := fmt.Sprintf(`{"gremlin":%q}`, text)
		if as != "" {
			body = fmt.Sprintf(`{"gremlin":%q,"seeAs":%q}`, text, as)
		}
		return sight(t, user, http.MethodPost, "http://"+p.addr+"/gremlin", body)
	}
}

func (p *process) seeByGet(t *testing.T) func(user, as, text string) string {
	return func(user, as, text string) string {
		q := url.Values{"gremlin": {text}}
		if as != "" {
			q.Set("seeAs", as)
		}
		return sight(t, user, http.MethodGet, "http://"+p.addr+"/gremlin?"+q.Encode(), "")
	}
}

// sight sends a request as a user, and returns what came as words, or ! and the error.
func sight(t *testing.T, user, method, address, body string) string {
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	r.SetBasicAuth(user, "a password")
	r.Header.Set("Accept", "text/plain")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	code, text := resp.StatusCode, string(b)
	if code != http.StatusOK {
		if strings.Contains(text, "Failed to authorize") && code != http.StatusUnauthorized {
			t.Errorf("refused with %d: %s", code, text)
		}
		return "!" + text
	}
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, "==>", ""), "\n", " "))
}

func (p *process) seeByWebSocket(t *testing.T) func(user, as, text string) string {
	return func(user, as, text string) string {
		ws := gremlinMCP(t, p)
		args := map[string]any{"gremlin": text, "aliases": map[string]any{"g": "g"}, "language": "gremlin-groovy"}
		if as != "" {
			args["seeAs"] = as
		}
		if code, message, _ := sendMCP(t, ws, map[string]any{"op": "eval", "processor": "", "args": args}); code != 407 {
			t.Fatalf("%d %s", code, message)
		}
		code, message, data := sendMCP(t, ws, map[string]any{"op": "authentication", "processor": "", "args": map[string]any{"sasl": base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00a password"))}})
		if code != 200 && code != 204 {
			return "!" + message
		}
		return strings.Join(leafTexts(nil, data), " ")
	}
}

// leafTexts appends the texts of what a GraphSON value holds.
func leafTexts(dst []string, v any) []string {
	switch v := v.(type) {
	case map[string]any:
		return leafTexts(dst, v["@value"])
	case []any:
		for _, x := range v {
			dst = leafTexts(dst, x)
		}
		return dst
	case nil:
		return dst
	}
	return append(dst, fmt.Sprint(v))
}

// seenAgain sends the same bytecode again and again, which is not decoded each time: seen as bob,
// as oneself, and in turns.
func (p *process) seenAgain(t *testing.T) {
	t.Helper()
	c, err := client.Dial(t.Context(), "ws://root:a%20password@"+p.addr+"/gremlin")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	q, err := lang.Parse("g.V(1).values('age')", lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(processor, as string) ([]value.Value, error) {
		args, aliases := value.NewMap(), value.NewMap()
		args.PutString("gremlin", q.Last().Bytecode.Value())
		aliases.PutString("g", value.String("g"))
		args.PutString("aliases", aliases.Value())
		args.PutString("session", value.String("s"))
		if as != "" {
			args.PutString("seeAs", value.String(as))
		}
		return c.Send(t.Context(), processor, "bytecode", args)
	}
	for i := range 12 {
		as := []string{"bob", "", "bob", "ann"}[i/2%4]
		want := 1
		if as == "bob" {
			want = 0
		}
		if got, err := ask("traversal", as); err != nil || len(got) != want {
			t.Errorf("%d, as %s: %v %v", i, as, got, err)
		}
	}
	if _, err := ask("session", "bob"); err == nil || !strings.Contains(err.Error(), "outside sessions") {
		t.Errorf("in a session: %v", err)
	}
	if _, err := ask("traversal", "nobody"); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("as nobody: %v", err)
	}
}
