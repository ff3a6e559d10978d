package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

func (p *process) post(t *testing.T, script string) (int, string) {
	t.Helper()
	return p.send(t, script, "gremlin-lang")
}

func (p *process) groovy(t *testing.T, script string) (int, string) {
	t.Helper()
	return p.send(t, script, "gremlin-groovy")
}

func (p *process) send(t *testing.T, script, language string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, "http://"+p.addr+"/gremlin", strings.NewReader(fmt.Sprintf(`{"gremlin":%q,"language":%q}`, script, language)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/plain")
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

func TestSamples(t *testing.T) {
	for name, want := range map[string]string{"modern": "==>6", "classic": "==>6", "crew": "==>6", "sink": "==>3", "grateful": "==>808"} {
		p := serve(t, "--sample", name)
		if code, text := p.post(t, "g.V().count()"); code != 200 || text != want {
			t.Errorf("%s: %d %s", name, code, text)
		}
		if code := p.stop(syscall.SIGTERM); code != exitDone {
			t.Errorf("%s: exit code %d", name, code)
		}
	}
}

func TestSampleIsLoadedOnce(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		p := serve(t, "--sample", "modern", "--data-dir", dir)
		if _, text := p.post(t, "g.V().count()"); text != "==>6" {
			t.Errorf("got %s", text)
		}
		p.stop(syscall.SIGTERM)
	}
}

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	newer := t.TempDir()
	for name, tc := range map[string]struct {
		args []string
		code int
		text string
	}{
		"version":       {[]string{"version"}, exitDone, ""},
		"locked":        {[]string{"serve", "--port", "0", "--data-dir", dir}, exitData, "in use by another process"},
		"inspect":       {[]string{"inspect", "--data-dir", dir}, exitData, "in use by another process"},
		"inspect from":  {[]string{"inspect", "--data-dir", dir, "--from", "x"}, exitUsage, "--from: encoding/hex"},
		"inspect to":    {[]string{"inspect", "--data-dir", dir, "--to", "x"}, exitUsage, "--to: encoding/hex"},
		"check online":  {[]string{"check", "--data-dir", dir}, exitDone, ""},
		"check nothing": {[]string{"check", "--data-dir", dir, "none"}, exitFailed, "no such graph"},
		"flag":          {[]string{"serve", "--colour"}, exitUsage, "unknown flag"},
		"value":         {[]string{"serve", "--port", "x"}, exitUsage, "port"},
		"transaction":   {[]string{"config", "--set", "transactionBytes=2147483649"}, exitUsage, "more than 2147483648"},
		"file":          {[]string{"serve", "/nowhere.yaml"}, exitUsage, "read configuration"},
		"bare file":     {[]string{"/nowhere.yaml"}, exitUsage, "read configuration"},
		"exposed":       {[]string{"serve", "--host", "0.0.0.0", "--memory", "--port", "0"}, exitUsage, "reachable from other machines"},
		"taken port":    {[]string{"serve", "--memory", "--port", portOf(p.addr)}, exitFailed, "address already in use"},
		"nothing there": {[]string{"check", "--data-dir", newer + "/none"}, exitFailed, "no such file"},
		"not healthy":   {[]string{"health", "--port", "1"}, exitFailed, "not ready"},
		"config":        {[]string{"config", "--check"}, exitDone, ""},
	} {
		out, errs, code := run(t, tc.args...)
		if code != tc.code || !strings.Contains(errs, tc.text) {
			t.Errorf("%s: exit %d, %s%s", name, code, out, errs)
		}
	}
	if _, _, code := run(t, "health", "--port", portOf(p.addr), "--host", "127.0.0.1"); code != exitDone {
		t.Errorf("health: %d", code)
	}
}

func portOf(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return port
}

func TestConfigCommand(t *testing.T) {
	out, errs, code := run(t, "config", writeFile(t, "c.yaml", "port: 5\ncolour: blue\n"), "--set", "gremlinPool=3")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	contains(t, errs, "c.yaml:2: unknown key colour")
	contains(t, strings.Join(strings.Fields(out), " "), "c.yaml:1 port", "gremlinPool 3 flag --set", "evaluationTimeout 30000 default", "traversalSources.g graph")
}

func TestStatusAndKill(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--sample", "modern", "--data-dir", dir)
	answer := make(chan string, 1)
	go func() {
		_, text := p.post(t, "g.with('evaluationTimeout', 600000).V().repeat(both())")
		answer <- text
	}()
	var id string
	waitFor(t, "the query runs", func() bool {
		out, errs, code := run(t, "status", "--data-dir", dir)
		if code != exitDone {
			t.Fatalf("status: %s", errs)
		}
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if len(lines) == 1 || !strings.Contains(out, "running") {
			return false
		}
		contains(t, out, "repeat(both())")
		id = strings.Fields(lines[1])[0]
		return true
	})
	if out, errs, code := run(t, "kill", "--data-dir", dir, id); code != exitDone || out != "1 stopped\n" {
		t.Errorf("kill: %d %s%s", code, out, errs)
	}
	contains(t, <-answer, "stopped by an administrator")
	if _, errs, code := run(t, "kill", "--data-dir", dir, "none"); code != exitFailed {
		t.Errorf("kill of nothing: %d %s", code, errs)
	}
}

// pipe runs a command with a line on its standard input.
func pipe(t *testing.T, line string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Stdin = strings.NewReader(line)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestUsersOverBothTransports(t *testing.T) {
	dir := t.TempDir()
	if out, code := pipe(t, "pass:word\n", "user", "add", "stephen", "--data-dir", dir); code != exitDone {
		t.Fatalf("user add: %s", out)
	}
	p := serve(t, "--data-dir", dir, "--auth")
	// The server runs now: the same command reaches it.
	if out, code := pipe(t, "other password\n", "user", "add", "reader", "--role", "read", "--data-dir", dir); code != exitDone {
		t.Fatalf("user add: %s", out)
	}
	if out, code := pipe(t, "", "user", "list", "--data-dir", dir); code != exitDone || out != "reader\tread\nstephen\twrite\n" {
		t.Errorf("user list: %s", out)
	}
	login := func(user, password string) error {
		conn, err := gremlingo.NewDriverRemoteConnection("ws://"+p.addr+"/gremlin", func(s *gremlingo.DriverRemoteConnectionSettings) {
			s.AuthInfo = gremlingo.BasicAuthInfo(user, password)
			s.LogVerbosity = gremlingo.Off
		})
		if err != nil {
			return err
		}
		defer conn.Close()
		return <-gremlingo.Traversal_().WithRemote(conn).AddV("person").Iterate()
	}
	if err := login("stephen", "pass:word"); err != nil {
		t.Errorf("login: %v", err)
	}
	if err := login("stephen", "wrong"); err == nil || !strings.Contains(err.Error(), "Username and/or password are incorrect") {
		t.Errorf("wrong password: %v", err)
	}
	if err := login("reader", "other password"); err == nil || !strings.Contains(err.Error(), "Failed to authorize: user reader may not write to graph graph") {
		t.Errorf("write by a reader: %v", err)
	}
	get := func(user, password string) int {
		r, _ := http.NewRequest(http.MethodGet, "http://"+p.addr+"/?gremlin=g.V().count()&language=gremlin-lang", nil)
		if user != "" {
			r.SetBasicAuth(user, password)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if a, b, c := get("reader", "other password"), get("reader", "x"), get("", ""); a != 200 || b != 401 || c != 401 {
		t.Errorf("HTTP: %d %d %d", a, b, c)
	}
	if out, code := pipe(t, "", "user", "rm", "reader", "--data-dir", dir); code != exitDone {
		t.Errorf("user rm: %s", out)
	}
	if code := get("reader", "other password"); code != 401 {
		t.Errorf("removed user: %d", code)
	}
	if strings.Contains(p.output(), "pass:word") {
		t.Error("a password is in the log")
	}
}

// certificate writes a self-signed pair.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	kb, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert = writeFile(t, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	return cert, writeFile(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: kb})))
}

func TestTLS(t *testing.T) {
	cert, key := certificate(t)
	p := serve(t, "--memory", "--set", "ssl.enabled=true", "--set", "ssl.keyCertChainFile="+cert, "--set", "ssl.keyFile="+key)
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		conn, err := gremlingo.NewDriverRemoteConnection("wss://"+p.addr+"/gremlin", func(s *gremlingo.DriverRemoteConnectionSettings) {
			s.TlsConfig = &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version}
			s.LogVerbosity = gremlingo.Off
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := gremlingo.Traversal_().WithRemote(conn).V().Count().Next(); err != nil {
			t.Errorf("%x: %v", version, err)
		}
		conn.Close()
	}
	// Plain text on the TLS port is dropped without a word.
	raw, err := net.Dial("tcp", p.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	io.WriteString(raw, "GET /gremlin HTTP/1.1\r\nHost: localhost\r\n\r\n")
	raw.SetReadDeadline(time.Now().Add(60 * time.Second))
	if b, err := io.ReadAll(raw); strings.Contains(string(b), "HTTP") || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("answered %q, %v", b, err)
	}
	p.cmd.Process.Signal(syscall.SIGHUP)
	waitFor(t, "certificate read again", func() bool { return strings.Contains(p.output(), "certificate read again") })
}

// waitFor looks again and again, and leaves the processors to who makes it so meanwhile.
func waitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	for {
		began := time.Now()
		if ok() {
			return
		}
		select {
		case <-time.After(min(max(4*time.Since(began), 5*time.Millisecond), 200*time.Millisecond)):
		case <-ctx.Done():
			t.Fatalf("%s: not in time", what)
		}
	}
}

func TestDrainUnderLoad(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	var l ledger
	c := dialLedger(t, p)
	done := make(chan struct{})
	var next atomic.Int64
	go func() {
		defer close(done)
		l.write(c, 0, &next)
		_ = c.Close() // the server is gone
	}()
	waitFor(t, "writes", func() bool { return next.Load() > 20 })
	if code := p.stop(syscall.SIGTERM); code != exitDone {
		t.Errorf("exit code %d: %s", code, p.output())
	}
	<-done
	acked, maybe := map[int]bool{}, map[int]bool{}
	for _, n := range l.acked {
		acked[n] = true
	}
	for _, n := range l.unknown {
		maybe[n] = true
	}
	verify(t, serve(t, "--data-dir", dir), acked, maybe)
}

func TestIndexCommands(t *testing.T) {
	p := serve(t, "--sample", "modern")
	index := func(args ...string) string {
		t.Helper()
		out, errs, code := run(t, append([]string{"index", "--url", "http://" + p.addr + "/gremlin"}, args...)...)
		if code != exitDone {
			t.Errorf("index %v: %s", args, errs)
		}
		return out
	}
	index("create-key", "vertex", "name")
	contains(t, index("keys"), "class=vertex, key=name")
	index("drop-key", "vertex", "name")
	if out := index("keys", "vertex"); out != "" {
		t.Errorf("after the drop: %s", out)
	}
	index("create", "vertex", "people")
	contains(t, index("list"), "people")
	index("put", "people", "nick", "m", "1")
	if out := index("get", "people", "nick", "m"); out != "v[1]\n" {
		t.Errorf("get: %s", out)
	}
	if out := index("count", "people", "nick", "m"); out != "1\n" {
		t.Errorf("count: %s", out)
	}
	contains(t, index("query", "people", "nick"), "v[1]")
	index("remove", "people", "nick", "m", "1")
	if out := index("count", "people", "nick", "m"); out != "0\n" {
		t.Errorf("count after remove: %s", out)
	}
	index("drop", "people")
	if out := index("create", "vertex", "na", "name", "age", "--label", "person"); out != "{name=na, state=ACTIVE}\n" {
		t.Errorf("create: %s", out)
	}
	contains(t, index("list"), "name=na, class=vertex, label=person, keys=[name, age], unique=false, state=ACTIVE")
	contains(t, index("verify", "na"), "entries=4, missing=0, stale=0")
	contains(t, index("hide", "na"), "HIDDEN")
	contains(t, index("show", "na"), "ACTIVE")
	index("drop", "na")
	if _, errs, code := run(t, "index", "--url", "http://"+p.addr+"/gremlin", "get", "people", "a", "b"); code != exitFailed {
		t.Errorf("get from an index that is gone: %d %s", code, errs)
	}
}

// TestIOReadsOneTransaction: a file that is more than one transaction may write is
// refused with what to do, and nothing of it stays.
func TestIOReadsOneTransaction(t *testing.T) {
	for _, setting := range []string{"transactionBytes=64KiB", "queryMemory=256KiB"} {
		dir := t.TempDir()
		var file strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&file, `{"id":{"@type":"g:Int32","@value":%d},"label":"person","properties":{"name":[{"value":"a name of %d"}]}}`+"\n", i, i)
		}
		if err := os.WriteFile(filepath.Join(dir, "large.json"), []byte(file.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		p := serve(t, "--data-dir", t.TempDir(), "--io-dir", dir, "--set", setting)
		code, text := p.post(t, "g.io('large.json').read()")
		name, _, _ := strings.Cut(setting, "=")
		if code == 200 {
			t.Errorf("%s: the file was read: %s", setting, text)
		}
		contains(t, text, "gremlind import", name)
		if _, text := p.post(t, "g.V().count()"); !strings.Contains(text, "==>0") {
			t.Errorf("%s: %s", setting, text)
		}
	}
}

func TestIOStaysInItsFolder(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	secret := filepath.Join(outside, "secret.json")
	if err := os.WriteFile(secret, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	p := serve(t, "--sample", "modern", "--io-dir", dir)
	for _, name := range []string{secret, filepath.Join(dir, "link/secret.json"), dir + "/../" + filepath.Base(outside) + "/secret.json", dir, "../secret.json", "link/secret.json", "http://169.254.169.254/a.json"} {
		if code, text := p.post(t, "g.io('"+name+"').read()"); code == 200 {
			t.Errorf("%s was read: %s", name, text)
		}
	}
	if code, text := p.post(t, "g.io('out.json').write()"); code != 200 {
		t.Errorf("write inside the folder: %s", text)
	}
	if _, err := os.Stat(filepath.Join(dir, "out.json")); err != nil {
		t.Error(err)
	}
	// A name that the host has for a file of the folder is one of the folder.
	if code, text := p.post(t, "g.io('"+filepath.Join(dir, "x/../whole.json")+"').write()"); code != 200 {
		t.Errorf("write by the whole name: %s", text)
	}
	if code, text := p.post(t, "g.io('"+filepath.Join(dir, "whole.json")+"').read()"); code == 200 || !strings.Contains(text, "already exists") {
		t.Errorf("read by the whole name: %s", text)
	}
	p = serve(t, "--sample", "modern")
	code, text := p.post(t, "g.io('out.json').write()")
	if code == 200 {
		t.Error("io() works without ioDir")
	}
	contains(t, text, "ioDir")
}
