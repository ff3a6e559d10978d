// Command gosuite runs TinkerPop's own Go feature suite, unmodified, against a
// server: gremlin-go's package driver/cucumber, compiled from the module cache, on
// the feature files of the released test artifact.
//
//	go run ./conformance/gosuite                    builds and starts gremlind
//	go run ./conformance/gosuite -url ws://host/gremlin   takes a running server
//	go run ./conformance/gosuite -filter Merge      only feature files whose path contains Merge
//
// It prints passed, failed and undefined per feature file. Scenarios that passed
// once are listed in passed.txt; when one of them fails, so does the command.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/conformance/server"
)

const suitePackage = "github.com/apache/tinkerpop/gremlin-go/v3/driver/cucumber"

type options struct {
	root, url, filter, binary string
	update, short             bool
	port                      int
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the repository's folder")
	flag.StringVar(&o.url, "url", "", "a running server; empty starts gremlind")
	flag.StringVar(&o.binary, "binary", "", "a built gremlind; empty builds one")
	flag.IntVar(&o.port, "port", 45940, "the port that gremlind is started on; 0 for a free one")
	flag.StringVar(&o.filter, "filter", "", "only feature files whose path contains this")
	flag.BoolVar(&o.update, "update", false, "add newly passing scenarios to passed.txt")
	flag.BoolVar(&o.short, "short", false, "print only feature files that do not pass")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gosuite:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, w io.Writer) error {
	cache := filepath.Join(o.root, "conformance", ".cache")
	features, err := artifact.Features(ctx, cache)
	if err != nil {
		return err
	}
	binary, err := compile(ctx, o.root, cache)
	if err != nil {
		return err
	}
	folder, clean, err := selectFeatures(features, o.filter)
	if err != nil {
		return err
	}
	defer clean()
	url := o.url
	if url == "" {
		s, err := server.Start(ctx, server.Options{Root: o.root, Config: "conformance/tinkerpop.yaml", Port: o.port, Binary: o.binary})
		if err != nil {
			return err
		}
		defer s.Stop()
		url = s.URL
	}
	out, err := execute(ctx, binary, url, folder)
	if err != nil {
		return err
	}
	results := parse(out, folder)
	if len(results) == 0 {
		return fmt.Errorf("the suite ran no scenario:\n%s", tail(out, 4<<10))
	}
	printResults(w, results, o.short)
	return ratchet(w, filepath.Join(o.root, "conformance", "gosuite", "passed.txt"), results, o.update)
}

// compile builds the suite with the versions of this module.
func compile(ctx context.Context, root, cache string) (string, error) {
	binary, err := filepath.Abs(filepath.Join(cache, "cucumber.test"))
	if err != nil {
		return "", fmt.Errorf("locate suite: %w", err)
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, suitePackage)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile %s: %w\n%s", suitePackage, err, out)
	}
	return binary, nil
}

// execute returns what the suite printed; that scenarios failed is no error here.
func execute(ctx context.Context, binary, url, folder string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, binary, "-test.v", "-test.timeout=20m")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GREMLIN_SERVER_URL="+url, "CUCUMBER_FEATURE_FOLDER="+folder)
	out, err := cmd.Output()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		return nil, fmt.Errorf("run the suite: %w", err)
	}
	return out, nil
}

func tail(b []byte, n int) []byte {
	if len(b) > n {
		return b[len(b)-n:]
	}
	return b
}
