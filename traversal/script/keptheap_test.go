package script

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// hoards are scripts that leave much in a session's variables, in ways that are easily
// overlooked.
var hoards = map[string][]string{
	"parts of texts":           {"l = []; 40.times { l << ('x' * 100000 + it).substring(0, 40) }; 1"},
	"small parts of texts":     {"l = []; 40.times { l << ('x' * 100000 + it).substring(0, 4) }; 1"},
	"parts by split":           {"l = []; 40.times { l << ('ab ' * 30000 + it).split(' ')[1] }; 1"},
	"parts by regex":           {"l = []; 40.times { l << (('x' * 100000) + it).find('x{3}') }; 1"},
	"parts by index":           {"l = []; 40.times { l << ('x' * 100000 + it)[1..50] }; 1"},
	"parts trimmed":            {"l = []; 40.times { l << (' ' * 100000 + 'a' * 50 + it).trim() }; 1"},
	"parts tokenized":          {"l = []; 40.times { l << ('a' * 100000 + ' ' + 'b' * 50).tokenize().last() }; 1"},
	"a part and the whole":     {"a = 'x' * 4000000; b = a.substring(0, 40); a = [b, a]; b = 1"},
	"the first of lists":       {"l = []; 40.times { l << (1..20000).toList().subList(0, 1) }; 1"},
	"lists taken from":         {"l = []; 40.times { l << (1..20000).toList().take(1) }; 1"},
	"lists indexed":            {"l = []; 40.times { l << (1..20000).toList()[0..0] }; 1"},
	"lists that lost most":     {"l = (1..200000).toList(); 199999.times { l.removeLast() }; 1"},
	"lists that were cut":      {"l = (1..200000).toList(); l.removeAll { it > 1 }; 1"},
	"lists that kept few":      {"l = (1..200000).toList(); l.retainAll { it < 2 }; 1"},
	"lists that were cleared":  {"l = (1..200000).toList(); l.clear(); 1"},
	"lists popped":             {"l = (1..100000).toList(); 99999.times { l.pop() }; 1"},
	"maps that lost most":      {"m = [:]; 5000.times { m[it] = it }; 4999.times { m.remove(it) }; 1"},
	"maps that were cleared":   {"m = [:]; 50000.times { m[it] = it }; m.clear(); 1"},
	"sets that lost most":      {"m = [] as Set; 5000.times { m << it }; 4999.times { m.remove(it) }; 1"},
	"small lists":              {"l = []; 20000.times { l << [] }; 1"},
	"small maps":               {"l = []; 20000.times { l << [:] }; 1"},
	"small sets":               {"l = []; 20000.times { l << ([] as Set) }; 1"},
	"maps of one":              {"l = []; 10000.times { l << [a: it] }; 1"},
	"sets of one":              {"l = []; 10000.times { l << ([it] as Set) }; 1"},
	"entries":                  {"l = [:]; 10000.times { l[it] = it }; l = l.collect { it }; 1"},
	"lists of one":             {"l = []; 20000.times { l << [it] }; 1"},
	"closures":                 {"l = []; 20000.times { x -> l << { x } }; 1"},
	"curried":                  {"c = { a, b -> a }; l = []; 20000.times { l << c.curry(it) }; 1"},
	"composed":                 {"c = { it }; 20000.times { c = c >> { it } }; 1"},
	"functions of one program": {"c = { " + repeated("'abc' + 1; ", 20000) + " }; 1"},
	"a closure of a program":   {"c = { 1 }; " + repeated("f = [1, 2, 3]; ", 500) + " 1"},
	"a text of a long script":  {"x = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'; /* " + repeated("comment ", 100_000) + " */ 1"},
	"a name of a long script":  {"xyz = 1; /* " + repeated("comment ", 100_000) + " */ 1"},
	"a key of a long script":   {"m = [abc: 1]; n = [('abcd'): 1]; p = ~'abc'; /* " + repeated("comment ", 100_000) + " */ 1"},
	"a long script of steps":   {"t = __.out('abcd').has('name', 'marko'); /* " + repeated("comment ", 100_000) + " */ 1"},
	"large numbers":            {"l = []; 2000.times { l << (2G ** 4000) + it }; 1"},
	"small large numbers":      {"l = []; 20000.times { l << 1G + it }; 1"},
	"decimals":                 {"l = []; 20000.times { l << 1.5 + it }; 1"},
	"texts of ten":             {"l = []; 20000.times { l << 'abcdefgh' + it }; 1"},
	"builders":                 {"l = []; 2000.times { l << new StringBuilder('x' * 1000) }; 1"},
	"builders cut":             {"l = []; 200.times { b = new StringBuilder('x' * 10000); b.setLength(1); l << b }; b = 1"},
	"matchers":                 {"l = []; 20000.times { l << ('abc' =~ /b/) }; 1"},
	"patterns":                 {"l = []; 2000.times { l << ~('a{' + (it % 50 + 1) + '}b') }; 1"},
	"dates":                    {"l = []; 20000.times { l << new Date(it) }; 1"},
	"ids":                      {"l = []; 20000.times { l << UUID.randomUUID() }; 1"},
	"predicates":               {"l = []; 20000.times { l << P.gt(it) }; 1"},
	"predicates of predicates": {"p = P.gt(1); 5000.times { p = p.and(P.lt(it)) }; 1"},
	"steps":                    {"l = []; 5000.times { l << __.out().has('a', it).in() }; 1"},
	"nested steps":             {"t = __.out(); 1000.times { t = __.where(t) }; 1"},
	"iterators":                {"l = []; 20000.times { l << [1, 2].iterator() }; 1"},
	"iterators of much":        {"l = []; 40.times { i = (1..20000).toList().iterator(); i.next(); l << i }; i = 1"},
	"streams":                  {"l = []; 5000.times { l << [1, 2].stream().map { it } }; 1"},
	"ranges":                   {"l = []; 20000.times { l << (it..(it + 5)) }; 1"},
	"randoms":                  {"l = []; 5000.times { l << new Random(it) }; 1"},
	"optionals":                {"l = []; 20000.times { l << Optional.of(it) }; 1"},
	"arrays":                   {"l = []; 5000.times { l << ([1, 2] as int[]) }; 1"},
	"bytes":                    {"l = []; 50.times { l << ('x' * 20000).bytes }; 1"},
	"defaults":                 {"l = []; 5000.times { l << [:].withDefault { 1 } }; 1"},
	"sorted":                   {"l = []; 5000.times { l << new TreeMap() }; 1"},
	"a map of itself":          {"m = [:]; m.a = m; m.b = 'x' * 100000; 1"},
	"names":                    {"20000.times { i -> }; " + many("v%d = 1; ", 2000) + " 1"},
	"classes of strategies":    {"l = []; 2000.times { l << new SubgraphStrategy(vertices: __.hasLabel('a' + it)) }; 1"},
	"texts that grew":          {"s = ''; 2000.times { s += 'abc' }; l = [s]; 1"},
	"groups":                   {"g2 = (1..20000).groupBy { it }; 1"},
	"split lists":              {"l = ('a,' * 20000).split(','); 1"},
	"lines":                    {"l = ('abcdefgh ijklmnop\\n' * 20000).readLines(); 1"},
	"characters":               {"l = ('abcdefghij' * 2000).toList(); 1"},
}

func repeated(s string, n int) string { return strings.Repeat(s, n) }

// many is a text n times, with a number in it.
func many(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestKept_Heap: what the variables of a session keep is in memory no more than it is
// charged.
func TestKept_Heap(t *testing.T) {
	for name, texts := range hoards {
		t.Run(name, func(t *testing.T) {
			kept := account.New(nil, "sessionMemory", account.Unlimited)
			s := NewSession(nil, machine.Options{Kept: kept})
			if _, err := s.Eval(t.Context(), "warm = [1]; warm = 1", nil); err != nil {
				t.Fatal(err)
			}
			before := heap.InUse()
			for _, text := range texts {
				if _, err := s.Eval(t.Context(), text, nil); err != nil {
					t.Skipf("%v", err)
				}
			}
			if grown := heap.InUse() - before; grown > kept.Used()+kept.Used()/4+hoardSlack {
				t.Errorf("%s: %d bytes are in use, %d are charged", name, grown, kept.Used())
			}
			runtime.KeepAlive(s)
		})
	}
}

const hoardSlack = 64 << 10
