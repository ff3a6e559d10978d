package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// queryURL is how gremlind query reaches a server.
func queryURL(p *process) string { return "ws://" + p.addr + "/gremlin" }

func TestQuery_Formats(t *testing.T) {
	p := serve(t, "--sample", "modern")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"g.V().has('name','marko').out('knows').values('name').order()"}, "josh\nvadas\n"},
		{[]string{"--format", "csv", "g.V().hasLabel('person').order().by('age').limit(2).project('name', 'age').by('name').by('age')"}, "name,age\nvadas,27\nmarko,29\n"},
		{[]string{"--format", "csv", "g.V(1, 3)"}, "id,label,name,age,lang\n1,person,marko,29,\n3,software,lop,,java\n"},
		{[]string{"--format", "csv", "g.E(7)"}, "id,label,out,in,weight\n7,knows,1,2,0.5\n"},
		{[]string{"--format", "csv", "--columns", "name,id", "--no-header", "g.V(1)"}, "marko,1\n"},
		{[]string{"--format", "csv", "g.inject('a,\"b\"', null, [1, 2], 1.5d)"}, "value\n\"a,\"\"b\"\"\"\n\"\"\n\"[1,2]\"\n1.5\n"},
		{[]string{"--format", "csv", "g.V().groupCount().by(label).unfold()"}, "key,value\nsoftware,2\nperson,4\n"},
		{[]string{"--format", "json", "g.V(1).elementMap('name')"}, `{"id":1,"label":"person","name":"marko"}` + "\n"},
		{[]string{"--format", "graphson", "g.V().count()"}, `{"@type":"g:Int64","@value":6}` + "\n"},
		{[]string{"g.V(1).outE('knows').inV().path().by('name').by(label)"}, "marko -> knows -> vadas\nmarko -> knows -> josh\n"},
		{[]string{"g.V(4).inE('knows').outV().path()"}, "v[4] <-knows- v[1]\n"},
		{[]string{"g.V(1).out('knows').out().tree().by('name')"}, "marko\n└─ josh\n   ├─ ripple\n   └─ lop\n"},
		{[]string{"g.V(1).valueMap()"}, " key  │ value\n──────┼─────────\n name │ [marko]\n age  │ [29]\n"},
		{[]string{"g.V().has('name', n).values('age')", "--param", "n=marko"}, "29\n"},
		{[]string{"g.inject(a, b, c)", "--param", `a="1"`, "--param", "b=12345678901", "--param", "c=[1.5,{\"k\":null}]", "--format", "graphson"},
			"\"1\"\n{\"@type\":\"g:Int64\",\"@value\":12345678901}\n" +
				`{"@type":"g:List","@value":[{"@type":"g:Double","@value":1.5},{"@type":"g:Map","@value":["k",null]}]}` + "\n"},
		{[]string{"x = 2; g.V(x).values('name')\n\ng.V(x).count()"}, "2\n\nvadas\n\n1\n"},
		{[]string{"g.inject('\\u001b[31m', 'a\\nb')"}, "\\u001b[31m\na\\nb\n"},
		{[]string{"--language", "gremlin-lang", "--source", "g", "g.V().count()"}, "6\n"},
		{[]string{"g.V().hasLabel('nothing')"}, ""},
	} {
		out, errs, code := run(t, append(append([]string{"query"}, c.args...), queryURL(p))...)
		if code != exitDone || out != c.want || errs != "" {
			t.Errorf("query %q ended with %d and\n%s%s\nwanted\n%s", c.args, code, out, errs, c.want)
		}
	}
}

func TestQuery_ExitCodes(t *testing.T) {
	p := serve(t, "--sample", "modern")
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	for name, c := range map[string]struct {
		args []string
		code int
		errs string
	}{
		"a failure":       {[]string{"g.V().outt()", queryURL(p)}, exitFailed, "  g.V().outt()\n        ^\n"},
		"which statement": {[]string{"g.V(1)\n\ng.V(2).value('n')\ng.V(3)", queryURL(p)}, exitFailed, "statement 2, line 3: "},
		"where":           {[]string{"g.V().has('name', ))", queryURL(p)}, exitFailed, "\n                     ^\n"},
		"no server":       {[]string{"g.V()", "ws://" + nobody.Addr().String()}, exitUnreached, "cannot connect to ws://" + nobody.Addr().String() + "/gremlin"},
		"no gremlin":      {[]string{"g.V()", "http://" + p.addr + "/healthz"}, exitUnreached, "no Gremlin server"},
		"no TLS":          {[]string{"g.V()", "wss://" + p.addr}, exitUnreached, "does not speak TLS"},
		"the time":        {[]string{"--timeout", "50ms", "g.inject(1).repeat(__.identity()).times(2000000000)", queryURL(p)}, exitTimeout, "--timeout"},
		"no format":       {[]string{"--format", "xml", "g.V()"}, exitUsage, "table, json, csv or graphson"},
		"a param":         {[]string{"--param", "x", "g.V()"}, exitUsage, "name=value"},
		"a broken param":  {[]string{"--param", "x=[1", "g.V()"}, exitUsage, "no JSON"},
		"two queries":     {[]string{"g.V()", "g.E()"}, exitUsage, "with ; between them"},
		"no file":         {[]string{"--file", "no such file"}, exitUsage, "no such file"},
		"no directory":    {[]string{"--data-dir", "no such directory", "g.V()"}, exitUsage, "serve --data-dir"},
		"no columns":      {[]string{"--columns", "a", "--format", "csv", "g.V().count()", queryURL(p)}, exitFailed, "--columns"},
		"a late column":   {[]string{"--format", "csv", "g.inject(*(1..1500)).project('a').as('m').choose(__.select('a').is(1500), __.V(1), __.select('m'))", queryURL(p)}, exitFailed, "--format json"},
	} {
		out, errs, code := run(t, append([]string{"query"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.errs) {
			t.Errorf("%s: ended with %d and\n%s%s\nwanted %d and %q", name, code, out, errs, c.code, c.errs)
		}
	}
}

// TestQuery_Inputs reads the query from a file and from the standard input.
func TestQuery_Inputs(t *testing.T) {
	file := writeFile(t, "query.groovy", "// people\ng.V().hasLabel('person').\n  count()\n\ng.E()\n  .count()\n")
	if out, errs, code := run(t, "query", "--sample", "modern", "--file", file); code != exitDone || out != "4\n\n6\n" {
		t.Errorf("a file: %d %q %s", code, out, errs)
	}
	for _, args := range [][]string{{"query", "--sample", "modern"}, {"query", "--sample", "modern", "-"}, {"query", "--sample", "modern", "-f", "-"}} {
		if out, code := pipe(t, "g.V().count()", args...); code != exitDone || out != "6\n" {
			t.Errorf("%v: %d %q", args, code, out)
		}
	}
	if out, code := pipe(t, "\n;;// nothing\n", "query", "--sample", "modern"); code != exitFailed || !strings.Contains(out, "no query") {
		t.Errorf("nothing: %d %q", code, out)
	}
}

// TestQuery_DataDirectory opens a directory, finds its server by the socket without a
// password, and refuses to make one.
func TestQuery_DataDirectory(t *testing.T) {
	dir := t.TempDir()
	query := func(text string, more ...string) (string, string, int) {
		return run(t, append([]string{"query", "--data-dir", dir, text}, more...)...)
	}
	if out, errs, code := query("g.addV('person').property('name', 'marko'); g.V().values('name')", "--format", "csv", "--no-header"); code != exitDone || !strings.HasSuffix(out, "\nmarko\n") {
		t.Fatalf("alone: %d %q %s", code, out, errs)
	}
	if out, code := pipe(t, "a password\n", "user", "add", "stephen", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	p := serve(t, "--data-dir", dir, "--auth")
	if out, errs, code := query("g.addV('person').property('name', 'josh').iterate(); g.V().values('name').order()"); code != exitDone || !strings.Contains(out, "josh\nmarko\n") {
		t.Errorf("through the socket: %d %q %s", code, out, errs)
	}
	if out, errs, code := run(t, "query", "g.V().count()", queryURL(p)); code != exitDenied || !strings.Contains(errs, "--user") {
		t.Errorf("nobody: %d %q %s", code, out, errs)
	}
	secret := writeFile(t, "secret", "a password\n")
	if out, errs, code := run(t, "query", "--user", "stephen", "--password-file", secret, "g.V().count()", queryURL(p)); code != exitDone || out != "2\n" {
		t.Errorf("stephen: %d %q %s", code, out, errs)
	}
	if out, code := pipe(t, "a password\n", "query", "--user", "stephen", "g.V().count()", queryURL(p)); code != exitDone || out != "2\n" {
		t.Errorf("stephen, by a pipe: %d %q", code, out)
	}
	if out, code := pipe(t, "another\n", "query", "--user", "stephen", "g.V().count()", queryURL(p)); code != exitDenied || !strings.Contains(out, "incorrect") {
		t.Errorf("a wrong password: %d %q", code, out)
	}
	if out, errs, code := run(t, "query", "g.V().count()", "ws://stephen:a%20password@"+p.addr); code != exitDone || out != "2\n" {
		t.Errorf("in the URL: %d %q %s", code, out, errs)
	}
}

// TestQuery_Tx commits all statements or none.
func TestQuery_Tx(t *testing.T) {
	p := serve(t, "--data-dir", t.TempDir())
	count := func() string {
		out, _, _ := run(t, "query", "g.V().count()", queryURL(p))
		return out
	}
	if out, errs, code := run(t, "query", "--tx", "v = g.addV().next(); g.V(v).property('a', 1).iterate(); g.addV().iterate()", queryURL(p)); code != exitDone {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	if got := count(); got != "2\n" {
		t.Errorf("committed: %s", got)
	}
	if _, errs, code := run(t, "query", "--tx", "g.addV().iterate(); g.V().fail('no'); g.addV().iterate()", queryURL(p)); code != exitFailed || !strings.Contains(errs, "statement 2") {
		t.Errorf("%d %s", code, errs)
	}
	if got := count(); got != "2\n" {
		t.Errorf("rolled back: %s", got)
	}
}

func TestQuery_TLS(t *testing.T) {
	cert, key := certificate(t)
	p := serve(t, "--memory", "--set", "ssl.enabled=true", "--set", "ssl.keyCertChainFile="+cert, "--set", "ssl.keyFile="+key)
	for _, more := range [][]string{{"--ca", cert}, {"--tls-insecure"}} {
		if out, errs, code := run(t, append([]string{"query", "g.inject(1)", "wss://" + p.addr}, more...)...); code != exitDone || out != "1\n" {
			t.Errorf("%v: %d %q %s", more, code, out, errs)
		}
	}
	for url, want := range map[string]string{"wss://" + p.addr: "--ca", "ws://" + p.addr: "cannot connect"} {
		if _, errs, code := run(t, "query", "g.inject(1)", url); code != exitUnreached || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", url, code, errs)
		}
	}
}

// endless is a query whose results never end.
const endless = "g.inject(1).repeat(__.identity()).emit().constant('a line that is long enough to fill what waits between two programs')"

// TestQuery_PipeCloses ends a query without end whose reader has read enough, and frees
// the server and the data directory of it.
func TestQuery_PipeCloses(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	for name, args := range map[string][]string{"a server": {queryURL(p)}, "a directory": {"--data-dir", t.TempDir()}} {
		cmd := exec.Command(binary, append([]string{"query", "--timeout", "1m", "--format", "csv", endless}, args...)...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		out.Close()
		if err != nil || line != "value\n" {
			t.Errorf("%s: %q, %v", name, line, err)
		}
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitPipe || errs.Len() > 0 {
			t.Errorf("%s: ended with %v: %s", name, err, errs.String())
		}
	}
	waitFor(t, "the server has stopped the query", func() bool {
		out, _, code := run(t, "status", "--data-dir", dir)
		return code == exitDone && !strings.Contains(out, "inject")
	})
}

// TestQuery_Interrupted ends a query by a signal, and its server's work with it.
func TestQuery_Interrupted(t *testing.T) {
	dir := t.TempDir()
	serve(t, "--data-dir", dir)
	cmd := exec.Command(binary, "query", "--data-dir", dir, "--timeout", "1m", "g.inject(1).repeat(__.identity()).times(2000000000)")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	running := func() bool {
		out, _, _ := run(t, "status", "--data-dir", dir)
		return strings.Contains(out, "running") && strings.Contains(out, "repeat")
	}
	waitFor(t, "the query runs", running)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("ended with %d", cmd.ProcessState.ExitCode())
	}
	waitFor(t, "the server has given the query up", func() bool { return !running() })
}

// TestQuery_LostConnection says that the server went away in the middle.
func TestQuery_LostConnection(t *testing.T) {
	p := serve(t, "--memory")
	cmd := exec.Command(binary, "query", "--timeout", "1m", "--format", "json", endless, queryURL(p))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	p.stop(syscall.SIGKILL)
	go io.Copy(io.Discard, out)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		cmd.Process.Kill()
		t.Fatal("the query goes on without its server")
	}
	if cmd.ProcessState.ExitCode() != exitUnreached || !strings.Contains(errs.String(), "connection lost") {
		t.Errorf("ended with %d: %s", cmd.ProcessState.ExitCode(), errs.String())
	}
}
