package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// readmeBlocks returns the README's code blocks of one language.
func readmeBlocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("the README has no %s block", language)
	}
	return blocks
}

// TestReadme_Query asks what the README asks first.
func TestReadme_Query(t *testing.T) {
	var text string
	for _, b := range readmeBlocks(t, "bash") {
		if m := regexp.MustCompile(`gremlind query '(.*)'`).FindStringSubmatch(b); m != nil {
			text = m[1]
			break
		}
	}
	p := serve(t, "--sample", "modern")
	if out, errs, code := run(t, "query", text, "ws://"+p.addr+"/gremlin"); code != exitDone || out != "vadas\njosh\n" {
		t.Errorf("%q ended with %d: %s%s", text, code, out, errs)
	}
}

// TestReadme_Curl sends what the README's curl command sends.
func TestReadme_Curl(t *testing.T) {
	var body string
	for _, b := range readmeBlocks(t, "bash") {
		if m := regexp.MustCompile(`curl .* -d '(.*)'`).FindStringSubmatch(b); m != nil {
			body = m[1]
		}
	}
	p := serve(t, "--sample", "modern", "--data-dir", t.TempDir())
	res, err := http.Post("http://"+p.addr+"/gremlin", "application/x-www-form-urlencoded", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%v: %s", err, answer)
	}
	contains(t, string(answer), "vadas", "josh")
}

// TestReadme_Go runs the README's Go program.
func TestReadme_Go(t *testing.T) {
	p := serve(t, "--sample", "modern", "--data-dir", t.TempDir())
	program := strings.ReplaceAll(readmeBlocks(t, "go")[0], "localhost:8182", p.addr)
	out, err := exec.Command("go", "run", "-ldflags=-s -w", writeFile(t, "main.go", program)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	contains(t, string(out), "vadas", "josh")
}

// TestReadme_Commands runs the README's gremlind commands: serve first, then those for
// a running server, then the rest when it has stopped.
func TestReadme_Commands(t *testing.T) {
	dir := t.TempDir()
	var commands [][]string
	for _, b := range readmeBlocks(t, "bash") {
		for _, line := range strings.Split(b, "\n") {
			line, _, _ = strings.Cut(line, "#")
			if fields := strings.Fields(line); len(fields) > 0 && fields[0] == "gremlind" {
				commands = append(commands, fields[1:])
			}
		}
	}
	if len(commands) < 6 {
		t.Fatalf("found only %v", commands)
	}
	files := map[string]string{
		"vertices.csv": "~id,~label,name:String\n1,person,marko\n2,person,vadas\n",
		"edges.csv":    "~id,~from,~to,~label\n3,1,2,knows\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GREMLIND_PORT", "0")
	t.Setenv("GREMLIND_ADMIN", "127.0.0.1:0")
	readme := func(args []string) {
		cmd := exec.Command(binary, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("gremlind %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	t.Chdir(dir)
	p := serveWith(t, binary, commands[0]...)
	t.Setenv("GREMLIND_PORT", portOf(p.addr))
	t.Setenv("GREMLIND_ADMIN", p.admin())
	for _, c := range commands[1:] {
		if c[0] == "backup" || c[0] == "index" {
			readme(c)
		}
	}
	if code := p.stop(syscall.SIGTERM); code != exitDone {
		t.Errorf("serve ended with %d", code)
	}
	for _, c := range commands[1:] {
		if c[0] != "backup" && c[0] != "index" {
			readme(c)
		}
	}
	exported, err := os.ReadFile(filepath.Join(dir, "graph.json"))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(exported), "marko", "knows")
}
