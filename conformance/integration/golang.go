package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

const driverModule = "github.com/apache/tinkerpop/gremlin-go/v3"

// notRun are tests that say nothing about the server, with the reason.
var notRun = map[string]string{
	"TestClientAgainstSocketServer": "talks to TinkerPop's socket server on another port, never to the server under test",
	"TestConnection/Test_createConnection_without_valid_path": "wants a network in which packets to an unroutable address get lost; where they are " +
		"refused it fails, the reference server beside it or not",
}

// runGo runs gremlin-go's tests.
func runGo(ctx context.Context, o options, s servers, w io.Writer) error {
	tests, folder, err := compile(ctx, o.root)
	if err != nil {
		return err
	}
	var skip []string
	for name, reason := range notRun {
		skip = append(skip, name)
		fmt.Fprintf(w, "not run: %s: %s\n", name, reason)
	}
	sort.Strings(skip)
	cmd := exec.CommandContext(ctx, tests, "-test.v", "-test.timeout=10m", "-test.run="+o.pattern, "-test.skip="+strings.Join(skip, "|"))
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GREMLIN_SERVER_URL="+s.plain, "RUN_INTEGRATION_TESTS=true", "RUN_INTEGRATION_WITH_ALIAS_TESTS=true",
		"GREMLIN_SERVER_BASIC_AUTH_URL="+s.secure, "RUN_BASIC_AUTH_INTEGRATION_TESTS="+strconv.FormatBool(s.secure != ""))
	out, err := cmd.CombinedOutput()
	return report(w, out, err)
}

// compile builds the driver's tests in the module's own folder, with its own
// versions, and returns the binary and that folder.
func compile(ctx context.Context, root string) (binary, folder string, err error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", driverModule)
	list.Dir = root
	dir, err := list.Output()
	if err != nil {
		return "", "", fmt.Errorf("find %s: %w", driverModule, err)
	}
	folder = filepath.Join(strings.TrimSpace(string(dir)), "driver")
	if binary, err = filepath.Abs(filepath.Join(root, "conformance", ".cache", "driver.test")); err != nil {
		return "", "", fmt.Errorf("locate tests: %w", err)
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("compile the tests of %s: %w\n%s", driverModule, err, out)
	}
	return binary, folder, nil
}

var verdict = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP): (.*) \(.*\)$`)

// report counts verdicts and shows what failed with the lines that led to it.
func report(w io.Writer, out []byte, err error) error {
	count := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		l := lines.Text()
		if m := verdict.FindStringSubmatch(l); m != nil {
			count[m[1]]++
			if m[1] != "PASS" {
				fmt.Fprintln(w, strings.TrimSpace(l))
			}
		} else if strings.Contains(l, "Error:") || strings.Contains(l, "_test.go:") || strings.HasPrefix(l, "panic:") {
			fmt.Fprintf(w, "    %.300s\n", strings.TrimSpace(l))
		}
	}
	fmt.Fprintf(w, "gremlin-go integration tests: %d passed, %d failed, %d skipped by the suite itself\n", count["PASS"], count["FAIL"], count["SKIP"])
	if count["PASS"] == 0 && err == nil {
		return fmt.Errorf("no test ran")
	}
	if err != nil {
		return fmt.Errorf("run the tests: %w", err)
	}
	return nil
}
