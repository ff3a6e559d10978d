// Command hostile starts the real server with little time and memory for a request, and
// sends what is meant to take more: every step, strategy, source option, script method and
// kind of value that is registered, in every form that clients send. Each request must be
// answered, or its connection closed with a reason, within a second; the memory of the
// process must not grow by more than 128 MiB; and a client beside it must not notice.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	o := options{out: os.Stdout, root: "."}
	flag.Uint64Var(&o.seed, "seed", 1, "of the random choices")
	flag.IntVar(&o.attacks, "n", 2500, "requests; each group of them comes once at least when there are enough")
	flag.StringVar(&o.only, "only", "", "part of the names of the groups to send, as \"step dedup\"")
	flag.StringVar(&o.binary, "binary", "", "a built gremlind; empty builds one")
	flag.IntVar(&o.crowd, "crowd", 0, "send from so many attackers at once, in place of one request after the other")
	flag.BoolVar(&o.verbose, "v", false, "a line for each request")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	findings, err := attackAll(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, f := range findings {
		fmt.Printf("%s (%s): %s\n", f.attack, f.how, f.what)
	}
	if len(findings) > 0 {
		fmt.Printf("%d findings, seed %d\n", len(findings), o.seed)
		os.Exit(1)
	}
}
