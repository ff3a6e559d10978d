package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
)

// graphUse is what a graph takes on disk, in bytes.
type graphUse struct {
	Graph  string                  `json:"graph"`
	Bytes  int64                   `json:"bytes"`
	Tables []blueprints.TableBytes `json:"tables,omitempty"`
	// Before is what it took before it was compacted.
	Before int64 `json:"before,omitempty"`
}

func newDu() *cobra.Command {
	var tables, asJSON bool
	cmd := &cobra.Command{
		Use: "du [GRAPH...]", Short: "Tell what graphs take on disk",
		Long: `Tell about how many bytes each graph takes on disk, or those that are named, and with --tables which of its tables
takes them. A server that runs on the data directory is asked; else the directory is opened.
What was written last is in the log alone and does not count; what was removed counts until tables are merged.`,
	}
	configFlags(cmd.Flags())
	cmd.Flags().BoolVar(&tables, "tables", false, "each table of the graphs, too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with tables")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		list, err := askOrOpen(cmd, http.MethodGet, "/du", args, usesOf)
		if err != nil {
			return err
		}
		if asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(list)
		}
		return printUses(cmd.OutOrStdout(), list, tables)
	}
	return cmd
}

func newCompact() *cobra.Command {
	cmd := &cobra.Command{
		Use: "compact [GRAPH...]", Short: "Merge what is stored of graphs, so that what was removed takes no room",
		Long: `Merge what is stored of all graphs, or of those that are named, so that what was removed or overwritten takes no room any more.
The store does so by itself in time. It takes as long as writing the graph, and as much room again until it is done; a server that
runs on the data directory does it while it serves.`,
	}
	configFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		list, err := askOrOpen(cmd, http.MethodPost, "/compact", args, compactGraphs)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "BEFORE\tBYTES\t GRAPH")
		for _, u := range list {
			fmt.Fprintf(w, "%d\t%d\t %s\n", u.Before, u.Bytes, u.Graph)
		}
		return w.Flush()
	}
	return cmd
}

// graphWork is done with the named graphs of a database, or with all.
type graphWork func(ctx context.Context, db *blueprints.Database, names []string) ([]graphUse, error)

// askOrOpen has the server of the data directory do something, or does it in the directory when
// no server runs there.
func askOrOpen(cmd *cobra.Command, method, path string, names []string, work graphWork) (list []graphUse, err error) {
	c, err := loadConfig(cmd.Flags(), nil, os.Environ())
	if err != nil {
		return nil, err
	}
	if !c.Memory {
		err = ask(cmd.Context(), c, method, path+"?"+url.Values{"graph": names}.Encode(), nil, &list)
		if !errors.Is(err, errNoServer) {
			return list, err
		}
	}
	err = withDatabase(cmd, func(db *blueprints.Database) error {
		list, err = work(cmd.Context(), db, names)
		return err
	})
	return list, err
}

func (s *server) serveDu(_ http.ResponseWriter, r *http.Request) (any, error) {
	return usesOf(r.Context(), s.db, r.URL.Query()["graph"])
}

func (s *server) serveCompact(_ http.ResponseWriter, r *http.Request) (any, error) {
	names := r.URL.Query()["graph"]
	list, err := compactGraphs(r.Context(), s.db, names)
	s.log.Info("compacted", "graphs", len(list), "error", err)
	return list, err
}

// usesOf tells what graphs take.
func usesOf(_ context.Context, db *blueprints.Database, names []string) ([]graphUse, error) {
	return eachGraph(db, names, func(g *blueprints.Graph) (u graphUse, err error) {
		if u.Tables, err = g.TableBytes(); err == nil {
			u.Bytes, err = g.DiskBytes()
		}
		return u, err
	})
}

// compactGraphs merges what is stored of graphs, one behind the other.
func compactGraphs(ctx context.Context, db *blueprints.Database, names []string) ([]graphUse, error) {
	return eachGraph(db, names, func(g *blueprints.Graph) (u graphUse, err error) {
		if err = db.Store().Flush(); err != nil {
			return u, err
		}
		if u.Before, err = g.DiskBytes(); err != nil {
			return u, err
		}
		if err = g.Compact(ctx); err == nil {
			u.Bytes, err = g.DiskBytes()
		}
		return u, err
	})
}

func eachGraph(db *blueprints.Database, names []string, fn func(*blueprints.Graph) (graphUse, error)) ([]graphUse, error) {
	if len(names) == 0 {
		names = db.GraphNames()
	}
	list := []graphUse{}
	for _, name := range names {
		g, err := namedGraph(db, name)
		if err != nil {
			return nil, err
		}
		u, err := fn(g)
		if err != nil {
			return nil, fmt.Errorf("graph %s: %w", name, err)
		}
		u.Graph = name
		list = append(list, u)
	}
	return list, nil
}

func printUses(out io.Writer, list []graphUse, tables bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "BYTES\t GRAPH")
	for _, u := range list {
		fmt.Fprintf(w, "%d\t %s\n", u.Bytes, u.Graph)
		for _, t := range u.Tables {
			if tables {
				fmt.Fprintf(w, "%d\t   %s\n", t.Bytes, t.Table)
			}
		}
	}
	return w.Flush()
}
