package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/storage/table"
)

func newInspect() *cobra.Command {
	var from, to, graph string
	var limit int
	var sizes bool
	cmd := &cobra.Command{
		Use:   "inspect",
		Short: "Print stored keys and values for a person",
		Long: `Print stored keys and values of a stopped server's data directory: all, those of one graph, or a range of keys in hexadecimal.
With --sizes, what each graph has and takes on disk; a running server tells that in its metrics.`,
		Args: cobra.NoArgs,
	}
	configFlags(cmd.Flags())
	cmd.Flags().StringVar(&graph, "graph", "", "only this graph")
	cmd.Flags().BoolVar(&sizes, "sizes", false, "print vertices, edges and bytes on disk of each graph instead")
	cmd.Flags().StringVar(&from, "from", "", "first key, hexadecimal")
	cmd.Flags().StringVar(&to, "to", "", "key behind the last, hexadecimal")
	cmd.Flags().IntVar(&limit, "limit", 1000, "most keys to print; 0 for all")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		lo, err := hex.DecodeString(from)
		if err != nil {
			return usage("--from: %s", err)
		}
		hi, err := hex.DecodeString(to)
		if err != nil {
			return usage("--to: %s", err)
		}
		if to == "" {
			hi = nil
		}
		return withDatabase(cmd, func(db *blueprints.Database) error {
			if sizes {
				return printSizes(cmd.OutOrStdout(), db, graph)
			}
			if graph != "" {
				g, err := namedGraph(db, graph)
				if err != nil {
					return err
				}
				lo = table.AppendGraph(nil, g.Number())
				hi = table.PrefixEnd(nil, lo)
			}
			snap, err := db.Store().Snapshot()
			if err != nil {
				return err
			}
			defer snap.Close()
			n, err := check.NewInspector(snap).Print(cmd.OutOrStdout(), lo, hi, limit)
			if err == nil && n == limit && limit > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "the first %d keys; --limit 0 prints all\n", n)
			}
			return err
		})
	}
	return cmd
}

// printSizes prints a line for each graph, or for one.
func printSizes(out io.Writer, db *blueprints.Database, only string) error {
	names := db.GraphNames()
	if only != "" {
		if _, err := namedGraph(db, only); err != nil {
			return err
		}
		names = []string{only}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "GRAPH\tVERTICES\tEDGES\tBYTES")
	for _, name := range names {
		g, err := db.Graph(name)
		if err != nil {
			return err
		}
		vertices, edges, err := graphSize(g)
		if err != nil {
			return err
		}
		bytes, err := g.DiskBytes()
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", name, vertices, edges, bytes)
	}
	return w.Flush()
}
