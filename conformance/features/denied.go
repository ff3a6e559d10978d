package main

import (
	"context"
	"fmt"
	"io"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/conformance/server"
)

// asDenied is a server whose graphs hold more than the scenarios know, all of which is denied to
// who runs them.
var asDenied = variant{name: "as who is denied the rest", args: []string{"--auth"}, perform: (*suite).runDenied}

var deniedUsers = [][]string{
	{"role", "add", "suite", "--allow", "write", "--deny-keys", "ssn,wage", "--deny-edge-labels", "pays", "--deny-vertex-labels", "spy"},
	{"user", "add", "suite", "--role", "suite"},
	{"user", "add", "root", "--role", "admin"},
}

// deniedMore is what is added to every graph that no scenario changes: it looks like the rest.
var deniedMore = []string{
	"g.V().property('ssn', '123').property('wage', 32)",
	"g.V().properties().property('ssn', 'marko')",
	"g.E().property('wage', 0.5)",
	"g.inject(1, 2, 3).addV('spy').property('name', 'marko').property('age', 29).property('ssn', '7')",
	"g.V().not(__.hasLabel('spy')).limit(20).as('a').addE('pays').to(__.V().limit(1)).property('weight', 1.0)",
	"g.V().not(__.hasLabel('spy')).limit(20).as('a').addE('knows').to(__.V().hasLabel('spy').limit(1)).property('weight', 1.0)",
	"g.V().hasLabel('spy').as('a').addE('created').to(__.V().limit(1)).property('weight', 0.2)",
}

// runDenied runs the scenarios as a user to whom what was added is not there.
func (s *suite) runDenied(ctx context.Context, srv *server.Server, binary string, w io.Writer) error {
	if err := addUsers(ctx, srv, binary, deniedUsers); err != nil {
		return err
	}
	c, err := client.Dial(ctx, loggedIn(srv.URL, "root"))
	if err != nil {
		return err
	}
	defer c.Close()
	for _, src := range toySources {
		for _, text := range deniedMore {
			if _, err := c.Text(ctx, src, textLanguage, text, nil); err != nil {
				return fmt.Errorf("%s of %s: %w", text, src, err)
			}
		}
	}
	return s.run(ctx, loggedIn(srv.URL, "suite"), w)
}
