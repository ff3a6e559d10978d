package main

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/gremlind/gremlind/storage"
)

// TestLive: each setting that can be set changes what the server goes by, within bounds.
func TestLive(t *testing.T) {
	c := defaultConfig()
	c.fillMemory()
	values := map[string]string{"logLevel": "error", "enableAuditLog": "true", "evaluationTimeoutMax": "2h", "evaluationTimeout": "7s"}
	for _, key := range liveKeys() {
		text := values[key]
		if text == "" {
			text = "4321"
		}
		next, err := c.with(key, text)
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		if reflect.DeepEqual(liveOf(next), liveOf(c)) && next.LogLevel == c.LogLevel || next.originOf(key) != "set" || c.originOf(key) != "default" {
			t.Errorf("%s changes nothing", key)
		}
	}
	for _, bad := range []struct{ key, text, want string }{
		{"port", "1", "does not change while a server runs"}, {"slowQueryMilis", "1", "did you mean slowQueryMillis"},
		{"slowQueryMillis", "soon", "is not valid"}, {"slowQueryMillis", "-1", "is not valid"}, {"logLevel", "loud", "logLevel"},
		{"maxWorkQueueSize", "0", "is less than 1"}, {"stallTimeout", "10ms", "is less than 1000"},
		{"evaluationTimeout", "3h", "more than evaluationTimeoutMax"}, {"evaluationTimeoutMax", "1s", "more than evaluationTimeoutMax"},
		{"resultIterationBatchSize", "65537", "is more than 65536"}, {"enableAuditLog", "maybe", "is not valid"},
	} {
		if _, err := c.with(bad.key, bad.text); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s=%s: %v", bad.key, bad.text, err)
		}
	}
	next, left := c.withKept(kept{"evaluationTimeout": "3h", "evaluationTimeoutMax": "4h", "maxPort": "1", "sessions": "many", "maxParameters": "3"})
	if len(left) != 2 || next.Limits.Parameters != 3 || next.Limits.EvaluationTimeout.Hours() != 3 || c.Limits.Parameters == 3 {
		t.Errorf("left %v, limits %+v", left, next.Limits)
	}
}

// TestSet: what gremlind set changes holds at once, is kept, wins over flags, and is
// refused when it is not valid; nobody else may.
func TestSet(t *testing.T) {
	dir := t.TempDir()
	audit := filepath.Join(t.TempDir(), "audit")
	run := func(code int, args ...string) string {
		t.Helper()
		out, got := pipe(t, "a password\n", append(args, "--data-dir", dir)...)
		if got != code {
			t.Errorf("%v: %d %s", args, got, out)
		}
		return out
	}
	for _, user := range []string{"read", "write", "admin"} {
		run(exitDone, "user", "add", user, "--role", user)
	}
	run(exitDone, "set", "resultsMax", "3") // while no server runs
	start := func() *process {
		return serve(t, "--data-dir", dir, "--auth", "--admin", "127.0.0.1:0", "--set", "slowQueryMillis=0", "--set", "auditFile="+audit, "--log-level", "info")
	}
	p := start()
	ask := func(text string) (int, string) {
		return post(t, "http://"+p.addr+"/gremlin", basicOf("read", "a password"), text)
	}
	if code, body := ask("g.inject(1,2,3,4)"); code == 200 || !strings.Contains(body, "resultsMax") {
		t.Errorf("what was set before the start: %d %s", code, body)
	}
	run(exitDone, "set", "--unset", "resultsMax")
	if code, body := ask("g.inject(1,2,3,4)"); code != 200 {
		t.Errorf("after --unset: %d %s", code, body)
	}
	run(exitDone, "set", "slowQueryMillis", "1ms")
	run(exitDone, "set", "evaluationTimeout", "200ms")
	run(exitDone, "set", "logLevel", "debug")
	if code, _ := ask("g.inject(1).repeat(__.identity()).until(__.is(2))"); code == 200 {
		t.Errorf("an endless request: %d", code)
	}
	waitFor(t, "a slow query is logged", func() bool { return strings.Contains(p.output(), "slow query") })
	for _, bad := range [][]string{{"set", "maxWorkQueueSize", "0"}, {"set", "port", "1"}, {"set", "x", "1"}, {"set", "logLevel"}, {"set", "--unset", "logLevel", "x"}} {
		run(exitUsage, bad...)
	}
	shown := func(out, key string) string {
		for _, line := range strings.Split(out, "\n") {
			if f := strings.Fields(line); len(f) > 2 && f[0] == key {
				return f[1] + " " + f[2]
			}
		}
		return ""
	}
	config := run(exitDone, "config", "--set", "slowQueryMillis=7", "--set", "sessions=5")
	for key, want := range map[string]string{"slowQueryMillis": "1 set", "evaluationTimeout": "200 set", "sessions": "5 flag", "maxParameters": "16 default"} {
		if got := shown(config, key); got != want {
			t.Errorf("config shows %s as %q, want %q", key, got, want)
		}
	}
	if got := shown(run(exitDone, "set"), "logLevel"); got != "debug set" {
		t.Errorf("set shows %q", got)
	}
	admin := func(user, method, body string) (int, string) {
		r, _ := http.NewRequest(method, "http://"+p.admin()+"/settings", strings.NewReader(body))
		r.SetBasicAuth(user, "a password")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(b)
	}
	for _, c := range []struct {
		user, method, body string
		code               int
	}{
		{"write", http.MethodPut, `{"key":"maxParameters","value":"2"}`, 403}, {"read", http.MethodGet, "", 403},
		{"admin", http.MethodPut, `{"key":"maxParameters","value":"2"}`, 200}, {"admin", http.MethodGet, "", 200},
		{"admin", http.MethodPut, `{"key":"maxParameters","value":"-2"}`, 400}, {"admin", http.MethodPut, `{"key":"dataDir","value":"/"}`, 400},
		{"admin", http.MethodPut, `{"key":"maxParameters"}`, 400}, {"admin", http.MethodDelete, `{"key":"maxParameters","value":"2"}`, 400},
		{"admin", http.MethodPost, `{"key":"maxParameters","value":"2"}`, 400}, {"admin", http.MethodPut, `{"key":"` + strings.Repeat("x", settingChangeMax) + `"}`, 400},
	} {
		if code, body := admin(c.user, c.method, c.body); code != c.code {
			t.Errorf("%s %s %.60s: %d %s", c.user, c.method, c.body, code, body)
		}
	}
	p.stop(syscall.SIGTERM)
	p = start() // the flags say otherwise
	if code, _ := ask("g.inject(1).repeat(__.identity()).until(__.is(2))"); code == 200 {
		t.Errorf("after a restart: %d", code)
	}
	waitFor(t, "a slow query is logged", func() bool { return strings.Contains(p.output(), "slow query") })
	if _, body := admin("admin", http.MethodGet, ""); !strings.Contains(body, `"maxParameters":"2"`) || strings.Contains(body, "resultsMax") {
		t.Errorf("after a restart: %s", body)
	}
	lines := auditLines(t, audit)
	for _, want := range []map[string]string{
		{"msg": "setting changed", "key": "slowQueryMillis", "value": "1ms", "by": "socket"},
		{"msg": "setting changed", "key": "resultsMax", "value": "(unset)"},
		{"msg": "setting not changed", "key": "dataDir", "by": "admin address", "error": "does not change"},
		{"msg": "request refused: the user has not the role admin", "user": "write", "path": "/settings"},
	} {
		if !hasLine(lines, want) {
			t.Errorf("no line of %v", want)
		}
	}
	p.stop(syscall.SIGTERM)
	c := defaultConfig()
	c.DataDir = dir
	if err := withStore(c, func(s storage.Store) error {
		text := "1"
		return writeKept(t.Context(), s, "ofTomorrow", &text)
	}); err != nil {
		t.Fatal(err)
	}
	p = start()
	if !strings.Contains(p.output(), "ofTomorrow") {
		t.Error("what is left out is not told")
	}
}

// leasts are the numbers below which gremlind set takes none, where 0 is too few.
var leasts = map[string]int{
	"evaluationTimeoutMax": 1, "resultIterationBatchSize": 1, "batchBytes": 1, "responseBytes": 1024, "resultsMax": 1,
	"maxWorkQueueSize": 1, "connections": 1, "connectionsPerAddress": 1, "pingsPerSecond": 1, "sessionTimeout": 1000,
	"transactionTimeout": 1000, "stallTimeout": 1000, "messageTimeout": 1000, "authenticationTimeout": 1000, "sessionMemory": 1024,
}

// TestSet_Least: no live setting takes less than what makes sense, and each takes that.
func TestSet_Least(t *testing.T) {
	for _, key := range liveKeys() {
		least := leasts[key]
		if key == "logLevel" || key == "enableAuditLog" {
			continue // which are no numbers
		}
		c := defaultConfig()
		c.Limits.EvaluationTimeout = 0
		if _, err := c.with(key, fmt.Sprint(least)); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		if least == 0 {
			continue
		}
		if _, err := c.with(key, fmt.Sprint(least-1)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("less than %d", least)) {
			t.Errorf("%s took %d: %v", key, least-1, err)
		}
	}
}
