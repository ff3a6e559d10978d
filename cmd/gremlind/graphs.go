package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Graphs that are made, emptied and dropped while the server runs, or in its directory.

// graphCommand is a command that calls a service with the name of a graph.
func graphCommand(use, short, long string, fill func(cmd *cobra.Command) func(params *value.Map, name string) error, show func(cmd *cobra.Command, all []value.Value) error) *cobra.Command {
	verb, _, _ := strings.Cut(use, " ")
	cmd := &cobra.Command{Use: use, Short: short, Long: long, Args: cobra.RangeArgs(1, 2)}
	o := graphFlags(cmd.Flags())
	more := fill(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rest := o.take(args)
		if len(rest) != 1 {
			return usage("want the name of one graph, not %q", rest)
		}
		params := value.NewMap()
		params.PutString("name", value.String(rest[0]))
		if err := more(params, rest[0]); err != nil {
			return err
		}
		all, err := o.call(cmd, "gremlind.graph."+verb, params, cmd.InOrStdin())
		if err != nil {
			return err
		}
		return show(cmd, all)
	}
	return cmd
}

func newGraphCreate() *cobra.Command {
	return graphCommand("create [flags] NAME [URL]", "Make a graph, which is a traversal source of its name at once",
		`Makes a graph. The server, if it runs, offers it at once under its name: a driver takes that as its traversal source.
Options are those of an entry of graphs in the configuration, for example --option vertexIdManager=LONG.`,
		func(cmd *cobra.Command) func(*value.Map, string) error {
			options := cmd.Flags().StringArray("option", nil, "an option `KEY=VALUE` of the graph")
			return func(params *value.Map, name string) error {
				for _, option := range *options {
					if err := optionParam(params, option, blueprints.OptionKeys()); err != nil {
						return err
					}
				}
				return nil
			}
		},
		func(cmd *cobra.Command, all []value.Value) error {
			return printLines(cmd, "made ", all)
		})
}

// confirming is the flag of commands that take something away for good.
func confirming(what string) func(cmd *cobra.Command) func(*value.Map, string) error {
	return func(cmd *cobra.Command) func(*value.Map, string) error {
		yes := cmd.Flags().Bool("yes", false, "do it; nothing brings it back but a backup")
		return func(params *value.Map, name string) error {
			if !*yes {
				return usage("%s of graph %s would be lost; --yes does it", what, name)
			}
			params.PutString("confirm", value.String(name))
			return nil
		}
	}
}

func newGraphTruncate() *cobra.Command {
	return graphCommand("truncate [flags] NAME [URL]", "Remove all elements of a graph",
		"Removes all vertices and edges of a graph. Its options, indexes and schema stay.", confirming("all elements"), printNothing)
}

func newGraphDrop() *cobra.Command {
	return graphCommand("drop [flags] NAME [URL]", "Remove a graph",
		"Removes a graph with all that is in it. One that the server's configuration names is taken out there first.", confirming("all"), printNothing)
}

func newGraphStats() *cobra.Command {
	return graphCommand("stats [flags] NAME [URL]", "Say what a graph holds, takes and was made with", "",
		func(*cobra.Command) func(*value.Map, string) error {
			return func(*value.Map, string) error { return nil }
		},
		printMap)
}

// printMap prints the map that a service answers with, an entry a line.
func printMap(cmd *cobra.Command, all []value.Value) error {
	m, err := oneMap(all)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for i := range m.Len() {
		k, v := m.Entry(i)
		fmt.Fprintf(w, "%s\t%s\n", k.JavaString(), v.JavaString())
	}
	return w.Flush()
}

func newGraphList() *cobra.Command {
	cmd := &cobra.Command{Use: "list [flags] [URL]", Short: "List the graphs", Args: cobra.MaximumNArgs(1)}
	o := graphFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if rest := o.take(args); len(rest) > 0 {
			return usage("%s is no URL", rest[0])
		}
		all, err := o.call(cmd, "gremlind.graph.list", value.NewMap(), cmd.InOrStdin())
		if err != nil {
			return err
		}
		return printLines(cmd, "", all)
	}
	return cmd
}

func printNothing(*cobra.Command, []value.Value) error { return nil }

func printLines(cmd *cobra.Command, before string, all []value.Value) error {
	for _, v := range all {
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s%s\n", before, v.JavaString()); err != nil {
			return err
		}
	}
	return nil
}
