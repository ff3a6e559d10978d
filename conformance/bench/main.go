package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

type options struct {
	root, work    string
	binary        string
	old           string
	edges         int64
	rows          string
	rounds        int
	starts        int
	first         int      // who begins in the first round of a line, 0 or 1
	only          []*query // of the rows, nil for all
	round         time.Duration
	warm          time.Duration
	gremlinServer bool
	janusGraph    bool
	computer      bool
	references    bool
	denied        bool
	counted       bool
	heap          string
	targets       targetList
	out           string
	summary       string
	profiles      string
}

// targetList collects -target name=url.
type targetList []struct{ name, url string }

func (l *targetList) String() string { return fmt.Sprint(*l) }

// Set adds one target.
func (l *targetList) Set(s string) error {
	name, url, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("want name=url, not %q", s)
	}
	*l = append(*l, struct{ name, url string }{name, url})
	return nil
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == serveFlag {
		if err := serveReference(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	var o options
	flag.StringVar(&o.root, "root", ".", "the repository's folder")
	flag.StringVar(&o.work, "work", "", "folder for data; empty takes conformance/.cache/bench")
	flag.StringVar(&o.binary, "binary", "", "a built gremlind; empty builds one")
	flag.StringVar(&o.old, "old", "", "an earlier gremlind: only the two are compared, and a slower row ends in an error")
	flag.BoolVar(&o.denied, "denied", false, "compare who is denied two keys and an edge label with who is not; a slower row ends in an error")
	flag.BoolVar(&o.counted, "counted", false, "count the instructions and the misses of caches of a request, with those of -old beside them; needs valgrind")
	flag.Int64Var(&o.edges, "edges", 1_000_000, "edges of the generated graph")
	flag.StringVar(&o.rows, "rows", "", "rows to run, as 1,2,4; empty runs all")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds of each measurement")
	flag.IntVar(&o.starts, "starts", 10, "with -old: how often the two are started, and the rounds divided among these; their processes differ")
	flag.DurationVar(&o.round, "round", 800*time.Millisecond, "length of a round")
	flag.DurationVar(&o.warm, "warm", time.Second, "how long each server works on a query before it is timed")
	flag.BoolVar(&o.gremlinServer, "gremlin-server", true, "start Gremlin Server as a target")
	flag.BoolVar(&o.janusGraph, "janusgraph", false, "start JanusGraph as a target")
	flag.BoolVar(&o.computer, "computer", false, "row 11 too: the peer takes minutes and gigabytes for it")
	flag.BoolVar(&o.references, "references", true, "the references and floors, which need nothing else")
	flag.StringVar(&o.heap, "heap", "8g", "heap of the Java servers")
	flag.Var(&o.targets, "target", "name=url of a running server that holds the graph; may be repeated")
	flag.StringVar(&o.out, "out", "", "file for the table in Markdown, beside standard output")
	flag.StringVar(&o.summary, "summary", "", "file for the short table in Markdown, with the bars")
	flag.StringVar(&o.profiles, "profiles", "", "folder for profiles of gremlind's processor time while it works")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
