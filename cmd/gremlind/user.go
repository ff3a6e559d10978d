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
	"golang.org/x/term"

	"github.com/gremlind/gremlind/protocol/auth"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/traversal"
)

func newUser() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "user",
		Short: "Add, change, remove and list users",
		Long: `Add, change, remove and list users.

Users live in the data directory, whether a server runs on it or not. Passwords are
read from the standard input, one line, never from the command line; a terminal does
not show them. A running server gives open connections the new rights at once, and ends
those of users who are gone or have another password.`,
	}
	configFlags(cmd.PersistentFlags())
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
	cmd.AddCommand(newUserAdd(), passwd, newUserRights(), newUserLimits(), rm, newUserList(), newUserHash())
	return cmd
}

func newUserAdd() *cobra.Command {
	var roles, graphs []string
	add := userCommand("add NAME", "Add a user", func(ctx context.Context, c *config, name string, in io.Reader) error {
		password, err := readPassword(in)
		if err != nil {
			return err
		}
		user := auth.User{Name: name, Roles: roles, Graphs: graphs}
		return changeUsers(ctx, c, http.MethodPost, auth.Change{Name: name, Password: password, Roles: roles, Graphs: graphs},
			func(u *auth.Users) error { return u.Add(ctx, user, password) })
	})
	add.Flags().StringSliceVar(&roles, "role", []string{traversal.WriteRole.Name}, "read, write, admin, or a role of gremlind role; once for each")
	add.Flags().StringArrayVar(&graphs, "graph", nil, "a graph that the user reaches; once for each, none for all")
	return add
}

func newUserRights() *cobra.Command {
	var change auth.Change
	var roles []string
	cmd := userCommand("rights NAME", "Set the roles of a user, and the graphs that the user reaches", func(ctx context.Context, c *config, name string, _ io.Reader) error {
		change.Name, change.Roles = name, roles
		if change.AllGraphs {
			change.Graphs = []string{}
		}
		return changeUsers(ctx, c, http.MethodPatch, change,
			func(u *auth.Users) error { return u.SetRights(ctx, name, change.Roles, change.Graphs) })
	})
	cmd.Flags().StringSliceVar(&roles, "role", nil, "read, write, admin, or a role of gremlind role; once for each, as they are without")
	cmd.Flags().StringArrayVar(&change.Graphs, "graph", nil, "a graph that the user reaches; once for each, as they are without")
	cmd.Flags().BoolVar(&change.AllGraphs, "all-graphs", false, "the user reaches all graphs")
	cmd.MarkFlagsMutuallyExclusive("graph", "all-graphs")
	cmd.MarkFlagsOneRequired("role", "graph", "all-graphs")
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
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, u := range list {
				text.WriteString(userLine(&u))
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text.String())
			return err
		}}
}

// userLine is a user as the list shows one.
func userLine(u *auth.User) string {
	line := u.Name + "\t" + strings.Join(u.Roles, ",")
	if len(u.Graphs) > 0 {
		line += "\t" + strings.Join(u.Graphs, ",")
	}
	if u.Limits != nil {
		line += "\t" + userLimitsText(u.Limits)
	}
	return line + "\n"
}

func newUserHash() *cobra.Command {
	return &cobra.Command{Use: "hash", Short: "Print the hash of a password, for users in the configuration", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			password, err := readPassword(cmd.InOrStdin())
			if err != nil {
				return err
			}
			if err := auth.CheckPassword(password); err != nil {
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
	return withStore(c, func(s storage.Store) error { return fn(auth.NewUsers(s)) })
}

func readPassword(in io.Reader) (string, error) {
	if f, ok := in.(*os.File); ok && isTerminal(f) {
		return promptPassword(f)
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

// promptPassword asks at a terminal, twice and without showing what is typed.
func promptPassword(f *os.File) (string, error) {
	var typed [2]string
	for i, prompt := range []string{"password: ", "again: "} {
		fmt.Fprint(os.Stderr, prompt)
		b, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(os.Stderr)
		if err != nil {
			return "", fmt.Errorf("read password: %w", err)
		}
		typed[i] = string(b)
	}
	if typed[0] != typed[1] {
		return "", usage("the two passwords differ")
	}
	if typed[0] == "" {
		return "", usage("the password is empty")
	}
	return typed[0], nil
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
