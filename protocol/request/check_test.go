package request

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

func code(steps ...string) *traversal.Bytecode {
	b := &traversal.Bytecode{}
	for _, s := range steps {
		b.Steps = append(b.Steps, traversal.Instruction{Name: s})
	}
	return b
}

func tx(args ...value.Value) *traversal.Bytecode {
	return &traversal.Bytecode{Source: []traversal.Instruction{{Name: "tx", Args: args}}}
}

type args = []any

// TestCheck_Refusals: what a request must say, and what its client reads when it does not.
func TestCheck_Refusals(t *testing.T) {
	g := map[string]any{"g": "g"}
	three := map[string]any{"a": 1, "b": 2, "c": 3}
	intKey := value.NewMap()
	intKey.Put(value.Int(1), value.Int(1))
	const noTranslation = "JavaTranslator cannot translate traversal operations"
	for _, c := range []struct {
		op, processor string
		args          args
		http          bool
		code          int32
		want          string // "" for none
	}{
		{"eval", "", args{"gremlin", "x"}, false, 0, ""},
		{"bytecode", "traversal", args{"gremlin", code("V"), "aliases", g}, false, 0, ""},
		{"eval", "session", args{"gremlin", "x", "session", "s"}, false, 0, ""},
		{"bytecode", "session", args{"gremlin", code("V"), "aliases", g, "session", "s"}, false, 0, ""},
		{"bytecode", "session", args{"gremlin", tx(value.String("commit")), "aliases", g, "session", "s"}, false, 0, ""},
		{"close", "session", args{"session", "s"}, false, 0, ""},

		{"eval", "", args{"gremlin", "x", "seeAs", 5}, false, 499, "seeAs must be the name of a user"},
		{"eval", "", args{"gremlin", "x", "seeAs", ""}, true, 499, "seeAs must be the name of a user"},
		{"bytecode", "traversal", args{"gremlin", code("V"), "aliases", g, "seeAs", "ann"}, false, 499, "seeAs: this server asks nobody who he is, and so knows no users (setting: auth)"},

		{"bytecode", "", nil, false, 498, "Message with op code [bytecode] is not recognized."},
		{"eval", "traversal", nil, false, 498, "Message with op code [eval] is not recognized."},
		{"close", "", nil, false, 498, "Message with op code [close] is not recognized."},
		{"keys", "session", nil, false, 498, "Message with op code [keys] is not recognized."},
		{"eval", "other", nil, false, 499, "Invalid OpProcessor requested [other]"},

		{"eval", "session", args{"gremlin", "x"}, false, 499, "A message with an [eval] op code requires a [session] argument"},
		{"eval", "session", args{"gremlin", "x", "session", ""}, false, 499, "the [session] argument must have 1..8 bytes"},
		{"eval", "session", args{"gremlin", "x", "session", "12345678"}, false, 0, ""},
		{"eval", "session", args{"gremlin", "x", "session", "123456789"}, false, 499, "the [session] argument must have 1..8 bytes"},
		{"eval", "session", args{"gremlin", "x", "session", "s"}, true, 499, "sessions need a WebSocket connection"},

		{"eval", "", nil, false, 499, "A message with an [eval] op code requires a [gremlin] argument."},
		{"eval", "", args{"gremlin", 5}, false, 499, "A message with an [eval] op code requires a [gremlin] argument."},
		{"eval", "", args{"gremlin", "x", "bindings", "y"}, false, 499, "The [eval] message requires the [bindings] argument to be a Map."},
		{"eval", "", args{"gremlin", "x", "bindings", intKey.Value()}, false, 499, "The [eval] message is using one or more invalid binding keys - they must be of type String and cannot be null"},
		{"eval", "", args{"gremlin", "x", "bindings", map[string]any{"id": 1, "x": 3}}, false, 499, "The [eval] message supplies one or more invalid parameters key of [[id]] - these are reserved names."},
		{"eval", "", args{"gremlin", "x", "bindings", map[string]any{"id": 1, "label": 2, "x": 3}}, false, 499, "The [eval] message supplies one or more invalid parameters key of [[id, label]] - these are reserved names."},
		{"eval", "", args{"gremlin", "x", "bindings", map[string]any{"~id": 1, "asc": 2, "sum": 1}}, false, 499, "The [eval] message supplies one or more invalid parameters key of [[asc, sum, ~id]] - these are reserved names."},
		{"eval", "", args{"gremlin", "x", "bindings", three}, false, 499, "The [eval] message contains 3 bindings which is more than is allowed by the server 2 configuration (maxParameters)"},
		{"eval", "", args{"gremlin", "x", "bindings", map[string]any{"a": 1, "b": 2}}, false, 0, ""},
		{"eval", "", args{"gremlin", "x", "aliases", "y"}, false, 499, "The [eval] message requires the [aliases] argument to be a Map."},
		{"eval", "", args{"gremlin", "x", "aliases", map[string]any{"g": 5}}, false, 499, "The [eval] message requires the [aliases] argument to map names to names."},
		{"eval", "", args{"gremlin", "x", "aliases", intKey.Value()}, false, 499, "The [eval] message requires the [aliases] argument to map names to names."},
		{"eval", "", args{"gremlin", "x", "aliases", map[string]any{"g": "graph"}}, false, 0, ""},
		{"eval", "", args{"gremlin", "x", "aliases", map[string]any{"g": "gg"}}, false, 499, "Could not alias [g] to [gg] as [gg] not in the Graph or TraversalSource global bindings; did you mean g?"},
		{"eval", "", args{"gremlin", "x", "aliases", map[string]any{"g": "gg"}}, true, 499, "Could not rebind [g] to [gg] as [gg] not in the Graph or TraversalSource global bindings; did you mean g?"},

		{"bytecode", "traversal", nil, false, 499, "A message with an [bytecode] op code requires a [gremlin] argument."},
		{"bytecode", "traversal", args{"gremlin", "x"}, false, 499, "A message with [bytecode] op code requires a [gremlin] argument that is of type Bytecode."},
		{"bytecode", "traversal", args{"gremlin", code("V")}, false, 499, "A message with [bytecode] op code requires a [aliases] argument."},
		{"bytecode", "traversal", args{"gremlin", code("V"), "aliases", map[string]any{}}, false, 499, "A message with [bytecode] op code requires the [aliases] argument to be a Map containing one alias assignment named 'g'."},
		{"bytecode", "traversal", args{"gremlin", code("V"), "aliases", "g"}, false, 499, "A message with [bytecode] op code requires the [aliases] argument to be a Map containing one alias assignment named 'g'."},
		{"bytecode", "traversal", args{"gremlin", code("V"), "aliases", map[string]any{"g": "g", "h": "g"}}, false, 499, "A message with [bytecode] op code requires the [aliases] argument to be a Map containing one alias assignment named 'g'."},
		{"bytecode", "traversal", args{"gremlin", code("V"), "aliases", map[string]any{"h": "g"}}, false, 499, "A message with [bytecode] op code requires the [aliases] argument to be a Map containing one alias assignment named 'g'."},
		{"bytecode", "traversal", args{"gremlin", code("V"), "aliases", map[string]any{"g": "graph"}}, false, 499, "The traversal source [graph] for alias [g] is not configured on the server. Did you mean g?"},
		{"bytecode", "traversal", args{"gremlin", code("V"), "aliases", map[string]any{"g": 5}}, false, 499, "The traversal source [5] for alias [g] is not configured on the server. Did you mean g?"},
		{"bytecode", "traversal", args{"gremlin", code("V"), "aliases", map[string]any{"g": "graph"}}, true, 499, "Could not rebind [g] to [graph] as [graph] not in the Graph or TraversalSource global bindings; did you mean g?"},
		{"bytecode", "traversal", args{"gremlin", tx(value.String("commit")), "aliases", g}, false, 599, noTranslation},
		{"bytecode", "traversal", args{"gremlin", tx(), "aliases", g}, false, 599, noTranslation},

		{"eval", "", args{"gremlin", "x", "batchSize", 0}, false, 499, "batchSize must be 1..65536"},
		{"eval", "", args{"gremlin", "x", "batchSize", 65537}, false, 499, "batchSize must be 1..65536"},
		{"eval", "", args{"gremlin", "x", "batchSize", "5"}, false, 499, "batchSize must be 1..65536"},
		{"eval", "", args{"gremlin", "x", "evaluationTimeout", "5"}, false, 499, "evaluationTimeout must be a whole number of milliseconds"},
		{"eval", "", args{"gremlin", "x", "evaluationTimeout", value.Double(5)}, false, 499, "evaluationTimeout must be a whole number of milliseconds"},
	} {
		d := newDesk(t, &engine{nearest: "g"}, func(o *Options) { o.Limits.Parameters, o.Limits.SessionIDBytes = 2, 8 })
		var from Client = newClient()
		if c.http {
			from = nil
		}
		task := ask(t, d, from, c.op, c.processor, c.args...)
		err := task.Check()
		var status *message.StatusError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s %s %v: %v", c.op, c.processor, c.args, err)
		case c.want == "":
		case err == nil || err.Error() != c.want:
			t.Errorf("%s %s %v:\n got  %v\n want %s", c.op, c.processor, c.args, err, c.want)
		case !errors.As(err, &status) || status.Code != c.code:
			t.Errorf("%s: %d, want %d", c.want, status.Code, c.code)
		}
	}
	strict := newDesk(t, &engine{}, func(o *Options) { o.StrictTransactions = true })
	if err := ask(t, strict, newClient(), "eval", "", "gremlin", "x").Check(); err == nil || !strings.HasSuffix(err.Error(), "requires a [aliases] argument.") {
		t.Errorf("strictTransactionManagement without aliases: %v", err)
	}
	if err := ask(t, strict, newClient(), "eval", "", "gremlin", "x", "aliases", map[string]any{"g": "g"}).Check(); err != nil {
		t.Errorf("strictTransactionManagement with aliases: %v", err)
	}
}

// What the arguments say goes into the query, the reply and the evaluation.
func TestCheck_Options(t *testing.T) {
	d := newDesk(t, &engine{}, func(o *Options) { o.Limits.EvaluationTimeoutMax = time.Hour })
	check := func(extra ...any) *Task {
		t.Helper()
		task := ask(t, d, newClient(), "eval", "session", append(args{"gremlin", "x", "session", "s"}, extra...)...)
		if err := task.Check(); err != nil {
			t.Fatal(err)
		}
		return task
	}
	task := check()
	if task.Query.Script != "x" || task.Query.Language != "gremlin-groovy" || task.Session != "s" || task.Managed ||
		task.Reply.Batch != 64 || task.timeout != 30*time.Second || task.tokens || task.Query.Aliases != nil || task.Query.Bindings != nil {
		t.Errorf("by default: %+v", task.Arguments)
	}
	task = check("language", "gremlin-lang", "manageTransaction", true, "batchSize", 65536, "evaluationTimeout", 1500, "materializeProperties", "tokens",
		"aliases", map[string]any{"g": "graph", "h": "g"}, "bindings", map[string]any{"y": 1})
	if task.Query.Language != "gremlin-lang" || !task.Managed || task.Reply.Batch != 65536 || task.timeout != 1500*time.Millisecond ||
		!task.tokens || len(task.Query.Aliases) != 2 || task.Query.Aliases["g"] != "graph" || task.Query.Bindings.Len() != 1 {
		t.Errorf("as asked: %+v", task.Arguments)
	}
	if check("manageTransaction", "true").Managed || check("manageTransaction", false).Managed {
		t.Error("managed without being asked")
	}
	if check("materializeProperties", "all").tokens {
		t.Error("tokens without being asked")
	}
	huge := value.BigInt(new(big.Int).Lsh(big.NewInt(1), 70))
	for _, c := range []struct {
		asked any
		want  time.Duration
	}{{0, time.Hour}, {-1, time.Hour}, {3_600_000, time.Hour}, {3_600_001, time.Hour}, {3_599_999, time.Hour - time.Millisecond},
		{value.Long(1 << 62), time.Hour}, {huge, time.Hour}, {value.Byte(7), 7 * time.Millisecond}, {value.Short(300), 300 * time.Millisecond}} {
		if got := check("evaluationTimeout", valueOf(c.asked)).timeout; got != c.want {
			t.Errorf("evaluationTimeout %v: %v, want %v", c.asked, got, c.want)
		}
	}
	endless := newDesk(t, &engine{}, func(o *Options) { o.Limits.EvaluationTimeoutMax = math.MaxInt64 })
	for script, want := range map[string]time.Duration{
		`g.with("evaluationTimeout", 99999999999999999999).V()`:                                         math.MaxInt64,
		`g.with("evaluationTimeout", 9223372036854).V();g.with("evaluationTimeout", 9223372036854).V()`: math.MaxInt64,
		`x`: 1 << 62 / time.Duration(time.Millisecond) * time.Millisecond,
	} {
		task := ask(t, endless, newClient(), "eval", "", "gremlin", script, "evaluationTimeout", value.Long((1<<62)/int64(time.Millisecond)))
		if err := task.Check(); err != nil || task.timeout != want {
			t.Errorf("%s, without a bound: %v %v", script, task.timeout, err)
		}
	}
	task = ask(t, endless, newClient(), "eval", "", "gremlin", "x", "evaluationTimeout", huge)
	if err := task.Check(); err != nil || task.timeout != math.MaxInt64 {
		t.Errorf("a number beyond 64 bits: %v %v", task.timeout, err)
	}
	id := value.UUID([16]byte{1})
	byID := ask(t, d, newClient(), "close", "session", "session", id)
	if err := byID.Check(); err != nil || byID.Session != "01000000-0000-0000-0000-000000000000" {
		t.Errorf("a session named by a UUID: %q, %v", byID.Session, err)
	}
}

// Timeouts within a script add up, without an overflow.
func TestCheck_ScriptTimeouts(t *testing.T) {
	d := newDesk(t, &engine{}, nil)
	for script, want := range map[string]time.Duration{
		`g.with("evaluationTimeout", 99999999999999999999).V()`:                                         time.Hour,
		`g.with("evaluationTimeout", 9223372036854).V();g.with("evaluationTimeout", 9223372036854).V()`: time.Hour,
		`g.with("scriptEvaluationTimeout", 20).V()`:                                                     20 * time.Millisecond,
		`g.with(Tokens.ARGS_EVAL_TIMEOUT, 20i).V()`:                                                     20 * time.Millisecond,
		`g.with("evaluationTimeout", 0)`:                                                                time.Hour,
		`g.with("x")`:                                                                                   30 * time.Second,
		"g.V() // with\n.with('evaluationTimeout', 20)":                                                 20 * time.Millisecond,
	} {
		task := ask(t, d, newClient(), "eval", "", "gremlin", script)
		if err := task.Check(); err != nil || task.timeout != want {
			t.Errorf("%s: %v %v, want %v", script, task.timeout, err, want)
		}
	}
}

func TestTransactionOp(t *testing.T) {
	for _, c := range []struct {
		b    *traversal.Bytecode
		op   string
		isTx bool
	}{
		{tx(value.String("commit")), "commit", true},
		{tx(value.String("rollback")), "rollback", true},
		{tx(), "", true},
		{tx(value.Int(1)), "", true},
		{tx(value.String("commit"), value.Int(1)), "", true},
		{code("tx"), "", false},
		{&traversal.Bytecode{}, "", false},
		{&traversal.Bytecode{Source: []traversal.Instruction{{Name: "with"}}}, "", false},
		{&traversal.Bytecode{Source: tx().Source, Steps: code("V").Steps}, "", false},
		{&traversal.Bytecode{Source: append(tx().Source, tx().Source...)}, "", false},
	} {
		if op, isTx := TransactionOp(c.b); op != c.op || isTx != c.isTx {
			t.Errorf("%s: %q %v", c.b.Value().Brief(), op, isTx)
		}
	}
}
