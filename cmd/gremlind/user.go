package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/protocol/auth"
	"github.com/gremlind/gremlind/storage/pebble"
)

func newUser() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "user",
		Short: "Add, change, remove and list users",
		Long: `Add, change, remove and list users.

Users live in the data directory, whether a server runs on it or not. Passwords are
read from the standard input, one line, never from the command line.`,
	}
	configFlags(cmd.PersistentFlags())
	role := string(auth.Write)
	add := userCommand("add NAME", "Add a user", func(ctx context.Context, c *config, name string, in io.Reader) error {
		password, err := readPassword(in)
		if err != nil {
			return err
		}
		return changeUsers(ctx, c, http.MethodPost, auth.Change{Name: name, Password: password, Role: auth.Role(role)},
			func(u *auth.Users) error { return u.Add(ctx, name, password, auth.Role(role)) })
	})
	add.Flags().StringVar(&role, "role", role, "read or write")
	passwd := userCommand("passwd NAME", "Set a password", func(ctx context.Context, c *config, name string, in io.Reader) error {
		password, err := readPassword(in)
		if err != nil {
			return err
		}
		return changeUsers(ctx, c, http.MethodPut, auth.Change{Name: name, Password: password},
			func(u *auth.Users) error { return u.SetPassword(ctx, name, password) })
	})
	rm := userCommand("rm NAME", "Remove a user", func(ctx context.Context, c *config, name string, _ io.Reader) error {
		return changeUsers(ctx, c, http.MethodDelete, auth.Change{Name: name},
			func(u *auth.Users) error { return u.Remove(ctx, name) })
	})
	cmd.AddCommand(add, passwd, rm, newUserList(), newUserHash())
	return cmd
}

func userCommand(use, short string, run func(ctx context.Context, c *config, name string, in io.Reader) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(cmd.Flags(), nil, os.Environ())
			if err != nil {
				return err
			}
			return run(cmd.Context(), c, args[0], cmd.InOrStdin())
		}}
}

func newUserList() *cobra.Command {
	return &cobra.Command{Use: "list", Short: "List the users", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(cmd.Flags(), nil, os.Environ())
			if err != nil {
				return err
			}
			var list []auth.User
			err = ask(cmd.Context(), c, http.MethodGet, "/users", nil, &list)
			if errors.Is(err, errNoServer) {
				err = withUsers(c, func(u *auth.Users) error {
					list, err = u.List()
					return err
				})
			}
			for _, u := range list {
				fmt.Fprintf(cmd.OutOrStdout(), "%s\t%s\n", u.Name, u.Role)
			}
			return err
		}}
}

func newUserHash() *cobra.Command {
	return &cobra.Command{Use: "hash", Short: "Print the hash of a password, for users in the configuration", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			password, err := readPassword(cmd.InOrStdin())
			if err != nil {
				return err
			}
			h, err := auth.Hash(password)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), h)
			return err
		}}
}

// changeUsers asks the running server, or opens the data directory itself.
func changeUsers(ctx context.Context, c *config, method string, body auth.Change, offline func(*auth.Users) error) error {
	err := ask(ctx, c, method, "/users", body, nil)
	if errors.Is(err, errNoServer) {
		return withUsers(c, offline)
	}
	return err
}

func withUsers(c *config, fn func(*auth.Users) error) (err error) {
	if c.Memory {
		return usage("a server in memory keeps no users: name a data directory")
	}
	s, err := pebble.Open(c.DataDir, pebble.Options{Logger: quiet()})
	if err != nil {
		return fmt.Errorf("open data directory %s: %w", c.DataDir, err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return fn(auth.NewUsers(s))
}

func readPassword(in io.Reader) (string, error) {
	if f, ok := in.(*os.File); ok && isTerminal(f) {
		fmt.Fprint(os.Stderr, "password (shown as you type): ")
	}
	line, err := bufio.NewReader(io.LimitReader(in, auth.PasswordMax+2)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("read password: %w", err)
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", usage("the password is read from the standard input, which was empty")
	}
	return line, nil
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
