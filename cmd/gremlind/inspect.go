package main

import (
	"encoding/hex"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/storage/table"
)

func newInspect() *cobra.Command {
	var from, to, graph string
	var limit int
	cmd := &cobra.Command{
		Use:   "inspect",
		Short: "Print stored keys and values for a person",
		Long:  `Print stored keys and values of a stopped server's data directory: all, those of one graph, or a range of keys in hexadecimal.`,
		Args:  cobra.NoArgs,
	}
	configFlags(cmd.Flags())
	cmd.Flags().StringVar(&graph, "graph", "", "only this graph")
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
			if graph != "" {
				g, err := db.Graph(graph)
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
