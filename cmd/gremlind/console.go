package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/console"
)

// consoleOptions are the flags of gremlind console.
type consoleOptions struct {
	targetOptions
	history string
	session bool
}

// consoleReadAhead is how many bytes of results are read while the user looks at a page: a
// server does not wait for ever for its results to be taken.
const consoleReadAhead = 32 << 20

func newConsole() *cobra.Command {
	o := consoleOptions{history: historyFile(), session: true}
	cmd := &cobra.Command{
		Use:   "console [flags] [URL]",
		Short: "Type Gremlin and see the results",
		Long: `Asks for Gremlin and shows the results as tables, with history, completion and help.

The server is the URL's, as ws://localhost:8182/gremlin; any Gremlin server will do. Without a URL it is that of the data
directory (--data-dir), which is found through its socket; when none runs, the directory is opened. --sample modern opens
a sample graph in memory to play with.`,
		Example: `  gremlind console
  gremlind console --sample modern
  gremlind console ws://graph.example:8182/gremlin --user stephen`,
		Args: cobra.MaximumNArgs(1),
	}
	f := cmd.Flags()
	configFlags(f)
	o.flags(f)
	f.StringVar(&o.history, "history", o.history, "file that keeps what was typed; empty for none")
	f.BoolVar(&o.session, "session", o.session, "keep variables from statement to statement")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := o.settle(cmd.Flags(), args)
		if err != nil {
			return err
		}
		return runConsole(cmd.Context(), c, o)
	}
	return cmd
}

// historyFile is where what was typed is kept, "" where that is not known.
func historyFile() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "gremlind", "history")
}

func runConsole(ctx context.Context, c *config, o consoleOptions) (err error) {
	tuneCollector()
	signal.Ignore(syscall.SIGPIPE)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	o.readAhead = consoleReadAhead
	var asked io.Reader // for a password: what is piped in are statements
	if isTerminal(os.Stdin) {
		asked = os.Stdin
	}
	t, err := o.find(ctx, c, asked)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	err = console.Run(ctx, console.Options{
		Conn: t.conn, Names: client.New(t.conn.Options()), Place: t.place, Version: version,
		Source: o.source, Language: o.language, Timeout: o.timeout, Session: o.session, Ask: t.ask,
		Interrupts: interrupts, History: o.history, In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
	})
	switch {
	case errors.Is(err, syscall.EPIPE):
		return errPipe
	case errors.Is(err, console.ErrInterrupted):
		return errInterrupted
	}
	return err
}
