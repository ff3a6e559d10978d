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

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
)

func newCheck() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [GRAPH...]",
		Short: "Check that elements, adjacency, indexes and counters agree",
		Long: `Check that elements, adjacency, indexes, counters, ids and symbols of a data
directory agree. A server that runs on it is asked, and checks its latest snapshot while
it serves. The exit code is 3 when something is wrong.`,
	}
	configFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print reports as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		var reports []check.Report
		if !c.Memory {
			err = ask(cmd.Context(), c, http.MethodGet, "/check?"+url.Values{"graph": args}.Encode(), nil, &reports)
		}
		if c.Memory || errors.Is(err, errNoServer) {
			err = withDatabase(cmd, func(db *blueprints.Database) error {
				reports, err = checkGraphs(cmd.Context(), db, args)
				return err
			})
		}
		if err != nil {
			return err
		}
		return printReports(cmd.OutOrStdout(), reports, asJSON)
	}
	return cmd
}

// withDatabase opens the data directory that the flags name, without making one.
func withDatabase(cmd *cobra.Command, fn func(*blueprints.Database) error) (err error) {
	c, err := loadConfig(cmd.Flags(), nil, os.Environ())
	if err != nil {
		return err
	}
	if c.Memory {
		return usage("there is nothing on disk to open: name a data directory")
	}
	if _, err := os.Stat(c.DataDir); err != nil {
		return fmt.Errorf("open data directory: %w", err)
	}
	db, err := openDatabase(c, quiet())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return fn(db)
}

// checkGraphs checks the named graphs, or all.
func checkGraphs(ctx context.Context, db *blueprints.Database, names []string) ([]check.Report, error) {
	if len(names) == 0 {
		names = db.GraphNames()
	}
	reports := make([]check.Report, 0, len(names))
	for _, name := range names {
		g, err := namedGraph(db, name)
		if err != nil {
			return nil, err
		}
		report, err := check.Run(ctx, g)
		if err != nil {
			return nil, err
		}
		reports = append(reports, report)
	}
	return reports, nil
}

func printReports(out io.Writer, reports []check.Report, asJSON bool) error {
	var bad int64
	for i := range reports {
		bad += reports[i].Found
		err := error(nil)
		if asJSON {
			err = json.NewEncoder(out).Encode(reports[i])
		} else {
			err = reports[i].Write(out)
		}
		if err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%w: %d problems", errRejected, bad)
	}
	return nil
}

// serveCheck answers the check command of a running server.
func (s *server) serveCheck(w http.ResponseWriter, r *http.Request) {
	reports, err := checkGraphs(r.Context(), s.db, r.URL.Query()["graph"])
	if err != nil {
		answerFailure(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(reports) // the client may be gone
}
