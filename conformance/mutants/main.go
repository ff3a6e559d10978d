// Command mutants asks what the tests see. It changes the project's code at random places,
// one small change at a time, and runs the own tests of the package: they must turn red.
//
//	make mutants SEED=n
//	go run ./conformance/mutants -packages ./keyindex -n 20 -seed 7
//
// A change flips or moves a comparison, swaps two operators, negates a condition, drops a
// statement or a check, moves a number by one, returns nothing or returns early, swaps two
// arguments. It reaches the compiler through go's -overlay and never the tree. One that does
// not compile is drawn anew; one that hangs is killed by the clock; one that no test of the
// package reaches is not run, for it survives. Changes that nobody could notice stand in
// equivalents.tsv with the reason. Texts and what is only logged are left alone, and so is what
// a return says beside an error, the order of symmetric arguments, and how much room is made.
//
// All changes of a package are compiled at once, each a copy of its function behind a switch
// that is read once from the environment (schema.go), and a change is shown to the tests that
// reach it alone, the cheap ones first. What that makes fail without a change, as tests of
// allocations may, is asked again with a binary for the one change.
//
// Libraries were looked at first. gremlins, the forks of go-mutesting and ooze work through
// all mutants of a module, in a copy of it or in the tree itself; none of them draws a number
// of them from a seed, keeps a list of equivalent ones that survives moved lines, or asks the
// own tests of a package alone.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

type options struct {
	root     string // of the module
	packages []string
	only     []string // packages: what is drawn of others is not tried
	seed     uint64
	seeds    int    // as many from seed on
	n        int    // mutants of each seed
	again    string // a report, whose survivors are tried in place of the drawn ones
	parallel int
	timeout  time.Duration // added to four times what the tests take without a change
	memory   int64         // address space of a test process in bytes; 0 for any
	least    float64       // share in percent
	listed   string        // the file of equivalent changes
	out      io.Writer
}

// rooms are the packages that are tested when nobody names others.
const rooms = "./storage/... ./keyindex/... ./blueprints/... ./traversal/... ./steps/... ./protocol/... ./cmd/..."

func main() {
	o := options{out: os.Stdout}
	var packages, only string
	flag.StringVar(&o.root, "root", ".", "the repository's folder")
	flag.StringVar(&packages, "packages", rooms, "the packages to change, as go list names them")
	flag.StringVar(&only, "only", "", "of what is drawn, try what is in these packages: a long run in pieces")
	flag.Uint64Var(&o.seed, "seed", 1, "of the random choices")
	flag.IntVar(&o.seeds, "seeds", 1, "how many seeds, from -seed on")
	flag.IntVar(&o.n, "n", 50, "mutants that are tried for each seed")
	flag.StringVar(&o.again, "again", "", "an earlier report: what survived in it is tried, and nothing is drawn")
	flag.IntVar(&o.parallel, "parallel", 1, "mutants that are tried at once")
	flag.DurationVar(&o.timeout, "timeout", 20*time.Second, "what tests may take beyond four times their usual time")
	flag.Int64Var(&o.memory, "memory", 16<<30, "address space that a test process may take, in bytes; 0 for any")
	flag.Float64Var(&o.least, "least", 90, "percent that must be killed")
	flag.StringVar(&o.listed, "equivalents", "conformance/mutants/equivalents.tsv", "the list of equivalent changes, below the repository")
	flag.Parse()
	o.packages, o.only = strings.Fields(packages), strings.Fields(only)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	enough, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
	if !enough {
		os.Exit(1)
	}
}

// run tries o.n mutants of each seed and reports whether enough of them were killed.
func run(ctx context.Context, o options) (bool, error) {
	packages, err := list(ctx, o.root, o.packages)
	if err != nil {
		return false, err
	}
	known, err := readEquivalents(o.root, o.listed)
	if err != nil {
		return false, err
	}
	var all []*mutant
	files := map[string]bool{}
	for _, p := range packages {
		ms, err := p.mutants()
		if err != nil {
			return false, err
		}
		for _, m := range ms {
			files[m.file] = true
		}
		all = append(all, known.without(ms)...)
	}
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	t := &trial{options: o, work: work}
	lots, err := t.draw(all)
	if err != nil {
		return false, err
	}
	r := &report{out: o.out}
	if packages, err = o.among(ctx, packages); err != nil {
		return false, err
	}
	for _, p := range packages {
		if err := t.judge(ctx, p, lots[p], r.add); err != nil {
			return false, err
		}
	}
	r.print(len(all), known.unmatched(files))
	return r.share() >= o.least, nil
}

// among are the packages whose mutants are tried.
func (o options) among(ctx context.Context, packages []*pack) ([]*pack, error) {
	if len(o.only) == 0 {
		return packages, nil
	}
	only, err := list(ctx, o.root, o.only)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, p := range only {
		named[p.ImportPath] = true
	}
	return slices.DeleteFunc(packages, func(p *pack) bool { return !named[p.ImportPath] }), nil
}
