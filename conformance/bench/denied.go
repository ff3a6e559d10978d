package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// With -denied gremlind is compared with itself: a user to whom two keys and an edge label of
// each graph are denied asks beside one to whom nothing is, of one server.

// deniedBar is the part of the rate that he has at least.
const deniedBar = 0.95

// hidden is what is denied of a graph.
type hidden struct{ graph, keys, label string }

var deniedRoles = []hidden{
	{"graph", "pin,salary", "hates"},
	{"grateful", "songType,performances", "writtenBy"},
	{"air", "runways,elev", "contains"},
	{"tx", "pin,salary", "hates"},
}

const (
	deniedUser, userOfAll = "ann", "bob"
	benchPassword         = "correct horse battery"
)

// startDenied starts a server and returns it as the two see it, who is denied something first.
func startDenied(ctx context.Context, o options, d *dataset) ([]*target, error) {
	all, err := startGremlind(ctx, o, d, userOfAll, o.binary)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(o.work, userOfAll)
	err = all.hide(ctx)
	if err == nil {
		err = all.stop()
	}
	if err == nil {
		err = makeUsers(ctx, o.binary, filepath.Join(dir, "data"))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "bench.yaml"), []byte("auth: true\n"+gremlindConfig), 0o644)
	}
	if err != nil {
		return []*target{all}, err
	}
	address := all.url
	all.url = as(userOfAll, address)
	if err := all.restart(); err != nil {
		return []*target{all}, err
	}
	denied, again := *all, all.restart
	denied.name, denied.url, denied.fixed = deniedUser, as(deniedUser, address), true
	all.restart = func() error { return nil }
	denied.restart = func() error {
		err := again()
		denied.pid = all.pid
		return err
	}
	denied.stop = nil // there is one
	return []*target{&denied, all}, nil
}

// as is an address with a name and a password.
func as(user, address string) string {
	return strings.Replace(address, "://", "://"+user+":"+strings.ReplaceAll(benchPassword, " ", "%20")+"@", 1)
}

// hide gives each vertex of the generated graph something that is denied.
func (t *target) hide(ctx context.Context) error {
	const piece = 10_000
	for from := 0; ; from += piece {
		text := fmt.Sprintf("g.V().range(%d, %d).as('a').property('pin', 1).property('salary', 2).addE('hates').to('a').count()", from, from+piece)
		n, err := t.text(ctx, "g", text)
		if err != nil {
			return fmt.Errorf("hide: %w", err)
		}
		if len(n) == 1 && n[0].Int64() < piece {
			return nil
		}
	}
}

func makeUsers(ctx context.Context, binary, data string) error {
	run := func(args ...string) error {
		cmd := exec.CommandContext(ctx, binary, append(args, "--data-dir", data)...)
		cmd.Stdin = strings.NewReader(benchPassword + "\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("gremlind %s: %w\n%s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	user := []string{"user", "add", deniedUser}
	for _, h := range deniedRoles {
		name := "without-" + h.graph
		if err := run("role", "add", name, "--graph", h.graph, "--allow", "write", "--deny-keys", h.keys, "--deny-edge-labels", h.label); err != nil {
			return err
		}
		user = append(user, "--role", name)
	}
	if err := run(user...); err != nil {
		return err
	}
	return run("user", "add", userOfAll, "--role", "admin")
}
