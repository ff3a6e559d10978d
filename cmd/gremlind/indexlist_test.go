package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// listedIndexes are indexes of every kind that has a name: how it is made, what asks it once, and how
// many entries it has of the 30 vertices and 60 edges that the test makes; a text of n characters has
// n-2 trigrams.
var listedIndexes = []struct {
	name, made, asks string
	entries          int
}{
	{"u", "class: 'vertex', keys: ['n'], unique: true", "g.V().has('n', 7)", 30},
	{"c", "class: 'vertex', label: 'p', keys: ['k', 't']", "g.V().has('p', 'k', 1).has('t', 'red cable 1')", 30},
	{"tri", "class: 'vertex', keys: ['t'], analyzer: 'trigram'", "g.V().has('t', containing('able 17'))", 290},
	{"words", "class: 'vertex', keys: ['t'], analyzer: 'words'", "g.call('gremlind.text', [index: 'words', query: '17'])", 90},
	{"near", "class: 'vertex', keys: ['at'], analyzer: 'geo'", "g.call('gremlind.near', [index: 'near', lat: 1, lon: 1, limit: 1])", 30},
	{"box", "class: 'vertex', label: 'p', keys: ['at'], analyzer: 'geo'", "g.call('gremlind.within', [index: 'box', box: [6, 0, 8, 2]])", 30},
	{"e", "class: 'edge', keys: ['w']", "g.E().has('w', 7)", 60},
	{"out", "class: 'edge', label: 'r', keys: ['w'], direction: 'OUT'", "g.V(7).outE('r').has('w', gt(1))", 30},
	{"both", "class: 'edge', label: 's', keys: ['w'], direction: 'BOTH'", "g.V(7).inE('s').order().by('w').limit(1)", 60},
	{"hand", "class: 'vertex'", "g.call('gremlind.index.get', [name: 'hand', key: 'k', value: 1])", 1},
}

// TestIndexList: gremlind.index.list says of each index that has a name how often it was asked, and
// how many entries and, once they are on disk, bytes it has.
func TestIndexList(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	do := func(text string) string {
		t.Helper()
		code, got := p.groovy(t, text)
		if code != 200 {
			t.Fatalf("%s: %s", text, got)
		}
		return got
	}
	do(`30.times { g.addV('p').property(T.id, it).property('n', it).property('k', it % 2).property('t', 'red cable ' + it).property('at', [(double) it, 1.0d]).iterate() };
		30.times { g.V(it).as('a').V((it + 1) % 30).addE('r').from('a').property('w', it).iterate() };
		30.times { g.V(it).as('a').V((it + 1) % 30).addE('s').from('a').property('w', 40).iterate() }; 1`)
	for _, x := range listedIndexes {
		do(fmt.Sprintf("g.call('gremlind.index.create', [name: '%s', %s])", x.name, x.made))
	}
	do("g.V(1).call('gremlind.index.put', [name: 'hand', key: 'k', value: 1])")
	p.stop(syscall.SIGTERM) // what is opened again is on disk
	p = serve(t, "--data-dir", dir)
	for _, x := range listedIndexes {
		before := listedCost(t, do("g.call('gremlind.index.list')"), x.name)
		if got := do(x.asks); !strings.HasPrefix(got, "==>") {
			t.Errorf("%s finds %q", x.asks, got)
		}
		after := listedCost(t, do("g.call('gremlind.index.list')"), x.name)
		if before["lookups"] != 0 || after["lookups"] != 1 || after["entries"] != x.entries || after["bytes"] < x.entries {
			t.Errorf("%s: %v, and once it was asked %v; want %d entries", x.name, before, after, x.entries)
		}
	}
}

// listedCost are the numbers that a list has of an index.
func listedCost(t *testing.T, list, name string) map[string]int {
	t.Helper()
	line := regexp.MustCompile(`(?m)^==>\{name=` + name + `,.*$`).FindString(list)
	cost := map[string]int{}
	for _, m := range regexp.MustCompile(`(\w+)=(\d+)`).FindAllStringSubmatch(line, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		cost[m[1]] = n
	}
	return cost
}
