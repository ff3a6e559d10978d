package main

import (
	"fmt"
	"net/http"
	"net/url"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/traversal"
)

func newStatus() *cobra.Command {
	cmd := &cobra.Command{Use: "status", Short: "List the requests that a server is running", Args: cobra.NoArgs}
	configFlags(cmd.Flags())
	var a administration
	a.flags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := a.settle(cmd.Flags()); err != nil {
			return err
		}
		var list []traversal.Request
		if err := a.ask(cmd.Context(), http.MethodGet, "/status", &list); err != nil {
			return err
		}
		w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tSTATE\tSECONDS\tUSER\tREMOTE\tQUERY")
		for _, r := range list {
			fmt.Fprintf(w, "%s\t%s\t%.1f\t%s\t%s\t%s\n", r.ID, r.State, r.Seconds, render.Clean(r.Who()), r.Remote, render.Clean(r.Query))
		}
		return w.Flush()
	}
	return cmd
}

func newKill() *cobra.Command {
	cmd := &cobra.Command{Use: "kill ID", Short: "Stop a running request", Args: cobra.ExactArgs(1)}
	configFlags(cmd.Flags())
	var a administration
	a.flags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := a.settle(cmd.Flags()); err != nil {
			return err
		}
		var answer struct{ Stopped int }
		err := a.ask(cmd.Context(), http.MethodPost, "/kill?id="+url.QueryEscape(args[0]), &answer)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d stopped\n", answer.Stopped)
		return err
	}
	return cmd
}
