package main

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRequests: administrators see what runs and stop it, by call(); one who is bound to
// some graphs sees his own alone, and whoever stopped a request is written down.
func TestRequests(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "audit")
	for _, args := range [][]string{{"root", "--role", "admin"}, {"bound", "--role", "admin", "--graph", "graph"}, {"ann", "--role", "read"}} {
		if out, code := pipe(t, "a password\n", append([]string{"user", "add", "--data-dir", dir}, args...)...); code != exitDone {
			t.Fatal(out)
		}
	}
	p := serve(t, "--data-dir", dir, "--auth", "--admin", "127.0.0.1:0", "--set", "auditFile="+file)
	ask := func(user, text string) string {
		_, body := post(t, "http://"+p.addr+"/gremlin", basicOf(user, "a password"), text)
		return body
	}
	ended := make(chan string, 3)
	if out, code := pipe(t, "a password\n", "user", "add", "eve", "--role", "read", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	for _, user := range []string{"ann", "bound", "eve"} {
		go func() { ended <- user + ": " + ask(user, endless) }()
	}
	id := regexp.MustCompile(`\["([0-9a-f-]{36})"\]`)
	find := func(by, user string) string {
		found := id.FindStringSubmatch(ask(by, fmt.Sprintf("g.call('gremlind.running').where(__.select('user').is('%s')).where(__.select('state').is('running')).where(__.select('query').is(TextP.startingWith('g.inject'))).select('id')", user)))
		if found == nil {
			return ""
		}
		return found[1]
	}
	waitFor(t, "all run", func() bool {
		return find("root", "ann") != "" && find("root", "bound") != "" && find("root", "eve") != ""
	})
	if out, code := pipe(t, "", "kill", find("root", "eve"), "--data-dir", dir); code != exitDone {
		t.Error(out)
	}
	ann, own := find("root", "ann"), find("root", "bound")
	if find("bound", "ann") != "" || find("bound", "bound") != own {
		t.Error("who is bound to graphs sees what others ask, or not what he does")
	}
	p.administered(t, "bound", own, ann)
	for _, c := range []struct{ user, text, want string }{
		{"ann", "g.call('gremlind.running')", "may not administer"},
		{"ann", "g.call('gremlind.kill', [id: '" + own + "'])", "may not administer"},
		{"root", "g.call('gremlind.kill')", "wants id"},
		{"root", "g.call('gremlind.kill', [id: ''])", `{"@type":"g:Int32","@value":0}`},
		{"root", "g.call('gremlind.kill', [id: '" + ann[:30] + "'])", `{"@type":"g:Int32","@value":0}`},
		{"bound", "g.call('gremlind.kill', [id: '" + ann + "'])", `{"@type":"g:Int32","@value":0}`},
		{"bound", "g.call('gremlind.kill', [id: '" + own + "'])", `{"@type":"g:Int32","@value":1}`},
		{"root", "g.call('gremlind.kill', [id: UUID('" + ann + "')])", `{"@type":"g:Int32","@value":1}`},
	} {
		if got := ask(c.user, c.text); !strings.Contains(got, c.want) {
			t.Errorf("%s as %s: %s, want %s", c.text, c.user, got, c.want)
		}
	}
	for range 3 {
		if text := <-ended; !strings.Contains(text, "stopped by an administrator") {
			t.Error(text)
		}
	}
	for _, want := range []map[string]string{
		{"msg": "request killed", "by": "root", "user": "ann", "request": ann, "query": "repeat", "remote": "127.0.0.1:"},
		{"msg": "request killed", "by": "bound", "user": "bound"},
		{"msg": "request killed", "by": "socket", "user": "eve"},
	} {
		if lines := auditLines(t, file); !hasLine(lines, want) {
			t.Errorf("no line %v in %v", want, lines)
		}
	}
}

// administered asks the admin address as an administrator of some graphs, who sees and stops his
// own requests there, and reaches nothing else.
func (p *process) administered(t *testing.T, user, own, other string) {
	t.Helper()
	ask := func(method, path string) (int, string) {
		r, err := http.NewRequest(method, "http://"+p.admin()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth(user, "a password")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(b)
	}
	secret := writeFile(t, "secret", "a password\n")
	shell := func(password string, args ...string) string {
		out, _ := pipe(t, "", append(args, "--memory", "--admin", p.admin(), "--user", user, "--password-file", password)...)
		return out
	}
	if out := shell(secret, "status"); !strings.Contains(out, own) || strings.Contains(out, other) {
		t.Errorf("gremlind status with a login: %s", out)
	}
	if out := shell(writeFile(t, "wrong", "another\n"), "status"); strings.Contains(out, own) {
		t.Errorf("gremlind status with a wrong one: %s", out)
	}
	if out := shell(secret, "kill", other); !strings.Contains(out, "is running") {
		t.Errorf("gremlind kill with a login: %s", out)
	}
	if code, text := ask("GET", "/status"); code != 200 || !strings.Contains(text, own) || strings.Contains(text, other) {
		t.Errorf("status: %d %s", code, text)
	}
	if code, text := ask("POST", "/kill?id="+other); code != 404 {
		t.Errorf("kill of another's: %d %s", code, text)
	}
	if code, text := ask("POST", "/kill?id="+other[:8]); code != 404 {
		t.Errorf("kill of another's by its beginning: %d %s", code, text)
	}
	for path, method := range map[string]string{"/metrics": "GET", "/memory": "GET", "/settings": "GET", "/backup?name=x": "POST", "/debug/pprof/": "GET"} {
		if code, text := ask(method, path); code != 403 || !strings.Contains(text, "about the whole server") {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
}
