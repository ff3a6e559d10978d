package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
)

// One graph is backed up to a file and restored from it, while others are used.

func newGraphBackup() *cobra.Command {
	return archiveCommand("backup [flags] NAME FILE", "Write one graph to a file, as it is stored",
		`Writes one state of a graph to FILE, as it is stored: with its ids, indexes, schema, counters and limits. A server that runs on the
data directory is asked and goes on. - is standard output. gremlind graph restore makes a graph of it, here or elsewhere.`,
		func(cmd *cobra.Command, c *config, name, file string) error {
			return writeWhole(file, cmd.OutOrStdout(), func(w io.Writer) error {
				err := askGraphBackup(cmd.Context(), c, name, w)
				if errors.Is(err, errNoServer) {
					err = alone(c, func(db *blueprints.Database) error {
						g, err := namedGraph(db, name)
						if err != nil {
							return err
						}
						return g.Archive(cmd.Context(), w)
					})
				}
				return err
			})
		})
}

func newGraphRestore() *cobra.Command {
	return archiveCommand("restore [flags] NAME FILE", "Make a graph of a file that graph backup wrote",
		`Makes the graph NAME, which must not be there, of a file that gremlind graph backup wrote: all of it, or none. A server that runs
on the data directory is asked and goes on. - is standard input.`,
		func(cmd *cobra.Command, c *config, name, file string) error {
			in := cmd.InOrStdin()
			if file != "-" {
				f, err := os.Open(file)
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			}
			err := askGraphRestore(cmd.Context(), c, name, in)
			if errors.Is(err, errNoServer) {
				err = alone(c, func(db *blueprints.Database) error { return db.RestoreGraph(cmd.Context(), name, in) })
			}
			if err == nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "restored %s\n", name)
			}
			return err
		})
}

func archiveCommand(use, short, long string, run func(cmd *cobra.Command, c *config, name, file string) error) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Long: long, Args: cobra.ExactArgs(2)}
	configFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		if c.Memory {
			return usage("a server in memory has no data directory that could be asked: name one")
		}
		return run(cmd, c, args[0], args[1])
	}
	return cmd
}

// alone opens the data directory, which has to be there.
func alone(c *config, fn func(*blueprints.Database) error) error {
	if _, err := os.Stat(c.DataDir); err != nil {
		return fmt.Errorf("open data directory: %w", err)
	}
	db, err := openDatabase(c, quiet())
	if err != nil {
		return err
	}
	return errors.Join(fn(db), db.Close())
}

func askGraphBackup(ctx context.Context, c *config, name string, w io.Writer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/graph/backup?"+url.Values{"graph": {name}}.Encode(), nil)
	if err != nil {
		return err
	}
	resp, err := askSocket(socketClient(c, false), req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(w, resp.Body); err != nil {
		return fmt.Errorf("the backup is not whole: %w", err)
	}
	if why := resp.Trailer.Get(failedTrailer); why != "" || len(resp.Trailer) == 0 {
		return fmt.Errorf("the backup is not whole: %s", why)
	}
	return nil
}

// failedTrailer says behind a backup why it is not whole; it is empty when it is.
const failedTrailer = "Gremlind-Failed"

func (s *server) serveGraphBackup(w http.ResponseWriter, r *http.Request) {
	g, err := findGraph(s.db, s.c, r.URL.Query().Get("graph"), nil)
	if err != nil {
		answerFailure(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Trailer", failedTrailer)
	err = g.Archive(r.Context(), w)
	s.gate.Trail().Changed("backup of a graph", "graph", g.Name(), "error", err)
	why := ""
	if err != nil {
		why = err.Error()
	}
	w.Header().Set(failedTrailer, why)
}

func askGraphRestore(ctx context.Context, c *config, name string, in io.Reader) error {
	// The body may be read once, so the server is looked for before.
	if err := ask(ctx, c, http.MethodGet, "/users", nil, nil); errors.Is(err, errNoServer) {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/graph/restore?"+url.Values{"graph": {name}}.Encode(), io.NopCloser(in))
	if err != nil {
		return err
	}
	resp, err := askSocket(socketClient(c, false), req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (s *server) serveGraphRestore(_ http.ResponseWriter, r *http.Request) (any, error) {
	name := r.URL.Query().Get("graph")
	err := s.db.RestoreGraph(r.Context(), name, r.Body)
	s.gate.Trail().Changed("restore of a graph", "graph", name, "error", err)
	return struct{}{}, err
}
