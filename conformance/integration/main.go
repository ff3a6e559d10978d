// Command integration runs the drivers' own integration tests, unmodified, against a
// server in TinkerPop's test configuration: those of gremlin-go from the module cache,
// those of gremlinpython from TinkerPop's source release.
//
//	go run ./conformance/integration                          builds and starts gremlind, twice: plain and secure
//	go run ./conformance/integration -suite python            one of the suites
//	go run ./conformance/integration -url ws://host/gremlin   takes a running server; the tests that log in are left out
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/gremlind/gremlind/conformance/server"
)

type options struct{ root, binary, url, suites, pattern string }

// servers are the addresses of the servers under test; secure is empty when only the
// plain one is there.
type servers struct{ plain, secure string }

// suites are the drivers' tests by their driver's language.
var suites = map[string]func(ctx context.Context, o options, s servers, w io.Writer) error{"go": runGo, "python": runPython}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the repository's folder")
	flag.StringVar(&o.binary, "binary", "", "a built gremlind; empty builds one")
	flag.StringVar(&o.url, "url", "", "a running server; empty starts gremlind on port 45940")
	flag.StringVar(&o.suites, "suite", "go,python", "the suites to run: go, python")
	flag.StringVar(&o.pattern, "run", "", "only tests that match, as the suite's own tool understands it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "integration:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, w io.Writer) error {
	s := servers{plain: o.url}
	if o.url == "" {
		started, stop, err := startBoth(ctx, o)
		if err != nil {
			return err
		}
		defer stop()
		s = started
	}
	var failed []error
	for _, name := range strings.Split(o.suites, ",") {
		suite := suites[name]
		if suite == nil {
			return fmt.Errorf("there is no suite %q: go or python", name)
		}
		if err := suite(ctx, o, s, w); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(failed...)
}

// startBoth starts TinkerPop's test server and its secure one, as gremlind serves them.
func startBoth(ctx context.Context, o options) (s servers, stop func(), err error) {
	dir, err := os.MkdirTemp("", "gremlind-integration-")
	if err != nil {
		return s, nil, fmt.Errorf("make data folder: %w", err)
	}
	options := server.Options{Root: o.root, Config: "conformance/tinkerpop.yaml", Binary: o.binary}
	secure, err := server.StartSecure(ctx, options, dir)
	if err != nil {
		return s, nil, errors.Join(err, os.RemoveAll(dir))
	}
	options.Port = 45940
	plain, err := server.Start(ctx, options)
	if err != nil {
		return s, nil, errors.Join(err, secure.Stop(), os.RemoveAll(dir))
	}
	stop = func() {
		if err := errors.Join(plain.Stop(), secure.Stop(), os.RemoveAll(dir)); err != nil {
			fmt.Fprintln(os.Stderr, "integration:", err)
		}
	}
	return servers{plain: plain.URL, secure: secure.URL}, stop, nil
}

// cache is where everything that was fetched lies.
func (o options) cache() string { return filepath.Join(o.root, "conformance", ".cache") }
