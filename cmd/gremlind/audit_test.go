package main

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// auditLines are the lines of an audit file.
func auditLines(t *testing.T, path string) []map[string]any {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []map[string]any
	for _, text := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		line := map[string]any{}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		lines = append(lines, line)
	}
	return lines
}

func basicOf(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// TestAuditFile: who was refused what, from where and why, and what was changed, stands in
// the file, without passwords, over every way in.
func TestAuditFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(t.TempDir(), "audit")
	p := serve(t, "--data-dir", dir, "--auth", "--admin", "127.0.0.1:0", "--set", "auditFile="+path,
		writeFile(t, "g.yaml", "graphs:\n  social: {sample: modern}\ntraversalSources: {g: social}\n"))
	for _, args := range [][]string{{"role", "add", "reader", "--allow", "read", "--steps", "!call"}, {"user", "add", "ann", "--role", "reader"}, {"user", "add", "root", "--role", "admin"}} {
		if out, code := pipe(t, "a password\n", append(args, "--data-dir", dir)...); code != exitDone {
			t.Fatal(out)
		}
	}
	if _, code := pipe(t, "a password\n", "user", "add", "ann", "--data-dir", dir); code == exitDone {
		t.Fatal("ann was added twice")
	}
	url := "http://" + p.addr + "/gremlin"
	ann := basicOf("ann", "a password")
	for _, text := range []string{"g.V().count()", "g.addV('x')", "g.call('--list')", "g.V().fail('on purpose')", "g.V().nothing(", "zeta.V()"} {
		post(t, url, ann, text)
	}
	for _, text := range []string{"create', [name:'new'", "create', [name:'new'", "set', [name:'new', 'quota.vertices':9", "truncate', [name:'new', confirm:'new'", "drop', [name:'new'", "drop', [name:'new', confirm:'new'"} {
		post(t, url, basicOf("root", "a password"), "g.call('gremlind.graph."+text+"])")
	}
	post(t, url, basicOf("eve\ninjected", "guessed-secret"), "1")
	if ask := asker(t, p, "ann"); !strings.Contains(ask("g.V().drop()"), "may not write") {
		t.Error("ann may drop")
	}
	_, _ = connect(t, p, "mallory", "guessed-secret").V().Count().Next()
	for _, user := range []string{"ann", "root"} {
		r, _ := http.NewRequest(http.MethodGet, "http://"+p.admin()+"/status", nil)
		r.Header.Set("Authorization", basicOf(user, "a password"))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	lines := auditLines(t, path)
	for _, want := range []map[string]string{
		{"msg": "user changed", "change": "role added", "user": "reader", "by": "socket"},
		{"msg": "user changed", "change": "added", "user": "ann", "by": "socket"},
		{"msg": "user not changed", "change": "added", "user": "ann", "error": "user already exists"},
		{"msg": "request refused: the user may not do that", "user": "ann", "remote": "127.0.0.1:", "query": "addV", "why": "may not write to graph social"},
		{"msg": "request refused: the user may not do that", "user": "ann", "query": "--list", "why": "the step call()"},
		{"msg": "request refused: the user may not do that", "user": "ann", "query": "drop", "why": "may not write"},
		{"msg": "graph administered", "service": "gremlind.graph.create", "graph": "new", "by": "root"},
		{"msg": "graph not administered", "service": "gremlind.graph.create", "graph": "new", "by": "root", "error": "already exists"},
		{"msg": "graph administered", "service": "gremlind.graph.set", "graph": "new", "by": "root"},
		{"msg": "graph administered", "service": "gremlind.graph.truncate", "graph": "new", "by": "root"},
		{"msg": "graph not administered", "service": "gremlind.graph.drop", "graph": "new", "by": "root", "error": "in confirm"},
		{"msg": "graph administered", "service": "gremlind.graph.drop", "graph": "new", "by": "root"},
		{"msg": "request failed", "user": "ann", "query": "fail", "why": "on purpose"},
		{"msg": "request failed", "user": "ann", "query": "nothing"},
		{"msg": "request failed", "user": "ann", "query": "zeta"},
		{"msg": "authentication refused", "user": "eve\ninjected", "remote": "127.0.0.1:", "why": "wrong name or password"},
		{"msg": "authentication refused", "user": "mallory", "why": "wrong name or password"},
		{"msg": "request refused: the user has not the role admin", "user": "ann", "path": "/status"},
		{"msg": "administration", "user": "root", "path": "/status", "method": "GET"},
	} {
		if !hasLine(lines, want) {
			t.Errorf("no line of %v", want)
		}
	}
	b, _ := os.ReadFile(path)
	for _, secret := range []string{"a password", "guessed-secret", "argon2id", "g.V().count()"} {
		if strings.Contains(string(b), secret) {
			t.Errorf("the file has %q", secret)
		}
	}
	// Moved away, and opened again.
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	p.cmd.Process.Signal(syscall.SIGHUP)
	waitFor(t, "the file is opened again", func() bool { return strings.Contains(p.output(), "audit file opened again") })
	post(t, url, ann, "g.addV('y')")
	if lines := auditLines(t, path); len(lines) != 1 || !strings.Contains(lines[0]["query"].(string), "'y'") {
		t.Errorf("after SIGHUP: %v", lines)
	}
}

// hasLine looks for a line whose values hold those that are wanted.
func hasLine(lines []map[string]any, want map[string]string) bool {
	for _, line := range lines {
		fits := true
		for key, text := range want {
			got, _ := line[key].(string)
			fits = fits && strings.Contains(got, text)
		}
		if fits {
			return true
		}
	}
	return false
}

// TestAuditFile_FullDisk: a file that takes nothing is told of, counted, and holds nobody up.
func TestAuditFile_FullDisk(t *testing.T) {
	const device = "/dev/full"
	if _, err := os.Stat(device); err != nil {
		t.Skip("there is no ", device)
	}
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--auth", "--admin", "127.0.0.1:0", "--set", "openMetrics=true", "--set", "auditFile="+device)
	if out, code := pipe(t, "a password\n", "user", "add", "ann", "--role", "read", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	url := "http://" + p.addr + "/gremlin"
	for range 5 {
		if code, _ := post(t, url, basicOf("ann", "a password"), "g.addV('x')"); code != 401 {
			t.Errorf("refused with %d", code)
		}
	}
	if code, _ := post(t, url, basicOf("ann", "a password"), "g.V().count()"); code != 200 {
		t.Errorf("a reader reads: %d", code)
	}
	if n := strings.Count(p.output(), "the audit file takes no lines"); n < 1 || n > 2 {
		t.Errorf("told %d times", n)
	}
	resp, err := http.Get("http://" + p.admin() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b strings.Builder
	if err := resp.Write(&b); err != nil || !strings.Contains(b.String(), "gremlind_audit_lost_total 6") {
		t.Errorf("not counted: %v", err)
	}
	if out, code := pipe(t, "", "serve", "--memory", "--port", "0", "--admin", "off", "--set", "auditFile="+dir); code != exitUsage || !strings.Contains(out, "auditFile") {
		t.Errorf("a folder: %d %s", code, out)
	}
}
