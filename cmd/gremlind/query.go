package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/query"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/traversal"
)

// queryOptions are the flags of gremlind query.
type queryOptions struct {
	targetOptions
	file     string
	format   string
	params   []string
	columns  []string
	noHeader bool
	session  bool
	tx       bool
	batch    int
}

func newQuery() *cobra.Command {
	o := queryOptions{format: string(render.Table), session: true}
	cmd := &cobra.Command{
		Use:   "query [flags] [QUERY] [URL]",
		Short: "Run Gremlin and write the results: for scripts",
		Long: `Runs Gremlin and writes the results as they come, in constant memory.

The query is an argument, a file (--file) or, without either or as -, the standard input. Statements end with a semicolon
or a line; several run one after the other in a session, in which variables go on and each statement commits itself.
With --tx they are one transaction.

The server is the URL's, as ws://localhost:8182/gremlin; without one, that of the data directory (--data-dir), which is
found through its socket; when none runs, the directory is opened. --sample modern queries a sample graph in memory.

Exit codes: 0 done; 1 a statement failed; 2 wrong arguments; 4 the data directory cannot be used; 5 no server, or the
connection was lost; 6 login refused, or the user may not do that; 7 the time was up; 130 interrupted; 141 nobody reads
the results any more.`,
		Example: `  gremlind query 'g.V().hasLabel("person").valueMap("name", "age")'
  gremlind query 'g.V().has("name", name).out().count()' --param name=marko ws://localhost:8182/gremlin
  gremlind query --file load.groovy --tx --data-dir data
  echo 'g.V().values("name")' | gremlind query --format csv --no-header`,
		Args: cobra.MaximumNArgs(2),
	}
	f := cmd.Flags()
	configFlags(f)
	o.flags(f)
	f.StringVarP(&o.file, "file", "f", "", "file of the query; - is the standard input")
	f.StringVar(&o.format, "format", o.format, "table, json (a value a line), csv or graphson (typed, a value a line)")
	f.StringArrayVar(&o.params, "param", nil, "a variable of the query, name=value with a JSON value; once for each")
	f.StringSliceVar(&o.columns, "columns", nil, "columns of CSV; those of the first results without")
	f.BoolVar(&o.noHeader, "no-header", false, "CSV without its first line")
	f.BoolVar(&o.session, "session", o.session, "run several statements in one session; false for servers without")
	f.BoolVar(&o.tx, "tx", false, "run all statements in one transaction")
	f.IntVar(&o.batch, "batch", 0, "results in one frame")
	cmd.MarkFlagsMutuallyExclusive("columns", "tx")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		return runQuery(cmd.Context(), c, o, args, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

func runQuery(ctx context.Context, c *config, o queryOptions, args []string, stdin io.Reader, stdout, stderr io.Writer) (err error) {
	if !slices.Contains(render.Formats, render.Format(o.format)) {
		return usage("--format %s: want table, json, csv or graphson%s", o.format, traversal.Suggestion(o.format, "", []string{"table", "json", "csv", "graphson"}))
	}
	options := query.Options{
		Source: o.source, Language: o.language, Timeout: o.timeout, Batch: o.batch, Session: o.session, Tx: o.tx,
		Format: render.Format(o.format), Render: render.Options{Columns: o.columns, NoHeader: o.noHeader}, Warn: stderr,
	}
	if f, ok := stdout.(*os.File); ok && isTerminal(f) {
		options.Render.Width, _, _ = term.GetSize(int(f.Fd())) // without, lines have no end
	}
	if options.Bindings, err = query.Bindings(o.params); err != nil {
		return usageError{err}
	}
	text, rest, err := o.text(args, stdin)
	if err != nil {
		return err
	}
	// A reader that goes away is an error to be reported, not the end of the process.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	t, err := o.find(ctx, c, rest)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	err = query.Run(ctx, t.conn, text, options, stdout)
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case errors.Is(err, syscall.EPIPE):
		return errPipe
	}
	return err
}

// text finds the query and the URL. What is left of the standard input is for a password.
func (o *queryOptions) text(args []string, stdin io.Reader) (text string, rest io.Reader, err error) {
	given := false
	for _, a := range args {
		switch {
		case client.IsURL(a) && o.url == "":
			o.url = a
		case !given:
			text, given = a, true
		default:
			return "", nil, usage("there are two queries, %.40q and %.40q: several statements are one argument, with ; between them", text, a)
		}
	}
	name := o.file
	switch {
	case given && name != "":
		return "", nil, usage("the query is an argument or --file, not both")
	case given && text != "-":
		return text, stdin, nil
	case name != "" && name != "-":
		b, err := os.ReadFile(name)
		if err != nil {
			return "", nil, usageError{err}
		}
		return string(b), stdin, nil
	}
	if f, ok := stdin.(*os.File); ok && !given && name == "" && isTerminal(f) {
		return "", nil, usage("there is no query: give one as an argument, name a --file, or pipe one in; gremlind console asks for them")
	}
	b, err := io.ReadAll(stdin)
	if err != nil {
		return "", nil, fmt.Errorf("read the query: %w", err)
	}
	return strings.TrimPrefix(string(b), "\ufeff"), nil, nil
}
