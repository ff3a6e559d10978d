package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// turns are writes that leave as many of each value as there were, and asked what is then
// always true, whichever indexes there are.
var (
	turns = []string{
		"g.V(%[1]d, %[2]d).property(single, 'k', choose(values('k').is(1), constant(2), constant(1))).iterate()",
		"g.V(%[1]d, %[2]d).property(single, 't', choose(values('t').is('red cable'), constant('blue cable'), constant('red cable'))).iterate()",
		"g.V(%[1]d).outE('r').property('w', choose(values('w').is(1), constant(2), constant(1))).iterate()",
	}
	asked = map[string]string{
		"g.V().has('k', 1).count()":                                                    "20",
		"g.V().has('p', 'k', gt(1)).count()":                                           "20",
		"g.V().has('k', 1).has('n', lt(20)).count()":                                   "10",
		"g.V().has('t', containing('red')).count()":                                    "20",
		"g.V().has('t', regex('^b.*cable$')).count()":                                  "20",
		"g.V().has('n', 7).count()":                                                    "1",
		"g.V().order().by('n', desc).limit(2).values('n').fold()":                      "[39, 38]",
		"g.V().has('k', within(1, 2)).order().by('n').limit(1).values('n')":            "0",
		"g.V(5).outE('r').has('w', 1).count()":                                         "3",
		"g.V(5).outE('r').has('w', gte(1)).order().by('w').limit(1).values('w').sum()": "1",
		"g.E().hasLabel('r').has('w', 2).count()":                                      "120",
	}
	bornAndDead = []string{
		"name: 'k', class: 'vertex', keys: ['k', 'n']", "name: 'n', class: 'vertex', label: 'p', keys: ['n'], unique: true", "name: 'kl', class: 'vertex', label: 'p', keys: ['k']",
		"name: 't', class: 'vertex', keys: ['t'], analyzer: 'trigram'", "name: 'b', class: 'vertex', keys: ['t'], analyzer: 'words'",
		"name: 'w', class: 'edge', label: 'r', keys: ['w'], direction: 'OUT'", "name: 'e', class: 'edge', keys: ['w']",
	}
)

// TestDeclaredIndexes_BornAndDead: clients write and ask while another makes, hides and drops
// indexes of every kind, and no answer is ever wrong; nor is one when the server is killed
// while an index is dropped.
func TestDeclaredIndexes_BornAndDead(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	if code, text := p.groovy(t, `40.times { n -> g.addV('p').property(T.id, n).property('n', n).property('k', n % 2 + 1).property('t', n % 2 ? 'red cable' : 'blue cable').iterate() };
		40.times { n -> 6.times { i -> g.V(n).as('a').V((n + i) % 40).addE('r').from('a').property('w', i % 2 + 1).iterate() } }; g.E().count()`); code != 200 {
		t.Fatal(text)
	}
	var ended atomic.Bool
	var client atomic.Int64
	inParallel(t, p, 5, func(c *gremlingo.Client) error {
		n := client.Add(1)
		r := rand.New(rand.NewPCG(uint64(n), 1))
		switch n {
		case 1:
			defer ended.Store(true)
			return giveBirth(c, r)
		case 2, 3:
			for !ended.Load() {
				i := 2 * r.IntN(20)
				if err := submit(c, fmt.Sprintf(turns[r.IntN(len(turns))], i, i+1)); err != nil && !strings.Contains(err.Error(), "Conflict") {
					return err
				}
			}
			return nil
		}
		for !ended.Load() {
			if err := askAll(c); err != nil {
				return err
			}
		}
		return nil
	})
	for _, x := range bornAndDead {
		p.post(t, "g.call('gremlind.index.create', ["+x+"])")
		p.post(t, "g.call('gremlind.index.drop', [name: "+strings.TrimSuffix(strings.Fields(x)[1], ",")+"])")
		p.kill()
		p = serve(t, "--data-dir", dir)
		for text, want := range asked {
			if _, got := p.post(t, text); got != "==>"+want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
	}
	p.stop(syscall.SIGTERM)
	if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone || !strings.Contains(out, "no problems") {
		t.Errorf("%s%s", out, errs)
	}
}

// giveBirth makes, hides, shows and drops indexes.
func giveBirth(c *gremlingo.Client, r *rand.Rand) error {
	for range 60 {
		x := bornAndDead[r.IntN(len(bornAndDead))]
		request := "g.call('gremlind.index.create', [" + x + "])"
		if r.IntN(2) == 0 {
			name := strings.TrimSuffix(strings.Fields(x)[1], ",")
			request = fmt.Sprintf("g.call('gremlind.index.%s', [name: %s])", []string{"drop", "drop", "hide", "show"}[r.IntN(4)], name)
		}
		if err := submit(c, request); err != nil && !strings.Contains(err.Error(), "there is no") {
			return fmt.Errorf("%s: %w", request, err)
		}
	}
	return nil
}

// askAll returns an error unless all answers are right.
func askAll(c *gremlingo.Client) error {
	for text, want := range asked {
		results, err := c.Submit(text)
		if err != nil {
			return err
		}
		all, err := results.All()
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		if len(all) != 1 || strings.ReplaceAll(fmt.Sprint(all[0].GetInterface()), " ", ", ") != want {
			return fmt.Errorf("%s: %v, want %s", text, all, want)
		}
	}
	return nil
}
