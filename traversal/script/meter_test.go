package script

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

// watched is a context that notes how long nobody looked at it, and ends in time.
type watched struct {
	context.Context
	last    time.Duration // that the process has computed
	longest time.Duration
	until   time.Time
}

func (w *watched) Err() error {
	now := cputime.Own()
	w.longest, w.last = max(w.longest, now-w.last), now
	if time.Now().After(w.until) {
		return context.DeadlineExceeded
	}
	return nil
}

const (
	unseenMax = 200 * time.Millisecond // of computing between two looks; what is linear takes some milliseconds, what is square seconds
	callMax   = time.Millisecond
)

// largeValues are values that take long to go through.
func largeValues(t *testing.T) map[string]value.Value {
	return valuesOf(t, 4_000/slowdown) // of what takes as long under the race detector
}

// valuesOf are values with n elements, where they have any.
func valuesOf(t *testing.T, n int) map[string]value.Value {
	t.Helper()
	numbers, texts, nested := make([]value.Value, n), make([]value.Value, n), make([]value.Value, n)
	set, of, bulks := value.NewSet(), value.NewMap(), value.NewBulkSet()
	path := &value.Path{}
	for i := range n {
		v := value.Int(int32(i))
		numbers[i], texts[i] = v, value.String(fmt.Sprint("text ", i))
		nested[i] = machine.NewList([]value.Value{v, v})
		set.Add(v)
		of.Put(v, v)
		path.Objects, path.Labels = append(path.Objects, v), append(path.Labels, []string{"a", "b"})
	}
	bulks.Add(value.String("x"), int64(n))
	digits, err := machine.ParseNumber(strings.Repeat("7", 4000), value.KindBigInteger)
	if err != nil {
		t.Fatal(err)
	}
	shared := machine.NewList([]value.Value{value.Int(1)})
	for range 60 {
		shared = machine.NewList([]value.Value{shared, shared})
	}
	m := NewSession(nil, machine.Options{}).Machine(t.Context())
	commas, err := m.Compiled("(,)( )")
	if err != nil {
		t.Fatal(err)
	}
	found, err := m.Match(commas, strings.Repeat("a, ", n))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]value.Value{
		"stream": machine.Wrap(&methods.Stream{Elems: numbers}), "builder": machine.Wrap(&methods.TextBuilder{Bytes: []byte(strings.Repeat("a, ", n))}), "matcher": found,
		"pattern": machine.Wrap(commas), "iterator": machine.Wrap(&machine.Iterator{Rest: texts}), "groups": machine.Wrap(&methods.Collector{Name: "groupingBy", Args: []value.Value{machine.Wrap(&machine.Callable{Name: "it", Held: nil, Call: first})}}),
		"when": value.LocalDate(time.Unix(0, 0)), "long": value.Duration{Seconds: 1 << 40}.Value(), "tree": wideTree(n),
		"small": value.BigDecimal(value.Decimal{Scale: 1 << 30, Unscaled: big.NewInt(3)}), "format": value.String("%,99999.999f %-99999s %x"),
		"text": value.String(strings.Repeat("a, ", n)), "numbers": machine.NewList(numbers), "texts": machine.NewList(texts),
		"nested": machine.NewList(nested), "fixed": value.List(numbers), "set": set.Value(), "map": of.Value(), "bulks": bulks.Value(),
		"path": path.Value(), "digits": digits, "most": value.Long(1<<63 - 1), "shared": shared,
		"entry": value.OfMapEntry(&value.MapEntry{Key: machine.NewList(numbers), Value: machine.NewList(texts)}),
	}
}

func first(_ *machine.Machine, args []value.Value) (value.Value, error) { return args[0], nil }

func wideTree(n int) value.Value {
	t := &value.Tree{}
	for i := range n {
		t.Keys, t.Children = append(t.Keys, value.Int(int32(i))), append(t.Children, &value.Tree{})
	}
	return t.Value()
}

// TestMethodsAreMetered calls every built-in method on large values with arguments of all
// kinds: each looks at the context while it works, and charges before it takes memory.
func TestMethodsAreMetered(t *testing.T) {
	args := largeValues(t)
	args["few"], args["one"], args["comma"] = value.Int(3), value.String("a"), value.String(",\\s")
	args["widths"] = value.Int(30_000_000)
	for name, code := range map[string]string{"same": "{ it }", "order": "{ a, b -> a <=> b }", "pair": "{ [it, it] }"} {
		r, err := NewSession(nil, machine.Options{}).Eval(t.Context(), code, nil)
		if err != nil {
			t.Fatal(err)
		}
		args[name] = r.Value
	}
	calls := 0
	for kind, table := range builtinTables() {
		if kind == "traversals" {
			continue // they work on a running traversal, which is metered by itself
		}
		on := calledOn(kind, args)
		for name, b := range table {
			if strings.HasSuffix(name, "sleep") {
				continue
			}
			for i, on := range on {
				self := args[on]
				for k, list := range argumentsFor(b, args) {
					if calls++; raced.Skips(calls, 17) || raced.Leaves(i+k, 4) {
						continue
					}
					own := copyOf(self)
					checkMetered(t, fmt.Sprintf("%s.%s on %s with %v", kind, name, on, list.names), func(m *machine.Machine) error {
						_, err := callOn(b, m, own, list.values)
						return err
					})
				}
			}
		}
	}
}

// calledOn names the values that have the methods of a table, in order.
func calledOn(kind string, args map[string]value.Value) (names []string) {
	if kind == "statics" {
		return []string{"few"}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if has(kind, args[name]) {
			names = append(names, name)
		}
	}
	return names
}

// callOn calls the method as scripts do.
func callOn(b machine.Method, m *machine.Machine, self value.Value, args []value.Value) (value.Value, error) {
	v, _, err := machine.Methods{"it": b}.Try(m, self, "it", args)
	return v, err
}

// TestOperatorsAreMetered applies every operator and cast to large values.
func TestOperatorsAreMetered(t *testing.T) {
	values := largeValues(t)
	values["few"], values["one"] = value.Int(3), value.String("a")
	calls := 0
	for on, a := range values {
		for _, with := range []string{"text", "numbers", "set", "map", "digits", "most", "shared", "few", "one"} {
			b := values[with]
			for _, op := range []string{"==", "!=", "<", "<=>", "in", "=~", "==~", "..", "+", "-", "*", "/", "%", "**", "<<", "&", "|", "^"} {
				if calls++; raced.Skips(calls, 7) || raced.Leaves(calls, 3) {
					continue
				}
				own := copyOf(a)
				checkMetered(t, on+" "+op+" "+with, func(m *machine.Machine) error {
					_, err := m.Binary(op, own, b)
					return err
				})
			}
			checkMetered(t, on+"["+with+"]", func(m *machine.Machine) error {
				_, err := m.At(a, b)
				return err
			})
		}
		for name := range machine.TypeKinds {
			checkMetered(t, on+" as "+name, func(m *machine.Machine) error {
				_, err := m.As(name, a)
				return err
			})
		}
		checkMetered(t, "text of "+on, func(m *machine.Machine) error {
			m.String(a)
			return m.Surface()
		})
	}
}

// copyOf is what << may change.
func copyOf(v value.Value) value.Value {
	switch o := v.Object().(type) {
	case *machine.List:
		return machine.NewList(append([]value.Value(nil), o.Elems...))
	case *methods.TextBuilder:
		return machine.Wrap(&methods.TextBuilder{Bytes: append([]byte(nil), o.Bytes...)})
	case *methods.Stream:
		return machine.Wrap(&methods.Stream{Elems: append([]value.Value(nil), o.Elems...)})
	case *machine.Iterator:
		return machine.Wrap(&machine.Iterator{Rest: o.Rest})
	}
	switch v.Kind() {
	case value.KindSet:
		return value.NewSet(v.Set().Elems()...).Value()
	case value.KindMap:
		return v.Map().Clone().Value()
	}
	return v
}

// has reports whether values of a kind have the methods of a table.
func has(table string, v value.Value) bool {
	own := builtin().Of(v.Kind())
	switch table {
	case "any":
		return true
	case "iterables":
		return machine.Iterable(v)
	case "lists":
		_, ok := machine.Foreign(v).(*machine.List)
		return ok
	case "streams":
		_, ok := machine.Foreign(v).(*methods.Stream)
		return ok
	}
	return own != nil && reflect.ValueOf(own).Pointer() == reflect.ValueOf(builtinTables()[table]).Pointer()
}

type arguments struct {
	names  []string
	values []value.Value
}

// argumentsFor are lists of arguments of the lengths that a method takes: each value in
// each place, with small ones in the others.
func argumentsFor(b machine.Method, values map[string]value.Value) []arguments {
	var lists []arguments
	for n := b.Least; n <= min(b.Most, 2); n++ {
		if n == 0 {
			lists = append(lists, arguments{})
		}
		for place := range n {
			for _, name := range slices.Sorted(maps.Keys(values)) {
				v := values[name]
				a := arguments{names: []string{"one", "few"}[:n:n], values: []value.Value{values["one"], values["few"]}[:n:n]}
				a.names = append([]string(nil), a.names...)
				a.names[place], a.values[place] = name, v
				lists = append(lists, a)
			}
		}
	}
	return lists
}

// checkMetered runs something that may fail, but must not take long unseen or memory
// that is not charged.
func checkMetered(t *testing.T, what string, run func(m *machine.Machine) error) {
	t.Helper()
	memory := account.New(nil, "queryMemory", 64<<20)
	w := &watched{Context: t.Context()}
	m := NewSession(nil, machine.Options{Account: memory}).Machine(w)
	before := allocated()
	w.last, w.until = cputime.Own(), time.Now().Add(callMax)
	err := run(m)
	taken := allocated() - before
	_ = w.Err()
	if w.longest > unseenMax*slowdown {
		t.Errorf("%s: the context was not looked at for %v", what, w.longest)
	}
	if limit := 8*m.Bytes + 4<<20; poolsKeep && taken > limit {
		t.Errorf("%s: %d bytes were taken, %d were charged (%.60s)", what, taken, m.Bytes, fmt.Sprint(err))
	}
}

func allocated() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// TestShown quotes large values in a message: what is quoted is the beginning of their
// text, and no more than that is made.
func TestShown(t *testing.T) {
	for name, v := range largeValues(t) {
		m := NewSession(nil, machine.Options{}).Machine(t.Context())
		got := m.Shown(v)
		if m.Bytes > 16<<10 { // a list of numbers takes seven times as much
			t.Errorf("%s: %d bytes were charged for %s", name, m.Bytes, got)
		}
		if name == "shared" || name == "digits" {
			continue // the text of one would never end, and of the other only the length is said
		}
		if want := machine.Clip(m.String(v)); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// TestStoppedIsNoAnswer evaluates what is stopped in the middle of a comparison, or of
// the making of a text: an error, whatever the script makes of the answer.
func TestStoppedIsNoAnswer(t *testing.T) {
	const twice = "l = [1]; m = [1]; 60.times { l = [l, l]; m = [m, m] }; "
	for _, text := range []string{
		twice + "l == m", twice + "l != m", twice + "l.equals(m)", twice + "[l].contains(m)", twice + "[l].indexOf(m)",
		twice + "l in [m]", twice + "[l] - [m]", twice + "[l].count(m)", twice + "l.hashCode()", twice + "[(l): 1].containsKey(m)",
		twice + "[l].remove(m)", twice + "switch (l) { case [m]: 1; break; default: 2 }", twice + "try { l == m } catch (e) { 1 }",
		twice + "l as String", twice + "\"$l\".size()", twice + "[l, m].unique().size()", twice + "[l, m] as Set", twice + "l.toString() ? 1 : 2",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
		s := NewSession(nil, machine.Options{Account: account.New(nil, "queryMemory", 64<<20)})
		r, err := s.Eval(ctx, text, nil)
		cancel()
		if !errors.Is(err, traversal.ErrTimeout) && !errors.Is(err, machine.ErrLimit) && !errors.Is(err, account.ErrLimit) {
			t.Errorf("%s: got %v and %v, want an error of the limits", text, r.Value.JavaString(), err)
		}
	}
}

// TestHoldsItself makes collections that hold themselves and has them hashed, compared
// and written: errors at worst.
func TestHoldsItself(t *testing.T) {
	for _, text := range []string{
		"s = [1] as Set; s.add(s); s.hashCode()", "s = [1] as Set; s << s; s + s", "s = [1] as Set; s.addAll([s]); s == s",
		"s = [1] as Set; s << [s]; s as String", "m = [:]; m.a = m; [m, m] as Set", "m = [:]; m[m] = m; m.hashCode()",
		"m = [:]; m.a = m; [(m): 1]", "m = [:]; m.a = m; [m].unique()", "m = [:]; m.a = m; m == m", "m = [:]; m.a = m; \"$m\"",
		"l = []; l << l; [l] as Set", "l = []; l << l; l == l", "l = []; l << l; l.flatten()", "l = []; l << l; [l].groupBy { it }",
		"m = [:]; m.a = m; [m].countBy { it }", "s = [1] as Set; m = [a: s]; s << m; s.hashCode()", "m = [:]; m.a = [m]; m",
		"m = [:]; m.a = m; m <=> m", "l = []; l << l; String.format('%s %h', l, l)",
		"t = new TreeMap(); t[t] = t; t.a = t; t", "m = [:].withDefault { m }; m[m]; m.toString()", "l = []; l << l; [l, l].transpose()",
		"l = []; l << l; l.collectNested { it }", "l = []; l << l; Objects.hash(l)", "l = []; l << l; l.combinations()", "l = []; l << l; l.permutations()",
		"b = new StringBuilder(); b << b << b; b.toString()", "m = [:]; m.a = m; m - m", "l = []; l << l; l.stream().sorted().toList()", "m = [:]; m.a = m; [m, m].sort()", "m = [:]; m.a = m; [m, m].max()", "m = [:]; m.a = m; m in [m]",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		s := NewSession(nil, machine.Options{Account: account.New(nil, "queryMemory", 64<<20)})
		_, _ = s.Eval(ctx, text, nil) // it returns
		cancel()
	}
}

// hostileTime is what a hostile script may take: enough to reach what it is after.
const hostileTime = 200 * time.Millisecond

// TestHostileScripts evaluates scripts that ask for much at once.
func TestHostileScripts(t *testing.T) {
	for i, text := range []string{
		`("a," * 30000000).split(",").size()`,
		`l = (1..1000000).toList(); while (true) { l as Set }`,
		`l = (1..100000).toList(); while (true) { l.intersect(l) }`,
		`s = [1] as Set; t = [1] as Set; 60.times { s = [s, [s]] as Set; t = [t, [t]] as Set }; s == t`,
		`s = [1] as Set; t = [1] as Set; 60.times { s = [s, [s]] as Set; t = [t, [t]] as Set; s <=> t }`,
		`m = [a: 1]; n = [a: 1]; 60.times { m = [1: m, 2: m]; n = [1: n, 2: n] }; m == n`,
		`l = [1]; k = [1]; 60.times { l = [l, l]; k = [k, k] }; [l] as Set == [k] as Set`,
		`l = (1..100000).toList(); while (true) { l - l }`,
		`s = "ab" * 4000000; while (true) { s.toUpperCase() }`,
		`s = "ab" * 4000000; while (true) { s =~ "(a|b|ab)*c" }`,
		`("a" * 1000000).matches("(a?){1000}a{1000}")`,
		`x = "((a{100}){100}){100}"; "a" =~ x`,
		`m = [:]; while (true) { m[m.size()] = "x" * 1000 }`,
		`l = []; while (true) { l << (l.size() + 1G) ** 1000 }`,
		`l = [1]; while (true) { l.addAll(l) }`,
		`s = "x"; while (true) { s += s }`,
		`x = 3G; while (true) { x = x * x }`,
		`(1..1000000).collect { (1..1000000) }`,
		`def f(n) { f(n + 1) }; f(1)`,
		`while (true) { try { f() } catch (e) { } }`,
		`b = new StringBuilder(); while (true) { b << "ab" * 1000 }`,
		`b = new StringBuilder("ab" * 4000000); while (true) { b.insert(0, "x") }`,
		`b = new StringBuilder("ab" * 4000000); while (true) { b.deleteCharAt(1) }`,
		`b = new StringBuilder("ab" * 4000000); while (true) { b.toString() }`,
		`b = new StringBuilder("ab" * 4000000); while (true) { "$b" }`,
		`t = new TreeMap(); i = 0; while (true) { t[i--] = 1 }`,
		`while (true) { new TreeMap() }`,
		`l = []; while (true) { l << [:].withDefault { 1 } }`,
		`m = [:].withDefault { m[it + 1] }; m[1]`,
		`s = "ab" * 1000000; while (true) { (s =~ /(a)(b)/).count }`,
		`x = ("ab" * 500000) =~ /(a)(b)/; while (true) { x.collect { it } }`,
		`s = "ab" * 1000000; while (true) { s.replaceAll(/(a)(b)/, '$2$1$2$1') }`,
		`s = "ab" * 1000000; while (true) { s.replaceAll(/(a)(b)/) { all, a, b -> b } }`,
		`while (true) { "x".replaceAll(/(x)/, '$1' * 100000) }`,
		`while (true) { String.format("%99999s", "x") }`,
		`String.format("%s" * 1000000, 1..1000000)`,
		`String.format("%.3f", 1e-999999999G)`,
		`String.format("%.3f", 1e999999999G)`,
		`(1..40).toList().subsequences().size()`,
		`(1..12).toList().permutations().size()`,
		`[(1..100), (1..100), (1..100), (1..100)].combinations().size()`,
		`[1, 2, 3].collate(1, 1); l = (1..100000).toList(); while (true) { l.collate(1) }`,
		`f = { it }; while (true) { f = f >> { it } }`,
		`f = { it }; 100000.times { f = f >> { it } }; f(1)`,
		`f = { Object... a -> a }; while (true) { f(*(1..10000)) }`,
		`r = new Random(1); while (true) { r.nextInt(10) }`,
		`s = (1..1000000).stream(); while (true) { s.map { it + 1 } }`,
		`1.step(2, 0.0000001) { }; 1.step(1000000000, 1) { }`,
		`d = java.time.LocalDate.of(2020, 1, 1); while (true) { d = d.plusDays(1) }`,
		`(a, b) = [1, 2]; while (true) { (a, b) = [b, a] }`,
		`while (true) { println "x" * 100000 }`,
		`sleep(100000000)`,
		`Thread.sleep(100000000)`,
		"x = [" + strings.Repeat("1,", 2_000_000) + "1]; while (true) { }",
	} {
		if raced.Skips(i, 3) {
			continue
		}
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), hostileTime)
		before := allocated()
		s := NewSession(nil, machine.Options{Account: account.New(nil, "queryMemory", 64<<20)})
		s.Programs = NewPrograms()
		_, err := s.Eval(ctx, text, nil)
		cancel()
		if err == nil {
			t.Errorf("%.60s: no error", text)
		}
		if took := time.Since(began); took > hostileTime+20*time.Second {
			t.Errorf("%.60s: took %v (%v)", text, took, err)
		}
		if taken := allocated() - before; taken > 4<<30 {
			t.Errorf("%.60s: %d MB were taken (%v)", text, taken>>20, err)
		}
	}
}
