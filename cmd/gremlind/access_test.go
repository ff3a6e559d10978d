package main

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// connect opens a connection of the Go driver with a user.
func connect(t *testing.T, p *process, user, password string) *gremlingo.GraphTraversalSource {
	t.Helper()
	conn, err := gremlingo.NewDriverRemoteConnection("ws://"+p.addr+"/gremlin", func(s *gremlingo.DriverRemoteConnectionSettings) {
		s.AuthInfo = gremlingo.BasicAuthInfo(user, password)
		s.LogVerbosity = gremlingo.Off
		s.InitialConcurrentConnections, s.MaximumConcurrentConnections = 1, 1
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return gremlingo.Traversal_().WithRemote(conn)
}

// TestUsersChangeOnOpenConnections takes rights from users who are connected.
func TestUsersChangeOnOpenConnections(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--auth")
	must := func(line string, args ...string) {
		t.Helper()
		if out, code := pipe(t, line, append(append([]string{"user"}, args...), "--data-dir", dir)...); code != exitDone {
			t.Fatalf("user %v: %s", args, out)
		}
	}
	must("a password\n", "add", "stephen")
	must("a password\n", "add", "removed")
	if out, code := pipe(t, "short\n", "user", "add", "weak", "--data-dir", dir); code == exitDone || !strings.Contains(out, "8 to 1024 bytes") {
		t.Errorf("a short password: %s", out)
	}
	g, removed := connect(t, p, "stephen", "a password"), connect(t, p, "removed", "a password")
	write := func(g *gremlingo.GraphTraversalSource) error { return <-g.AddV("person").Iterate() }
	if err := write(g); err != nil {
		t.Fatal(err)
	}
	if err := write(removed); err != nil {
		t.Fatal(err)
	}
	must("", "rights", "stephen", "--role", "read")
	must("", "rm", "removed")
	waitFor(t, "the writer may no longer write", func() bool {
		err := write(g)
		return err != nil && strings.Contains(err.Error(), "user stephen may not write")
	})
	if _, err := g.V().Count().Next(); err != nil {
		t.Errorf("the reader may not read: %v", err)
	}
	// Asked of the log: gremlin-go panics when it writes to a connection that ends.
	waitFor(t, "the removed user's connection has ended", func() bool {
		return strings.Contains(p.output(), "connection ended: ") && strings.Contains(p.output(), "user=removed remote=")
	})
	if err := write(connect(t, p, "removed", "a password")); err == nil {
		t.Error("the removed user may still write")
	}
	must("", "rights", "stephen", "--role", "write", "--graph", "elsewhere")
	waitFor(t, "the graph is out of reach", func() bool {
		_, err := g.V().Count().Next()
		return err != nil && strings.Contains(err.Error(), "The traversal source [g] for alias [g] is not configured on the server.")
	})
	if out, _ := pipe(t, "", "user", "list", "--data-dir", dir); out != "stephen\twrite\telsewhere\n" {
		t.Errorf("user list: %q", out)
	}
	for _, want := range []string{"change=added user=stephen", "change=removed user=removed", `change="rights set" user=stephen`, "user not changed"} {
		if !strings.Contains(p.output(), want) {
			t.Errorf("not logged: %s", want)
		}
	}
}

func TestAdminAddressAsksForAnAdministrator(t *testing.T) {
	dir, backups, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	for user, role := range map[string]string{"root": "admin", "stephen": "write"} {
		if out, code := pipe(t, "a password\n", "user", "add", user, "--role", role, "--data-dir", dir); code != exitDone {
			t.Fatal(out)
		}
	}
	if err := os.Symlink(elsewhere, filepath.Join(backups, "link")); err != nil {
		t.Fatal(err)
	}
	p := serve(t, "--data-dir", dir, "--auth", "--admin", "127.0.0.1:0", "--set", "backupDir="+backups)
	ask := func(user, method, path string, header ...string) int {
		r, err := http.NewRequest(method, "http://"+p.admin()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if user != "" {
			r.SetBasicAuth(user, "a password")
		}
		for i := 0; i+1 < len(header); i += 2 {
			if header[i] == "Host" {
				r.Host = header[i+1]
			}
			r.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	backup := func(dir string) string { return "/backup?" + url.Values{"dir": {dir}}.Encode() }
	for _, path := range []string{backup("nightly"), "/metrics", "/status", "/debug/pprof/cmdline"} {
		method := http.MethodGet
		if strings.HasPrefix(path, "/backup") {
			method = http.MethodPost
		}
		for user, want := range map[string]int{"": 401, "stephen": 403} {
			if got := ask(user, method, path); got != want {
				t.Errorf("%s as %q: %d, want %d", path, user, got, want)
			}
		}
		for _, header := range [][]string{{"Host", "evil.example"}, {"Origin", "http://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
			if got := ask("root", method, path, header...); got != 403 {
				t.Errorf("%s with %v: %d", path, header, got)
			}
		}
	}
	for _, name := range []string{"", ".", "..", "../x", "a/b", "/tmp/x", filepath.Join(elsewhere, "x"), "link", "link/x"} {
		if got := ask("root", http.MethodPost, backup(name)); got != 400 {
			t.Errorf("backup into %q: %d", name, got)
		}
	}
	if got := ask("root", http.MethodPost, backup("nightly")); got != 200 {
		t.Errorf("backup: %d", got)
	}
	if got := ask("root", http.MethodPost, backup("nightly")); got != 400 {
		t.Errorf("backup onto another: %d", got)
	}
	if entries, _ := os.ReadDir(elsewhere); len(entries) != 0 {
		t.Errorf("written outside backupDir: %v", entries)
	}
	wantDone(t, "restore", "--data-dir", filepath.Join(t.TempDir(), "data"), filepath.Join(backups, "nightly"))
	// The shell's own way, over the data directory's socket.
	wantDone(t, "backup", "--data-dir", dir, filepath.Join(elsewhere, "shell"))
	wantDone(t, "status", "--data-dir", dir)
}

func TestClientAuthoritiesAreReadAgain(t *testing.T) {
	cert, key := certificate(t)
	first, firstKey := certificate(t)
	second, secondKey := certificate(t)
	trust := filepath.Join(t.TempDir(), "trust.pem")
	trusts := func(file string) {
		t.Helper()
		b, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(trust, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	trusts(first)
	p := serve(t, "--memory", "--set", "ssl.enabled=true", "--set", "ssl.keyCertChainFile="+cert, "--set", "ssl.keyFile="+key,
		"--set", "ssl.trustCertChainFile="+trust, "--set", "ssl.needClientAuth=REQUIRE")
	get := func(cert, key string) bool {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{pair}}}}
		resp, err := client.Get("https://" + p.addr + "/healthz")
		if err == nil {
			resp.Body.Close()
		}
		return err == nil
	}
	if !get(first, firstKey) || get(second, secondKey) {
		t.Fatal("the authorities of the start are not the first")
	}
	trusts(second)
	p.cmd.Process.Signal(syscall.SIGHUP)
	waitFor(t, "the second is trusted", func() bool { return get(second, secondKey) })
	if get(first, firstKey) {
		t.Error("the first is trusted still")
	}
	if err := os.WriteFile(trust, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.cmd.Process.Signal(syscall.SIGHUP)
	waitFor(t, "a bad file is told", func() bool { return strings.Contains(p.output(), "the old certificates stay") })
	if !get(second, secondKey) {
		t.Error("a bad file ended the trust in the second")
	}
}

func TestLists(t *testing.T) {
	want := []string{"https://a.example", "http://localhost:3000"}
	for name, load := range map[string]func() (*config, error){
		"list": func() (*config, error) {
			return configured(t, "allowedOrigins: ['https://a.example', 'http://localhost:3000']\n", nil)
		},
		"commas": func() (*config, error) {
			return configured(t, "allowedOrigins: https://a.example, http://localhost:3000\n", nil)
		},
	} {
		c, err := load()
		if err != nil || !reflect.DeepEqual(c.AllowedOrigins, want) {
			t.Errorf("%s: %v %v", name, c, err)
		}
	}
}
