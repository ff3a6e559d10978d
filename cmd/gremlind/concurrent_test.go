package main

import (
	"fmt"
	"sync"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// TestConcurrentIncrements has clients read and write one property: every request that
// was acknowledged counts, because those that lost a conflict ran again.
func TestConcurrentIncrements(t *testing.T) {
	p := serve(t, "--data-dir", t.TempDir())
	if code, text := p.post(t, "g.addV('counter').property('n', 0)"); code != 200 {
		t.Fatal(text)
	}
	const clients, each = 8, 40
	inParallel(t, p, clients, func(client *gremlingo.Client) error {
		for range each {
			if err := submit(client, "g.V().hasLabel('counter').property('n', values('n').math('_ + 1'))"); err != nil {
				return err
			}
		}
		return nil
	})
	if _, text := p.post(t, "g.V().hasLabel('counter').values('n')"); text != fmt.Sprintf("==>%d.0", clients*each) {
		t.Errorf("got %s, want %d", text, clients*each)
	}
}

// TestConcurrentMerges has clients upsert the same vertices: each exists once.
func TestConcurrentMerges(t *testing.T) {
	p := serve(t, "--data-dir", t.TempDir())
	const clients, names = 8, 30
	inParallel(t, p, clients, func(client *gremlingo.Client) error {
		for i := range names {
			if err := submit(client, fmt.Sprintf("g.mergeV([(T.label): 'person', name: 'p%d'])", i)); err != nil {
				return err
			}
		}
		return nil
	})
	if _, text := p.post(t, "g.V().count()"); text != fmt.Sprintf("==>%d", names) {
		t.Errorf("%s vertices, want %d", text, names)
	}
}

// TestDropsAgainstEdges adds edges to vertices that others drop: none may dangle.
func TestDropsAgainstEdges(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	const rounds = 30
	for i := range 2 * rounds {
		if code, text := p.post(t, fmt.Sprintf("g.addV('v').property('i', %d)", i)); code != 200 {
			t.Fatal(text)
		}
	}
	var wg sync.WaitGroup
	for _, script := range []string{
		"g.V().has('i', %d).as('a').V().has('i', %d).addE('e').from('a')",
		"g.V().has('i', %[2]d).drop()",
	} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range rounds {
				if code, text := p.post(t, fmt.Sprintf(script, 2*i, 2*i+1)); code != 200 {
					t.Errorf("%d %s", code, text)
				}
			}
		}()
	}
	wg.Wait()
	if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone {
		t.Errorf("check: %d %s%s", code, out, errs)
	}
	if _, text := p.post(t, "g.E().where(inV().count().is(0))"); text != "" {
		t.Errorf("dangling: %s", text)
	}
}

func inParallel(t *testing.T, p *process, clients int, work func(*gremlingo.Client) error) {
	t.Helper()
	var wg sync.WaitGroup
	for range clients {
		client, err := gremlingo.NewClient("ws://"+p.addr+"/gremlin", func(s *gremlingo.ClientSettings) { s.LogVerbosity = gremlingo.Off })
		if err != nil {
			t.Fatal(err)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer client.Close()
			if err := work(client); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
}

func submit(client *gremlingo.Client, script string) error {
	rs, err := client.Submit(script)
	if err != nil {
		return err
	}
	_, err = rs.All()
	return err
}
