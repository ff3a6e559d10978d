package script_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/conformance/hostile/corpus"
	"github.com/gremlind/gremlind/conformance/scripthost"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TestEveryKindIsCharged keeps many values of each kind in a variable of a session: what they
// take is charged.
func TestEveryKindIsCharged(t *testing.T) {
	const values = 4000
	for _, kind := range corpus.Kinds() {
		if _, ok := corpus.Sample(kind, 0); !ok {
			continue
		}
		before := heap.InUse()
		list := make([]value.Value, values)
		for i := range list {
			list[i], _ = corpus.Sample(kind, i)
		}
		kept := account.New(nil, "sessionMemory", account.Unlimited)
		s := script.NewSession(nil, machine.Options{Kept: kept})
		s.SetVariable("x", value.List(list))
		if err := s.Settle(); err != nil {
			t.Fatal(err)
		}
		taken := heap.InUse() - before
		runtime.KeepAlive(list)
		runtime.KeepAlive(s)
		if limit := 2*kept.Used() + 1<<16; taken > limit {
			t.Errorf("%s: %d bytes each, %d are charged", kind, taken/values, kept.Used()/values)
		}
	}
}

// TestWhatScriptsMakeIsCharged keeps many small objects, in a list or each in the next: what
// they take is charged to the request.
func TestWhatScriptsMakeIsCharged(t *testing.T) {
	const times = 3000
	for _, text := range []string{
		"l << { it }", "l << { def a = it; { -> a } }()", "l << { def a = 1; def b = 2; def c = 3; 1.times { l << { a } } }()", "l << { a, b -> a }.curry(1)",
		"l << ({ it } >> { it })", "x = x >> { it }", "x = x << { it }", "x = x.curry(1)", "x = x.memoize()", "x = x.andThen { it }", "x = [x]", "x = [a: x]",
		"l << 'abc'.&size", "l << String.&size", "x = x.&call", "x = { -> x }", "l << (1..2)", "l << ('a'..'b')", "l << [:]", "l << []", "l << ([] as Set)", "l << [1].iterator()",
		"l << [1, 2].stream()", "x = Optional.of(x)", "l << Optional.empty()", "l << new Date()", "l << ~/ab/", "l << __.out()", "x = __.where(x instanceof Closure ? __.out() : x)",
		"l << P.gt(1)", "l << P.gt(1).or(P.lt(2))", "l << new Random(1)", "l << new StringBuilder()", "l << new ArrayList()", "l << new TreeMap()", "l << [a: 1].entrySet().first()",
		"l << new Exception('x')", "try { null.f() } catch (e) { l << e }", "try { f(1) } catch (e) { l << e }", "l << (it + 1G)", "l << it / 3", "l << 2G ** 900", "l << -(2G ** 900)", "l << (2G ** 900) + 1",
		"l << (2G ** 900).negate()", "l << 1.5", "l << (it as BigDecimal)", "l << (it as BigInteger)", "l << \"$it\"", "l << it.toString()", "l << ([1, 2] as Integer[])", "l << new int[2]",
		"l << java.time.Duration.ofHours(1)", "l << [1, 2].withIndex()", "l << UUID.randomUUID()", "l << ('abc' =~ /b/)", "l << g", "l << g.withSack(1)", "l << g.V()", "l << Integer", "l << T.id",
		"l << [a: 1].withDefault { 1 }", "l << [3, 1].toSorted()", "l << [1, [2]].flatten()", "l << Collectors.toList()", "l << java.time.LocalDate.of(2020, 1, 1)", "l << g.V().explain()",
	} {
		memory := account.New(nil, "queryMemory", account.Unlimited)
		s := script.NewSession(scripthost.New(t), machine.Options{Account: memory, Limits: machine.Limits{Bytes: 1 << 40}})
		run := func(times int) {
			if _, err := s.Eval(t.Context(), fmt.Sprintf("l = []; x = { it }; %d.times { %s }; 1", times, text), nil); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		run(1)
		before, charged := heap.InUse(), memory.Used()
		run(times)
		taken, charges := heap.InUse()-before, memory.Used()-charged
		runtime.KeepAlive(s)
		if limit := 2*charges + 1<<16; taken > limit {
			t.Errorf("%s: %d bytes each, %d are charged", text, taken/times, charges/times)
		}
	}
}
