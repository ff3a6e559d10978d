// Command features runs every scenario of TinkerPop's feature files, tags included
// that the drivers' own runners skip, each as gremlin-lang text and as bytecode.
//
//	go run ./conformance/features                      builds and starts gremlind
//	go run ./conformance/features -url ws://host/gremlin    takes a running server
//	go run ./conformance/features -filter Merge -form text  a part of it
//	go run ./conformance/features -features DIR        the feature files of another release
//	go run ./conformance/features -variants            batch sizes 1, 2, 1024; optimisations off
//	go run ./conformance/features -past                as of a version, while writers churn
//	go run ./conformance/features -users               as a user beside a tenant who churns, and as one who is denied something
//
// The bytecode is what gremlind's own parser makes of the text; the form "driver" also
// compares it with what gremlin-go sends for the same scenario. skips.tsv lists what
// is not run, each with its reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/conformance/server"
)

type options struct {
	root, url, folder, filter, form, binary string
	short, variants, past, users            bool
	port                                    int
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the repository's folder")
	flag.StringVar(&o.url, "url", "", "a running server; empty starts gremlind")
	flag.StringVar(&o.binary, "binary", "", "a built gremlind; empty builds one")
	flag.IntVar(&o.port, "port", 0, "the port that gremlind is started on; 0 for a free one")
	flag.StringVar(&o.folder, "features", "", "a folder of feature files, as of another release; empty fetches those of TinkerPop "+artifact.TinkerPop)
	flag.StringVar(&o.filter, "filter", "", "only feature files whose path contains this")
	flag.StringVar(&o.form, "form", "text,bytecode", "what is sent: text, bytecode, driver")
	flag.BoolVar(&o.short, "short", false, "print only what fails")
	flag.BoolVar(&o.variants, "variants", false, "also with batches of 1, 2 and 1024 and without optimisations")
	flag.BoolVar(&o.past, "past", false, "those that do not write, as of what the graphs were at first, while writers change them")
	flag.BoolVar(&o.users, "users", false, "as a user, while another makes, fills and drops graphs of his own, and as one who is denied something")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "features:", err)
		os.Exit(1)
	}
}

// variant is a way to start gremlind that must not show in any answer.
type variant struct {
	name string
	args []string
	// perform runs the suite on a server; nil runs it as it is.
	perform func(s *suite, ctx context.Context, srv *server.Server, binary string, w io.Writer) error
}

var plain = variant{name: "defaults"}

var allVariants = []variant{
	plain,
	{name: "batch 1", args: []string{"--engine-batch=1"}},
	{name: "batch 2", args: []string{"--engine-batch=2"}},
	{name: "batch 1024", args: []string{"--engine-batch=1024"}},
	{name: "no optimisations", args: []string{"--engine-optimize=false"}},
}

var ofThePast = variant{name: "of the past, beside writers", perform: (*suite).runPast}

func run(ctx context.Context, o options, w io.Writer) error {
	if o.folder == "" {
		var err error
		if o.folder, err = artifact.Features(ctx, filepath.Join(o.root, "conformance", ".cache")); err != nil {
			return err
		}
	}
	scenarios, err := readFeatures(o.folder, o.filter)
	if err != nil {
		return err
	}
	skips, err := readSkips()
	if err != nil {
		return err
	}
	forms, done, err := formsByName(o.form)
	if err != nil {
		return err
	}
	defer done()
	suite := &suite{scenarios: scenarios, skips: skips, forms: forms, short: o.short}
	if o.url != "" {
		return suite.run(ctx, o.url, w)
	}
	variants := []variant{plain}
	if o.variants {
		variants = allVariants
	}
	if o.past {
		variants = []variant{ofThePast}
	}
	if o.users {
		variants = []variant{besideTenant, asDenied}
	}
	return runVariants(ctx, o, variants, suite, w)
}

func runVariants(ctx context.Context, o options, variants []variant, all *suite, w io.Writer) error {
	binary := o.binary
	if binary == "" {
		var err error
		if binary, err = server.Build(ctx, o.root); err != nil {
			return err
		}
	}
	var failed error
	for _, v := range variants {
		s, err := server.Start(ctx, server.Options{Root: o.root, Config: "conformance/tinkerpop.yaml", Port: o.port, Binary: binary, Args: v.args})
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		fmt.Fprintf(w, "== %s\n", v.name)
		perform := v.perform
		if perform == nil {
			perform = (*suite).runPlain
		}
		if err := perform(all, ctx, s, binary, w); err != nil {
			failed = fmt.Errorf("%s: %w", v.name, err)
		}
		if err := s.Stop(); err != nil {
			return err
		}
		// What gremlin-go sends does not depend on the server: once is enough.
		all.forms = slices.DeleteFunc(all.forms, func(f form) bool { return f.name == "driver" })
	}
	return failed
}
