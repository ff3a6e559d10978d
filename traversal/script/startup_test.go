package script_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/scripthost"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

func startup(t *testing.T, text string) (*script.Startup, error) {
	t.Helper()
	st := &script.Startup{}
	return st, st.Read(t.Context(), text, func(name string) bool { return name == "graph" })
}

func TestStartup_Reads(t *testing.T) {
	for name, text := range map[string]string{
		"map":         "def globals = [:]\nglobals << [g : traversal().withEmbedded(graph).withStrategies(ReadOnlyStrategy)]",
		"typed":       "def Map<Object, Object> globals = [:]\nglobals << ([g : traversal().withEmbedded(graph).withStrategies(ReadOnlyStrategy.instance())] as Map<Object, Object>)",
		"assigned":    "g = graph.traversal().withStrategies(ReadOnlyStrategy)\nnull",
		"in one":      "[g: traversal().with(graph).withStrategies(new ReadOnlyStrategy())]",
		"a full name": "[g: traversal().withEmbedded(graph).withStrategies(org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy)]",
		"with a hook": "def f(x) { x }\ndef globals = [:]\nglobals << [hook: [onStartUp: { LifeCycleHook.Context ctx -> ctx.logger.info('x') }] as LifeCycleHook]\nglobals << [g: traversal().withEmbedded(graph).withStrategies(ReadOnlyStrategy)]",
	} {
		st, err := startup(t, text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		g := st.Sources["g"]
		if g.Graph != "graph" || len(g.Config) != 1 || len(g.Config[0].Args) != 1 || !strings.Contains(g.Config[0].Args[0].Kind().String()+g.Config[0].Args[0].JavaString(), "ReadOnlyStrategy") {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// TestStartup_Refuses has scripts that cannot be followed, and the line of each.
func TestStartup_Refuses(t *testing.T) {
	for text, want := range map[string]string{
		"\nnew File('x').delete()":                               "2:File",
		"\n\n[g: graph.traversal().withComputer(SparkComputer)]": "3:SparkComputer",
		"[x: 5]":                                 "0:x is neither a traversal source nor",
		"\ngraph.traversal().addV().next()":      "2:stands in onStartUp",
		"[g: traversal().withRemote('x')]":       "1:withRemote",
		"[g: traversal().withEmbedded(other)]":   "1:other",
		"\n[h: [onSleep: { }] as LifeCycleHook]": "2:onSleep",
		"\n\nmgmt = graph.openManagement()":      "3:openManagement",
		"while (true) {}":                        "0:limit",
	} {
		_, err := startup(t, text)
		line := 0
		var e *machine.Error
		if errors.As(err, &e) {
			line = e.Line
		}
		at, message, _ := strings.Cut(want, ":")
		if err == nil || string(rune('0'+line)) != at || !strings.Contains(err.Error(), message) {
			t.Errorf("%q: line %d: %v", text, line, err)
		}
	}
}

// TestStartup_IsNotForClients tries the names of a server's scripts in a client's.
func TestStartup_IsNotForClients(t *testing.T) {
	h := scripthost.New(t)
	for _, text := range []string{"TinkerFactory.generateModern(graph)", "org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory.generateModern(graph)", "[onStartUp: {}] as LifeCycleHook"} {
		if _, err := scripthost.NewSession(h).Eval(t.Context(), text, nil); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}
