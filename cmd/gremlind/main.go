// Command gremlind is a Gremlin server with a durable graph beneath. Each command is
// one file; wire.go is the only place that joins the packages.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// version is set by the linker.
var version = "dev"

func main() {
	root := newRoot()
	err := root.ExecuteContext(context.Background())
	code, advice := exitOf(err)
	if code != exitDone {
		fmt.Fprintf(os.Stderr, "gremlind: %v\n", err)
	}
	if advice != "" {
		fmt.Fprintf(os.Stderr, "gremlind: %s\n", advice)
	}
	os.Exit(code)
}

func newRoot() *cobra.Command {
	serve := newServe()
	root := &cobra.Command{
		Use:           "gremlind [config.yaml]",
		Short:         "A Gremlin server with a durable graph",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// As the Java server's script, a bare file name serves.
			if len(args) == 0 {
				return cmd.Help()
			}
			serve.SetContext(cmd.Context())
			return serve.RunE(serve, args)
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newImport(), newExport(), newGenerate(), newBackup(), newRestore())
	root.AddCommand(newUser(), newStatus(), newKill(), newHealth(), newCheck(), newInspect(), newIndex())
	root.AddCommand(serve, newConfig(), newVersion())
	return root
}

// usageError is a wrong command line or configuration.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "gremlind %s\n", version)
			return err
		},
	}
}
