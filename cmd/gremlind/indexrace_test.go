package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
		"g.V(%[1]d).property(single, 'at', [%[1]d.0d, %[3]d.0d]).V(%[2]d).property(single, 'at', [%[2]d.0d, %[4]d.0d]).iterate()",
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
		"g.E().has('w', 1).count()":                                                    "120",
		"g.V().inE('r').has('w', 1).count()":                                           "120",
		"g.V().outE('r').has('w', lt(2)).count()":                                      "120",
		"g.V(5).inE('r').order().by('w', desc).limit(9).count()":                       "6",
		"g.call('gremlind.text', [index: 'b', query: 'red']).count()":                  "20",
		"g.call('gremlind.within', [index: 'at', box: [-90, 0.5, 90, 1.5]]).count()":   "20",
		"g.call('gremlind.near', [index: 'at', lat: 20, lon: 2, limit: 100]).count()":  "40",
	}
	bornAndDead = []string{
		"name: 'k', class: 'vertex', keys: ['k', 'n']", "name: 'n', class: 'vertex', label: 'p', keys: ['n'], unique: true", "name: 'kl', class: 'vertex', label: 'p', keys: ['k']",
		"name: 'nk', class: 'vertex', keys: ['n', 'k'], unique: true", "name: 't', class: 'vertex', keys: ['t'], analyzer: 'trigram'",
		"name: 'b', class: 'vertex', keys: ['t'], analyzer: 'words'", "name: 'at', class: 'vertex', keys: ['at'], analyzer: 'geo'",
		"name: 'w', class: 'edge', label: 'r', keys: ['w'], direction: 'OUT'", "name: 'in', class: 'edge', label: 'r', keys: ['w'], direction: 'IN'",
		"name: 'both', class: 'edge', label: 'r', keys: ['w'], direction: 'BOTH'", "name: 'e', class: 'edge', keys: ['w']",
		"class: 'vertex', key: 'k'", "class: 'vertex', key: 'n'", "class: 'vertex', key: 't'", "class: 'edge', key: 'w'",
	}
	// unused is what a call of an index answers while that is not there, not complete or hidden.
	unused = []string{"there is no complete index", "it is used once it is ACTIVE"}
)

// TestDeclaredIndexes_BornAndDead: clients write and ask while another makes, hides and drops
// indexes of every kind, and no answer is ever wrong; nor is one when the server is killed
// while an index is dropped.
func TestDeclaredIndexes_BornAndDead(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	if code, text := p.groovy(t, `40.times { n -> g.addV('p').property(T.id, n).property('n', n).property('k', n % 2 + 1).property('t', n % 2 ? 'red cable' : 'blue cable').property('at', [(double) n, (double) (n % 2 + 1)]).iterate() };
		40.times { n -> 6.times { i -> g.V(n).as('a').V((n + i) % 40).addE('r').from('a').property('w', i % 2 + 1).iterate() } }; g.E().count()`); code != 200 {
		t.Fatal(text)
	}
	var ended atomic.Bool
	var client, called atomic.Int64
	inParallel(t, p, 5, func(c *gremlingo.Client) error {
		n := client.Add(1)
		r := rand.New(rand.NewPCG(uint64(n), 1))
		switch n {
		case 1:
			defer ended.Store(true)
			return giveBirth(c, r)
		case 2, 3:
			for !ended.Load() {
				i, lon := 2*r.IntN(20), 1+r.IntN(2)
				if err := submit(c, fmt.Sprintf(turns[r.IntN(len(turns))], i, i+1, lon, 3-lon)); err != nil && !strings.Contains(err.Error(), "Conflict") {
					return err
				}
			}
			return nil
		}
		for !ended.Load() {
			if err := askAll(c, &called); err != nil {
				return err
			}
		}
		return nil
	})
	if called.Load() == 0 {
		t.Error("no call has found its index")
	}
	for _, x := range bornAndDead {
		p.post(t, birth(x))
		p.post(t, death(x))
		p.kill()
		p = serve(t, "--data-dir", dir)
		for text, want := range asked {
			if _, got := p.post(t, text); got != "==>"+want && !isUnused(text, got) {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
	}
	p.stop(syscall.SIGTERM)
	if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone || !strings.Contains(out, "no problems") {
		t.Errorf("%s%s", out, errs)
	}
}

// birth and death are the requests that make an index and drop it.
func birth(x string) string {
	if nameOf(x) == "" {
		return "g.call('gremlind.index.createKey', [" + x + "])"
	}
	return "g.call('gremlind.index.create', [" + x + "])"
}

func death(x string) string {
	if nameOf(x) == "" {
		return "g.call('gremlind.index.dropKey', [" + x + "])"
	}
	return "g.call('gremlind.index.drop', [name: " + nameOf(x) + "])"
}

// nameOf is the name of an index in quotes, "" for one of a key.
func nameOf(x string) string {
	rest, named := strings.CutPrefix(x, "name: ")
	name, _, _ := strings.Cut(rest, ",")
	if !named {
		return ""
	}
	return name
}

// giveBirth makes, hides, shows and drops indexes.
func giveBirth(c *gremlingo.Client, r *rand.Rand) error {
	for range 100 {
		x := bornAndDead[r.IntN(len(bornAndDead))]
		request := birth(x)
		switch n := r.IntN(8); {
		case n < 2:
			request = death(x)
		case n < 4 && nameOf(x) != "":
			request = fmt.Sprintf("g.call('gremlind.index.%s', [name: %s])", []string{"hide", "show"}[n-2], nameOf(x))
		}
		if err := submit(c, request); err != nil && !strings.Contains(err.Error(), "there is no") {
			return fmt.Errorf("%s: %w", request, err)
		}
	}
	return nil
}

// isUnused reports whether a call of an index answers that it is not there.
func isUnused(text, answer string) bool {
	return strings.HasPrefix(text, "g.call(") && slices.ContainsFunc(unused, func(u string) bool { return strings.Contains(answer, u) })
}

// askAll returns an error unless all answers are right, and counts those of calls.
func askAll(c *gremlingo.Client, called *atomic.Int64) error {
	for text, want := range asked {
		results, err := c.Submit(text)
		if err != nil {
			return err
		}
		all, err := results.All()
		if err != nil && isUnused(text, err.Error()) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		if len(all) != 1 || strings.ReplaceAll(fmt.Sprint(all[0].GetInterface()), " ", ", ") != want {
			return fmt.Errorf("%s: %v, want %s", text, all, want)
		}
		if strings.HasPrefix(text, "g.call(") {
			called.Add(1)
		}
	}
	return nil
}
