package main

import (
	"cmp"
	"fmt"
	"os"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newConfig() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "config [config.yaml]",
		Short: "Show every setting and where its value comes from",
		Args:  cobra.MaximumNArgs(1),
	}
	configFlags(cmd.Flags())
	cmd.Flags().BoolVar(&check, "check", false, "only validate")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags(), args, os.Environ())
		if err != nil {
			return err
		}
		for _, line := range c.notes {
			fmt.Fprintln(cmd.ErrOrStderr(), line)
		}
		if check && len(c.unknown) > 0 {
			return usage("%s", strings.Join(c.unknown, "\n"))
		}
		for _, line := range c.unknown {
			fmt.Fprintln(cmd.ErrOrStderr(), line)
		}
		if check {
			log, _, err := newLogger(c)
			if err != nil {
				return err
			}
			return checkExposure(c, log)
		}
		list, err := keptOf(cmd.Context(), c)
		if err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "what gremlind set changed is not shown:", err)
		}
		c, left := c.withKept(list)
		for _, err := range left {
			fmt.Fprintln(cmd.ErrOrStderr(), err)
		}
		return c.print(cmd)
	}
	return cmd
}

// originOf is where the value of a setting comes from.
func (c *config) originOf(key string) string { return cmp.Or(c.origin[key], "default") }

func (c *config) print(cmd *cobra.Command) error {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for i := range settings {
		s := &settings[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.key, s.get(c), c.originOf(s.key), s.doc)
	}
	for _, g := range c.Graphs {
		fmt.Fprintf(w, "graphs.%s\t%+v\n", g.Name, g)
	}
	names := make([]string, 0, len(c.Sources))
	for name := range c.Sources {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(w, "traversalSources.%s\t%s\n", name, c.Sources[name])
	}
	return w.Flush()
}
