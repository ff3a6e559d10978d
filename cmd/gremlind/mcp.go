package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/assist"
)

// mcpOptions are the flags of gremlind mcp.
type mcpOptions struct {
	targetOptions
	write       bool
	rows, bytes int
}

// mcpTimeout is the most time of a query unless --timeout says otherwise: an assistant
// waits for it.
const mcpTimeout = 30 * time.Second

func newMCP() *cobra.Command {
	o := mcpOptions{rows: 200, bytes: 64 << 10}
	cmd := &cobra.Command{
		Use:   "mcp [flags] [URL]",
		Short: "Let an assistant ask the graph (Model Context Protocol)",
		Long: `Serves the Model Context Protocol on standard input and output: an assistant that starts it has tools to see the schema
of the graph, to run queries and to explain them. It is not started by hand, but by the assistant's configuration:

  {"mcpServers": {"graph": {"command": "gremlind", "args": ["mcp", "ws://localhost:8182/gremlin"]}}}

Queries can only read, unless --write is given. The server is the URL's; without one, that of the data directory
(--data-dir), which is found through its socket; when none runs, the directory is opened. --sample modern serves a sample
graph in memory.`,
		Example: `  gremlind mcp ws://localhost:8182/gremlin
  gremlind mcp --data-dir /var/lib/gremlind
  gremlind mcp --write --user stephen --password-file secret wss://graph.example:8182/gremlin`,
		Args: cobra.MaximumNArgs(1),
	}
	f := cmd.Flags()
	configFlags(f)
	o.flags(f)
	f.BoolVar(&o.write, "write", false, "let queries write, as far as the user may")
	f.IntVar(&o.rows, "max-rows", o.rows, "most results of a query that are shown")
	f.IntVar(&o.bytes, "max-bytes", o.bytes, "most bytes of results that are shown")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := o.settle(cmd.Flags(), args)
		if err != nil {
			return err
		}
		return runMCP(cmd.Context(), c, o, os.Stdin, os.Stdout)
	}
	return cmd
}

func runMCP(ctx context.Context, c *config, o mcpOptions, in io.ReadCloser, out io.WriteCloser) (err error) {
	switch {
	case o.rows < 1:
		return usage("--max-rows %d: want 1 or more", o.rows)
	case o.bytes < 1:
		return usage("--max-bytes %d: want 1 or more", o.bytes)
	}
	if o.timeout <= 0 {
		o.timeout = mcpTimeout
	}
	tuneCollector()
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	t, err := o.find(ctx, c, nil) // the standard input is the assistant's
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	err = assist.Run(ctx, assist.Options{
		Conn: t.conn.Options(), Source: o.source, Language: o.language, Write: o.write, Timeout: o.timeout,
		Rows: o.rows, Bytes: o.bytes, Place: t.place, Version: version, In: in, Out: out,
	})
	if errors.Is(err, syscall.EPIPE) {
		return errPipe
	}
	return err
}
