package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/conformance/server"
)

// besideTenant is a server that knows its users, of whom one is a tenant with graphs of its own.
var besideTenant = variant{name: "beside a tenant", args: []string{"--auth"}, perform: (*suite).runBeside}

// What the users of the server may do: the suite writes to its graphs, and administers none.
var besideUsers = [][]string{
	{"role", "add", "suite", "--allow", "write", "--graph", "graph,classic,modern,crew,grateful,sink,immutable,nullgraph,tx"},
	{"role", "add", "tenant", "--allow", "admin", "--graph", "tenant/*"},
	{"user", "add", "suite", "--role", "suite"},
	{"user", "add", "tenant", "--role", "tenant"},
	{"graph", "create", "tenant/home"},
}

const usersPassword = "a password"

// tenantRound is what the tenant does again and again: a source, what is asked of it, and a
// part of the error that has to come of it, "" where it has to go well.
var tenantRound = [...]struct{ source, text, refused string }{
	{"tenant/home", "g.call('gremlind.graph.create', [name: 'tenant/shop', 'quota.vertices': 200])", ""},
	{"tenant/shop", "g.inject(1).repeat(__.addV('person').property('name', 'marko').property('age', 29)).times(150).count()", ""},
	{"tenant/shop", "g.inject(1).repeat(__.addV('person')).times(150).count()", "quota.vertices"},
	{"tenant/shop", "g.inject(1).repeat(__.addV('person')).times(50).count()", ""},
	{"tenant/shop", "g.addV('person')", "is full"},
	{"tenant/shop", "g.V().limit(100).as('a').addE('knows').to(__.V().limit(1)).count()", ""},
	{"tenant/shop", "g.V().has('name', 'marko').both().both().groupCount().by('age')", ""},
	{"gmodern", "g.V().drop()", "not in the Graph or TraversalSource"},
	{"ggraph", "g.V().count()", "not in the Graph or TraversalSource"},
	{"tenant/home", "g.call('gremlind.graph.truncate', [name: 'graph', confirm: 'graph'])", "no such graph"},
	{"tenant/home", "g.call('gremlind.graph.list').count()", ""},
	{"tenant/shop", "g.E().drop()", ""},
	{"tenant/home", "g.call('gremlind.graph.truncate', [name: 'tenant/shop', confirm: 'tenant/shop'])", ""},
	{"tenant/shop", "g.addV('person').property('name', 'again')", ""},
	{"tenant/home", "g.call('gremlind.graph.drop', [name: 'tenant/shop', confirm: 'tenant/shop'])", ""},
}

// runBeside runs the scenarios as one user, while another makes, fills, empties and drops
// graphs of his own and tries those of the suite.
func (s *suite) runBeside(ctx context.Context, srv *server.Server, binary string, w io.Writer) error {
	if err := addUsers(ctx, srv, binary, besideUsers); err != nil {
		return err
	}
	churning, stop := context.WithCancel(ctx)
	rounds, ended := 0, make(chan error, 1)
	go func() {
		var err error
		rounds, err = tenant(churning, loggedIn(srv.URL, "tenant"))
		ended <- err
	}()
	err := s.run(ctx, loggedIn(srv.URL, "suite"), w)
	stop()
	if terr := <-ended; err == nil {
		err = terr
	}
	fmt.Fprintf(w, "the tenant filled and dropped a graph %d times\n", rounds)
	if err == nil && rounds == 0 {
		err = errors.New("the tenant was not done with a graph before the suite was: run more of it")
	}
	return err
}

// addUsers runs commands of gremlind that make users and what they need.
func addUsers(ctx context.Context, srv *server.Server, binary string, commands [][]string) error {
	for _, args := range commands {
		cmd := exec.CommandContext(ctx, binary, append(args, "--data-dir", srv.DataDir)...)
		cmd.Stdin = strings.NewReader(usersPassword + "\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", args, err, out)
		}
	}
	return nil
}

// loggedIn is an address with a user's login.
func loggedIn(address, user string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address // dialling says what is wrong with it
	}
	u.User = url.UserPassword(user, usersPassword)
	return u.String()
}

// tenant does its rounds until ctx ends, and returns how many there were.
func tenant(ctx context.Context, address string) (rounds int, err error) {
	c, err := client.Dial(ctx, address)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	for ; ; rounds++ {
		for _, r := range tenantRound {
			if ctx.Err() != nil {
				return rounds, nil
			}
			asked, cancel := context.WithTimeout(context.WithoutCancel(ctx), scenarioLimit)
			_, err := c.Text(asked, r.source, textLanguage, r.text, nil)
			cancel()
			if r.refused != "" && (err == nil || !strings.Contains(err.Error(), r.refused)) {
				return rounds, fmt.Errorf("the tenant's %s on %s was answered with %v, want an error: %s", r.text, r.source, err, r.refused)
			}
			if r.refused == "" && err != nil {
				return rounds, fmt.Errorf("the tenant's %s on %s: %w", r.text, r.source, err)
			}
			time.Sleep(churnPause) // or it takes all the time that there is
		}
	}
}
