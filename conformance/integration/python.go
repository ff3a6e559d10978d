package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/gremlind/gremlind/conformance/artifact"
)

// socketTests talk to TinkerPop's socket server, never to the server under test.
const socketTests = "integration/driver/test_web_socket_client_behavior.py"

var passed = regexp.MustCompile(`(?m)^\d+ passed`)

// runPython runs gremlinpython's tests with pytest. Those that log in with Kerberos
// are left out.
func runPython(ctx context.Context, o options, s servers, w io.Writer) error {
	tests, err := artifact.PythonTests(ctx, o.cache())
	if err != nil {
		return err
	}
	python, err := artifact.Python(ctx, o.cache(), artifact.TinkerPop, "pytest<8", "PyYAML")
	if err != nil {
		return err
	}
	choose := "not kerberos"
	if s.secure == "" {
		choose += " and not basic"
	}
	if o.pattern != "" {
		choose += " and (" + o.pattern + ")"
	}
	cmd := exec.CommandContext(ctx, python, "-m", "pytest", "integration", "--ignore="+socketTests, "-k", choose,
		"--quiet", "--tb=short", "-W", "ignore", "-p", "no:cacheprovider", "-rfEs")
	cmd.Dir = tests
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "GREMLIN_SERVER_URL="+s.plain, "GREMLIN_SERVER_BASIC_AUTH_URL="+s.secure,
		"GREMLIN_SERVER_URL_HTTP="+root(s.plain))
	out, err := cmd.CombinedOutput()
	fmt.Fprintf(w, "gremlinpython integration tests:\n%s", out)
	if err != nil {
		return fmt.Errorf("run the tests: %w", err)
	}
	if !passed.Match(out) {
		return fmt.Errorf("no test passed")
	}
	return nil
}

// root is the address over HTTP, which aiohttp wants without a path.
func root(url string) string {
	return "http" + strings.TrimSuffix(strings.TrimPrefix(url, "ws"), "gremlin")
}
