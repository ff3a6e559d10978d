// Command gremlind is a Gremlin server with a durable graph beneath. Each command is
// one file; wire.go is the only place that joins the packages.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/query"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/traversal"
)

// version is set by the linker.
var version = "dev"

func main() {
	root := newRoot()
	err := root.ExecuteContext(context.Background())
	code, advice := exitOf(err)
	if code != exitDone && code != exitPipe {
		complain(err)
	}
	if advice != "" {
		fmt.Fprintf(os.Stderr, "gremlind: %s\n", advice)
	}
	os.Exit(code)
}

// complain shows an error. On a terminal it breaks between words; a line with the place
// where a query is wrong stays as it is.
func complain(err error) {
	text, width := "gremlind: "+err.Error(), 0
	var located *query.LocatedError
	if isTerminal(os.Stderr) && !errors.As(err, &located) {
		width, _, _ = term.GetSize(int(os.Stderr.Fd())) // 0 where it is not known
	}
	fmt.Fprintln(os.Stderr, render.Fold(text, width))
}

func newRoot() *cobra.Command {
	serve := newServe()
	root := &cobra.Command{
		Use:   "gremlind [config.yaml]",
		Short: "A Gremlin server with a durable graph",
		Example: `  gremlind console --sample modern     try it: queries on a sample graph in memory
  gremlind demo                        the world's air routes, with ten questions to ask
  gremlind serve --data-dir data       serve a graph that is kept in the directory data
  gremlind query 'g.V().count()'       ask that server`,
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		Args:                  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if shown, _ := cmd.Flags().GetBool("version"); shown {
				return printVersion(cmd)
			}
			// As the Java server's script, a bare file name serves.
			if len(args) == 0 {
				return cmd.Help()
			}
			if err := mistyped(cmd, args); err != nil {
				return err
			}
			serve.SetContext(cmd.Context())
			return serve.RunE(serve, args)
		},
	}
	// Cobra's own flag prints by a template, for which the linker keeps all methods that there are.
	root.Flags().BoolP("version", "v", false, "version for gremlind")
	root.SetFlagErrorFunc(unknownFlag)
	root.AddCommand(newImport(), newExport(), newGenerate(), newBackup(), newRestore())
	root.AddCommand(newUser(), newRole(), newStatus(), newTop(), newKill(), newHealth(), newCheck(), newDu(), newCompact(), newInspect(), newIndex(), newSchema(), newGraph(), newSet())
	root.AddCommand(takeBackCommands()...)
	root.AddCommand(serve, newDemo(), newQuery(), newConsole(), newMCP(), newConfig(), newVersion())
	refuseUnknown(root)
	usageErrors(root)
	return root
}

// usageErrors gives what cobra says of wrong arguments and of flags that do not go
// together its class.
func usageErrors(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usage("%w: gremlind %s", err, cmd.Use)
			}
			for _, err := range []error{cmd.ValidateRequiredFlags(), cmd.ValidateFlagGroups()} {
				if err != nil {
					return usageError{err}
				}
			}
			return nil
		}
	}
	for _, c := range cmd.Commands() {
		usageErrors(c)
	}
}

// mistyped tells the name of a command that does not exist from that of a file.
func mistyped(root *cobra.Command, args []string) error {
	if _, err := os.Stat(args[0]); err == nil && len(args) == 1 {
		return nil
	}
	if strings.ContainsAny(args[0], "./"+string(os.PathSeparator)) {
		if err := cobra.MaximumNArgs(1)(root, args); err != nil {
			return usageError{err}
		}
		return nil
	}
	return usage("there is no command %q, and no file of that name%s", args[0], traversal.Suggestion(args[0], "", commandNames(root)))
}

func commandNames(of *cobra.Command) []string {
	var names []string
	for _, c := range of.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// refuseUnknown makes commands that only hold others say which they have, however deep they
// lie.
func refuseUnknown(root *cobra.Command) {
	for _, c := range root.Commands() {
		refuseUnknown(c)
		if !c.HasSubCommands() || c.Runnable() {
			continue
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usage("%s has no command %q%s", cmd.CommandPath(), args[0], traversal.Suggestion(args[0], "", commandNames(cmd)))
		}
	}
}

// unknownFlag adds the flag that was meant.
func unknownFlag(cmd *cobra.Command, err error) error {
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return usageError{err}
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return usage("%w%s", err, traversal.Suggestion("--"+name, "", known))
}

// usageError is a wrong command line or configuration.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
}

func printVersion(cmd *cobra.Command) error {
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "gremlind %s\n", version)
	return err
}
