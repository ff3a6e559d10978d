package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/storage"
)

func newSet() *cobra.Command {
	var unset bool
	cmd := &cobra.Command{
		Use:   "set [flags] [KEY [VALUE]]",
		Short: "Change a setting, also while the server runs",
		Long: `Changes a setting, also while the server runs.

The value is kept in the data directory and holds at once, and after a restart: it wins over
flags, environment and file until it is unset. Without KEY it lists the settings that can
be changed, with the values that were set.`,
		Example: `  gremlind set slowQueryMillis 200ms
  gremlind set --unset slowQueryMillis`,
		Args: cobra.MaximumNArgs(2),
	}
	configFlags(cmd.Flags())
	// It has the name of the setting before it here.
	_ = cmd.Flags().MarkHidden("set")
	cmd.Flags().BoolVar(&unset, "unset", false, "take KEY back: what flags, environment and file say holds again")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		switch {
		case len(args) == 0 && !unset:
			return listLive(cmd.Context(), c, cmd.OutOrStdout())
		case unset && len(args) == 1:
			return changeSetting(cmd.Context(), c, args[0], nil)
		case !unset && len(args) == 2:
			return changeSetting(cmd.Context(), c, args[0], &args[1])
		}
		return usage("want KEY VALUE, or --unset KEY")
	}
	return cmd
}

// changeSetting asks the running server, or opens the data directory itself.
func changeSetting(ctx context.Context, c *config, key string, text *string) error {
	if err := checkLive(key); err != nil {
		return err
	}
	if text != nil {
		if _, err := c.with(key, *text); err != nil {
			return err
		}
	}
	method := http.MethodPut
	if text == nil {
		method = http.MethodDelete
	}
	err := ask(ctx, c, method, "/settings", settingChange{Key: key, Value: text}, nil)
	if errors.Is(err, errNoServer) {
		return withStore(c, func(s storage.Store) error { return writeKept(ctx, s, key, text) })
	}
	return err
}

// withStore opens the store of a data directory that no server has.
func withStore(c *config, fn func(storage.Store) error) (err error) {
	if c.Memory {
		return usage("a server in memory keeps nothing: name a data directory")
	}
	s, err := openStore(c, quiet())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return fn(s)
}

// keptOf returns what gremlind set changed in a data directory, whether a server runs on it
// or not. Where nothing is there yet nothing is made.
func keptOf(ctx context.Context, c *config) (list kept, err error) {
	if c.Memory || !hasStore(c.DataDir) {
		return nil, nil
	}
	err = ask(ctx, c, http.MethodGet, "/settings", nil, &list)
	if errors.Is(err, errNoServer) {
		err = withStore(c, func(s storage.Store) error {
			list, err = readKept(s)
			return err
		})
	}
	return list, err
}

// hasStore reports whether a folder holds a store.
func hasStore(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "FORMAT"))
	return err == nil
}

func listLive(ctx context.Context, c *config, out io.Writer) error {
	list, err := keptOf(ctx, c)
	if err != nil {
		return err
	}
	next, left := c.withKept(list)
	for _, err := range left {
		fmt.Fprintln(out, err)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, key := range liveKeys() {
		s := findSetting(key)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", key, s.get(next), next.originOf(key), s.doc)
	}
	return w.Flush()
}
