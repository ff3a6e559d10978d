package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gremlind/gremlind/protocol/auth"
	"github.com/gremlind/gremlind/traversal"
)

func newRole() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "role",
		Short: "Add, change, remove and show roles",
		Long: `Add, change, remove and show roles.

A role says in which graphs its holders may read, write or administer, and what of these
graphs is not there for them. Roles live in the data directory beside the users. A running
server gives open connections the new rights at once. The roles read, write and admin are
always there.`,
		Example: `  gremlind role add analyst --graph 'acme/*' --allow read --deny-keys ssn,salary --steps '!call,!io'
  gremlind user add ann --role analyst`,
	}
	configFlags(cmd.PersistentFlags())
	rm := userCommand("delete NAME", "Remove a role that nobody has", func(ctx context.Context, c *config, name string, _ io.Reader) error {
		return changeRoles(ctx, c, http.MethodDelete, traversal.Role{Name: name},
			func(u *auth.Users) error { return u.RemoveRole(ctx, name) })
	})
	cmd.AddCommand(newRoleAdd(), newRoleChange(), rm, newRoleList(), newRoleShow())
	return cmd
}

// roleFlags are what a role is made of.
func roleFlags(f *pflag.FlagSet, r *traversal.Role) {
	f.StringSliceVar(&r.Graphs, "graph", nil, "graphs that the role is about, * at the end for all that begin so; none for all")
	f.StringSliceVar(&r.Sources, "source", nil, "the only traversal sources by which it leads there; none for all")
	f.StringVar((*string)(&r.Allow), "allow", "", "read, write or admin")
	f.StringSliceVar(&r.Keys, "deny-keys", nil, "property keys that are not there")
	f.StringSliceVar(&r.EdgeLabels, "deny-edge-labels", nil, "labels of edges that are not there")
	f.StringSliceVar(&r.VertexLabels, "deny-vertex-labels", nil, "labels of vertices that are not there, nor their edges")
	f.VarPF(pastFlag{r}, "past", "", "the past of graphs may be read: asOf, history, changes").NoOptDefVal = "true"
	f.StringSliceVar(&r.Steps, "steps", nil, "the only steps that are allowed; with a ! those that are not")
}

// pastFlag is whether a role grants the past.
type pastFlag struct{ r *traversal.Role }

// String implements pflag.Value.
func (p pastFlag) String() string { return strconv.FormatBool(p.r == nil || p.r.GrantsPast()) }

// Type implements pflag.Value.
func (p pastFlag) Type() string { return "bool" }

// Set implements pflag.Value: what every role grants is not said.
func (p pastFlag) Set(text string) error {
	is, err := strconv.ParseBool(text)
	if p.r.Past = nil; !is {
		p.r.Past = &is
	}
	return err
}

func newRoleAdd() *cobra.Command {
	var r traversal.Role
	add := userCommand("add NAME", "Add a role", func(ctx context.Context, c *config, name string, _ io.Reader) error {
		r.Name = name
		return changeRoles(ctx, c, http.MethodPost, r, func(u *auth.Users) error { return u.AddRole(ctx, r) })
	})
	roleFlags(add.Flags(), &r)
	add.MarkFlagsOneRequired("allow")
	return add
}

func newRoleChange() *cobra.Command {
	var given traversal.Role
	var flags *pflag.FlagSet
	change := userCommand("change NAME", "Change what is given of a role; a flag that is empty takes away", func(ctx context.Context, c *config, name string, _ io.Reader) error {
		r, err := roleNamed(ctx, c, name)
		if err != nil {
			return err
		}
		apply := map[string]func(){
			"graph": func() { r.Graphs = given.Graphs }, "source": func() { r.Sources = given.Sources },
			"allow": func() { r.Allow = given.Allow }, "steps": func() { r.Steps = given.Steps },
			"past":               func() { r.Past = given.Past },
			"deny-keys":          func() { r.Keys = given.Keys },
			"deny-edge-labels":   func() { r.EdgeLabels = given.EdgeLabels },
			"deny-vertex-labels": func() { r.VertexLabels = given.VertexLabels },
		}
		flags.Visit(func(f *pflag.Flag) {
			if set, ok := apply[f.Name]; ok {
				set()
			}
		})
		return changeRoles(ctx, c, http.MethodPut, r, func(u *auth.Users) error { return u.SetRole(ctx, r) })
	})
	flags = change.Flags()
	roleFlags(flags, &given)
	return change
}

// roles lists the roles, of a running server or of the data directory.
func roles(ctx context.Context, c *config) (list []traversal.Role, err error) {
	err = ask(ctx, c, http.MethodGet, "/roles", nil, &list)
	if errors.Is(err, errNoServer) {
		err = withUsers(c, func(u *auth.Users) error {
			list, err = u.ListRoles()
			return err
		})
	}
	return list, err
}

func roleNamed(ctx context.Context, c *config, name string) (traversal.Role, error) {
	list, err := roles(ctx, c)
	for _, r := range list {
		if r.Name == name {
			return r, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%w: %.64q; gremlind role list names them", auth.ErrNoRole, name)
	}
	return traversal.Role{}, err
}

func newRoleList() *cobra.Command {
	return &cobra.Command{Use: "list", Short: "List the roles", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(cmd.Flags(), nil, os.Environ())
			if err != nil {
				return err
			}
			list, err := roles(cmd.Context(), c)
			if err != nil {
				return err
			}
			var text strings.Builder
			for i := range list {
				text.WriteString(roleLine(&list[i]) + "\n")
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text.String())
			return err
		}}
}

// roleLine is a role as the flags that make it.
func roleLine(r *traversal.Role) string {
	line := r.Name + "\t--allow " + string(r.Allow)
	if !r.GrantsPast() {
		line += " --past=false"
	}
	for _, part := range []struct {
		flag  string
		names []string
	}{{"graph", r.Graphs}, {"source", r.Sources}, {"deny-keys", r.Keys}, {"deny-edge-labels", r.EdgeLabels},
		{"deny-vertex-labels", r.VertexLabels}, {"steps", r.Steps}} {
		if len(part.names) > 0 {
			line += " --" + part.flag + " '" + strings.Join(part.names, ",") + "'"
		}
	}
	return line
}

func newRoleShow() *cobra.Command {
	return &cobra.Command{Use: "show NAME", Short: "Show a role as JSON", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfig(cmd.Flags(), nil, os.Environ())
			if err != nil {
				return err
			}
			r, err := roleNamed(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			b, err := json.MarshalIndent(r, "", "  ")
			if err == nil {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", b)
			}
			return err
		}}
}

// changeRoles asks the running server, or opens the data directory itself.
func changeRoles(ctx context.Context, c *config, method string, r traversal.Role, offline func(*auth.Users) error) error {
	err := ask(ctx, c, method, "/roles", r, nil)
	if errors.Is(err, errNoServer) {
		return withUsers(c, offline)
	}
	return err
}
