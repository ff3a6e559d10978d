package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// TestExamples sends what stands in testdata/examples twice, by a driver as it is: as text,
// and as the bytecode that says the same. Each answers alike.
//
//	serve [history]       a new graph of TinkerPop's modern sample; with history v0 is where that
//	                      begins, and v1 and so on are its commits
//	ask [session=NAME]    one traversal a line, in order; commit ends the session's transaction
//	wait                  until a traversal answers so
//	uses                  traversals with what explain() names as text, and profile() as bytecode
//	kill                  kill -9, and start on what is left
func TestExamples(t *testing.T) {
	for _, form := range []string{"text", "bytecode"} {
		t.Run(form, func(t *testing.T) {
			x := &examples{t: t, text: form == "text"}
			datadriven.RunTest(t, "testdata/examples", x.run)
		})
	}
}

// examples are under way.
type examples struct {
	t        *testing.T
	text     bool
	dir      string
	p        *process
	all      *asking
	sessions map[string]*asking
	history  bool
	config   []string
	versions []string // of a graph with history, in order
}

func (x *examples) run(t *testing.T, d *datadriven.TestData) string {
	x.t = t
	switch d.Cmd {
	case "serve":
		x.dir, x.versions = t.TempDir(), nil
		if x.history = d.HasArg("history"); x.history {
			x.config = []string{writeFile(t, "g.yaml", "graphs:\n  social: {sample: modern, history: forever}\ntraversalSources: {g: social}\n")}
			x.serve()
			break
		}
		x.config = nil
		x.serve("--sample", "modern")
	case "kill":
		x.p.kill()
		x.serve()
	case "ask":
		at := x.all
		if d.HasArg("session") {
			var name string
			d.ScanArgs(t, "session", &name)
			if at = x.sessions[name]; at == nil {
				at = x.open(name)
				x.sessions[name] = at
			}
		}
		return x.lines(d.Input, at.ask)
	case "wait":
		x.wait(d)
	case "uses":
		return x.lines(d.Input, x.all.uses)
	default:
		t.Fatalf("%s: there is no command %s", d.Pos, d.Cmd)
	}
	return ""
}

// wait asks until it is so: what the server does by itself takes a while.
func (x *examples) wait(d *datadriven.TestData) {
	query, want, _ := strings.Cut(d.Input, " ==> ")
	waitFor(x.t, d.Pos+": "+d.Input, func() bool { return x.all.ask(query) == want })
}

func (x *examples) serve(more ...string) {
	x.p = serve(x.t, append([]string{"--data-dir", x.dir, "--set", "evaluationTimeout=0"}, append(more, x.config...)...)...)
	x.sessions = map[string]*asking{}
	x.all = x.open("")
}

func (x *examples) lines(input string, ask func(text string) string) string {
	var out strings.Builder
	for _, line := range strings.Split(input, "\n") {
		if !x.history {
			fmt.Fprintln(&out, ask(line))
			continue
		}
		x.learn()
		line = versionName.ReplaceAllStringFunc(line, x.versionOf)
		answer := ask(line)
		x.learn()
		for i, v := range x.versions {
			answer = strings.ReplaceAll(answer, strings.TrimSuffix(v, "L"), fmt.Sprint("v", i))
		}
		fmt.Fprintln(&out, answer)
	}
	return out.String()
}

var versionName = regexp.MustCompile(`\bv\d+\b`)

// learn asks for versions that there are by now: of what is there, and of what is gone.
func (x *examples) learn() {
	for _, text := range []string{"g.V().call('gremlind.history').select('version').dedup()", "g.call('gremlind.trash').select('version').dedup()"} {
		all, err := x.all.results(text)
		if err != nil {
			x.t.Fatal(err)
		}
		for _, r := range all {
			if v := shownValue(r.GetInterface()); !slices.Contains(x.versions, v) {
				x.versions = append(x.versions, v)
			}
		}
	}
	slices.Sort(x.versions)
}

func (x *examples) versionOf(name string) string {
	n, err := strconv.Atoi(name[1:])
	if err != nil || n >= len(x.versions) {
		x.t.Fatalf("there is no %s among %v", name, x.versions)
	}
	return x.versions[n]
}

// asking is a client, of a session or of none.
type asking struct {
	x      *examples
	client *gremlingo.Client // for text
	g      source            // for bytecode
	tx     *gremlingo.Transaction
}

func (x *examples) open(session string) *asking {
	a := &asking{x: x}
	if x.text {
		client, err := gremlingo.NewClient("ws://"+x.p.addr+"/gremlin", func(s *gremlingo.ClientSettings) {
			s.Session, s.LogVerbosity = session, gremlingo.Off
		})
		if err != nil {
			x.t.Fatal(err)
		}
		a.client = client
		x.p.t.Cleanup(client.Close)
		return a
	}
	conn, g := x.p.connect("g")
	x.p.t.Cleanup(conn.Close)
	if a.g = g; session != "" {
		a.tx = g.Tx()
		begun, err := a.tx.Begin()
		if err != nil {
			x.t.Fatal(err)
		}
		a.g = begun
	}
	return a
}

// ask returns the results of a traversal, or its error.
func (a *asking) ask(text string) string {
	if text == "commit" {
		var err error
		if a.tx != nil {
			err = a.tx.Commit()
		} else {
			_, err = a.results("g.tx().commit()")
		}
		if err == nil {
			return "committed"
		}
		return shown(nil, err)
	}
	return shown(a.results(text))
}

func (a *asking) results(text string) ([]*gremlingo.Result, error) {
	if a.x.text {
		set, err := a.client.Submit(text)
		if err != nil {
			return nil, err
		}
		return set.All()
	}
	q, err := lang.Parse(text, lang.Options{})
	if err != nil {
		return nil, err
	}
	return sent(a.x.t, a.g, q.Last().Bytecode).ToList()
}

var access = regexp.MustCompile(`(?:not )?by (?:label|(?:text|unique|composite|edge-centric) \w+(?:: [a-z0-9 ]+| \[[^\[\]]*\])?)`)

// uses returns by what a traversal finds its elements.
func (a *asking) uses(text string) string {
	how := ".profile()"
	if a.x.text {
		how = ".explain()"
	}
	all, err := a.results(text + how)
	if err != nil || len(all) != 1 {
		return shown(all, err)
	}
	told := fmt.Sprint(all[0].GetInterface())
	if m, ok := all[0].GetInterface().(*gremlingo.TraversalMetrics); ok {
		told = ""
		for _, step := range m.Metrics {
			told += step.Name + "\n"
		}
	}
	if found := access.FindAllString(told, -1); found != nil {
		return found[len(found)-1]
	}
	return told
}

// sent is bytecode as the driver makes it.
func sent(t *testing.T, g source, b *traversal.Bytecode) *gremlingo.GraphTraversal {
	for _, s := range b.Source {
		if s.Name != "with" || len(s.Args) != 2 {
			t.Fatalf("the source step %s cannot be sent", s.Name)
		}
		g = g.With(s.Args[0].Str(), driven(t, s.Args[1]))
	}
	to := g.GetGraphTraversal()
	addSteps(t, to.Bytecode, b)
	return to
}

func addSteps(t *testing.T, to *gremlingo.Bytecode, b *traversal.Bytecode) {
	for _, s := range b.Steps {
		args := make([]any, len(s.Args))
		for i, a := range s.Args {
			args[i] = driven(t, a)
		}
		if err := to.AddStep(s.Name, args...); err != nil {
			t.Fatal(err)
		}
	}
}

// driven is an argument as the driver has it.
func driven(t *testing.T, v value.Value) any {
	switch v.Kind() {
	case value.KindNull:
		return nil
	case value.KindBool:
		return v.Bool()
	case value.KindInt:
		return int32(v.Int64())
	case value.KindLong:
		return v.Int64()
	case value.KindDouble, value.KindFloat:
		return value.AsFloat64(v)
	case value.KindString:
		return v.Str()
	case value.KindOffsetDateTime:
		return v.Time()
	case value.KindList:
		var list []any
		for _, x := range v.Elems() {
			list = append(list, driven(t, x))
		}
		return list
	case value.KindMap:
		m := dict{}
		for i := range v.Map().Len() {
			k, x := v.Map().Entry(i)
			m[driven(t, k)] = driven(t, x)
		}
		return m
	case value.KindBytecode:
		child := gremlingo.NewGraphTraversal(nil, gremlingo.NewBytecode(nil), nil)
		addSteps(t, child.Bytecode, v.Object().(*traversal.Bytecode))
		return child
	case value.KindP:
		return predicateOf(t, v.Object().(*traversal.P))
	}
	if c, ok := constants[v.Kind().String()+"."+v.Str()]; ok {
		return c
	}
	t.Fatalf("%s of kind %s cannot be sent", v.Brief(), v.Kind())
	return nil
}

var constants = map[string]any{
	"Order.desc": gremlingo.Order.Desc, "Order.asc": gremlingo.Order.Asc, "T.id": gremlingo.T.Id, "T.label": gremlingo.T.Label,
	"GType.LONG": gremlingo.GType.Long,
}

func predicateOf(t *testing.T, p *traversal.P) any {
	of, ok := predicates[p.Name]
	if !ok {
		t.Fatalf("the predicate %s cannot be sent", p.Name)
	}
	var args []any
	for _, a := range p.Args {
		args = append(args, driven(t, a))
	}
	return of(args)
}

var predicates = map[string]func(args []any) any{
	"gt":            func(args []any) any { return gremlingo.P.Gt(args...) },
	"typeOf":        func(args []any) any { return gremlingo.P.TypeOf(args[0]) },
	"containing":    func(args []any) any { return gremlingo.TextP.Containing(args...) },
	"notContaining": func(args []any) any { return gremlingo.TextP.NotContaining(args...) },
	"endingWith":    func(args []any) any { return gremlingo.TextP.EndingWith(args...) },
	"regex":         func(args []any) any { return gremlingo.TextP.Regex(args...) },
}

// told is what an error says and its class, without what the driver puts around them.
var told = regexp.MustCompile(`(?s)message:(.*?) attributes:map\[exceptions:\[([\w.$]*)`)

func shown(all []*gremlingo.Result, err error) string {
	if err != nil {
		if m := told.FindStringSubmatch(err.Error()); m != nil {
			return fmt.Sprintf("! %s (%s)", m[1], m[2][strings.LastIndexByte(m[2], '.')+1:])
		}
		return "! " + err.Error()
	}
	texts := make([]string, len(all))
	for i, r := range all {
		texts[i] = shownValue(r.GetInterface())
	}
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, "; ")
}

func shownValue(x any) string {
	switch x := x.(type) {
	case dict:
		var parts []string
		for k, v := range x {
			parts = append(parts, shownValue(k)+"="+shownValue(v))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case float64:
		return fmt.Sprintf("%.1f", x)
	case int64:
		return fmt.Sprintf("%dL", x)
	}
	return fmt.Sprint(x)
}
