package protocol

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Ops and processors.
const (
	opEval           = "eval"
	opBytecode       = "bytecode"
	opAuthentication = "authentication"
	opClose          = "close"

	processorStandard  = ""
	processorTraversal = "traversal"
	processorSession   = "session"
)

func (t *task) arg(name string) value.Value {
	v, _ := t.req.Args.Get(value.String(name))
	return v
}

// check validates the arguments of the request and fills in the query.
func (t *task) check() error {
	if t.form != nil {
		return nil
	}
	if err := t.checkOp(); err != nil {
		return err
	}
	if t.req.Processor == processorSession {
		if err := t.checkSession(); err != nil || t.req.Op == opClose {
			return err
		}
	}
	var err error
	if t.req.Op == opBytecode {
		err = t.checkBytecode()
	} else {
		err = t.checkEval()
	}
	if err != nil {
		return err
	}
	return t.checkOptions()
}

func (t *task) checkOp() error {
	op := t.req.Op
	switch t.req.Processor {
	case processorStandard:
		if op == opEval {
			return nil
		}
	case processorTraversal:
		if op == opBytecode {
			return nil
		}
	case processorSession:
		if op == opEval || op == opBytecode || op == opClose {
			return nil
		}
	default:
		return invalidArgs("Invalid OpProcessor requested [%s]", value.Brief(t.req.Processor))
	}
	return malformed("Message with op code [%s] is not recognized.", value.Brief(op))
}

func (t *task) checkSession() error {
	if t.conn == nil {
		return invalidArgs("sessions need a WebSocket connection")
	}
	v := t.arg("session")
	if v.IsNull() {
		return invalidArgs("A message with an [%s] op code requires a [session] argument", t.req.Op)
	}
	// Drivers send the id as text or as a UUID.
	id := v.Str()
	if v.Kind() != value.KindString {
		id = v.Brief()
	}
	if max := t.srv.limits.SessionIDBytes; len(id) > max || id == "" {
		return invalidArgs("the [session] argument must have 1..%d bytes", max)
	}
	t.session = id
	t.managed = t.arg("manageTransaction").Kind() == value.KindBool && t.arg("manageTransaction").Bool()
	return nil
}

func (t *task) checkBytecode() error {
	v := t.arg("gremlin")
	if v.IsNull() {
		return invalidArgs("A message with an [%s] op code requires a [gremlin] argument.", t.req.Op)
	}
	b, ok := v.Object().(*traversal.Bytecode)
	if !ok {
		return invalidArgs("A message with [%s] op code requires a [gremlin] argument that is of type Bytecode.", t.req.Op)
	}
	t.query.Bytecode = b
	if t.arg("aliases").IsNull() {
		return invalidArgs("A message with [%s] op code requires a [aliases] argument.", t.req.Op)
	}
	m := t.arg("aliases").Map()
	if m == nil || m.Len() != 1 {
		return invalidArgs("A message with [%s] op code requires the [aliases] argument to be a Map containing one alias assignment named 'g'.", t.req.Op)
	}
	k, src := m.Entry(0)
	if k.Str() != "g" {
		return invalidArgs("A message with [%s] op code requires the [aliases] argument to be a Map containing one alias assignment named 'g'.", t.req.Op)
	}
	if src.Kind() != value.KindString || t.srv.engine.Lookup(src.Str()) != SourceName {
		if t.conn == nil {
			return t.badAlias("g", src.Brief())
		}
		return invalidArgs("The traversal source [%s] for alias [g] is not configured on the server.%s", src.Brief(), t.srv.suggestion(src.Brief()))
	}
	t.query.Source = src.Str()
	if _, isTx := transactionOp(b); isTx && t.req.Processor != processorSession {
		return &StatusError{Code: statusSerialization, Message: "JavaTranslator cannot translate traversal operations", Class: classIllegalState}
	}
	return nil
}

func (t *task) checkEval() error {
	v := t.arg("gremlin")
	if v.Kind() != value.KindString {
		return invalidArgs("A message with an [%s] op code requires a [gremlin] argument.", t.req.Op)
	}
	t.query.Script = v.Str()
	t.query.Language = "gremlin-groovy"
	if l := t.arg("language"); l.Kind() == value.KindString {
		t.query.Language = l.Str()
	}
	if err := t.checkBindings(); err != nil {
		return err
	}
	return t.checkAliases()
}

func (t *task) checkBindings() error {
	v := t.arg("bindings")
	if v.IsNull() {
		return nil
	}
	m := v.Map()
	if m == nil {
		return invalidArgs("The [%s] message requires the [bindings] argument to be a Map.", t.req.Op)
	}
	var reserved []string
	for i := range m.Len() {
		k, _ := m.Entry(i)
		if k.Kind() != value.KindString {
			return invalidArgs("The [%s] message is using one or more invalid binding keys - they must be of type String and cannot be null", t.req.Op)
		}
		if reservedBindings[k.Str()] {
			reserved = append(reserved, k.Str())
		}
	}
	if len(reserved) > 0 {
		return invalidArgs("The [%s] message supplies one or more invalid parameters key of [[%s]] - these are reserved names.", t.req.Op, strings.Join(reserved, ", "))
	}
	if max := t.srv.limits.Parameters; m.Len() > max {
		return invalidArgs("The [%s] message contains %d bindings which is more than is allowed by the server %d configuration (maxParameters)", t.req.Op, m.Len(), max)
	}
	t.query.Bindings = m
	return nil
}

// reservedBindings are names that a binding would hide from the script.
var reservedBindings = func() map[string]bool {
	names := map[string]bool{"~id": true, "~label": true, "~key": true, "~value": true}
	for _, k := range []value.Kind{value.KindT, value.KindColumn, value.KindOrder, value.KindOperator, value.KindScope, value.KindPop} {
		for _, n := range value.EnumNames(k) {
			names[n] = true
		}
	}
	return names
}()

func (t *task) checkAliases() error {
	v := t.arg("aliases")
	if v.IsNull() {
		if t.srv.opts.StrictTransactions {
			return invalidArgs("A message with an [%s] op code requires a [aliases] argument.", t.req.Op)
		}
		return nil
	}
	m := v.Map()
	if m == nil {
		return invalidArgs("The [%s] message requires the [aliases] argument to be a Map.", t.req.Op)
	}
	for i := range m.Len() {
		k, name := m.Entry(i)
		if k.Kind() != value.KindString || name.Kind() != value.KindString {
			return invalidArgs("The [%s] message requires the [aliases] argument to map names to names.", t.req.Op)
		}
		if t.srv.engine.Lookup(name.Str()) == NoName {
			return t.badAlias(k.Str(), name.Str())
		}
		if t.query.Aliases == nil {
			t.query.Aliases = make(map[string]string, m.Len())
		}
		t.query.Aliases[k.Str()] = name.Str()
	}
	return nil
}

// badAlias is worded for each transport as the reference does.
// suggestion is what to add to a message about a name that is no source or graph.
func (s *Server) suggestion(name string) string {
	if e, ok := s.engine.(interface{ Nearest(string) string }); ok {
		if best := e.Nearest(name); best != "" {
			return "; did you mean " + best + "?"
		}
	}
	return ""
}

func (t *task) badAlias(alias, name string) error {
	what, near := "alias", t.srv.suggestion(name)
	if t.conn == nil {
		what = "rebind"
	}
	alias, name = value.Brief(alias), value.Brief(name)
	return invalidArgs("Could not %s [%s] to [%s] as [%s] not in the Graph or TraversalSource global bindings%s", what, alias, name, name, near)
}

func (t *task) checkOptions() error {
	l := &t.srv.limits
	t.batch, t.timeout = l.BatchItems, l.EvaluationTimeout
	if v := t.arg("batchSize"); !v.IsNull() {
		n, ok := integer(v)
		if !ok || n < 1 || n > batchItemsMax {
			return invalidArgs("batchSize must be 1..%d", batchItemsMax)
		}
		t.batch = int(n)
	}
	if v := t.arg("evaluationTimeout"); !v.IsNull() {
		n, ok := integer(v)
		if !ok {
			return invalidArgs("evaluationTimeout must be a whole number of milliseconds")
		}
		t.timeout = milliseconds(n)
	}
	t.tokens = t.srv.opts.Tokens
	if v := t.arg("materializeProperties"); v.Kind() == value.KindString {
		t.tokens = v.Str() == "tokens"
	}
	if t.query.Script != "" {
		t.scriptOptions(t.query.Script)
	}
	if t.timeout <= 0 || t.timeout > l.EvaluationTimeoutMax {
		t.timeout = l.EvaluationTimeoutMax
	}
	return nil
}

func milliseconds(n int64) time.Duration {
	if n > math.MaxInt64/int64(time.Millisecond) {
		return math.MaxInt64
	}
	return time.Duration(n) * time.Millisecond
}

func integer(v value.Value) (int64, bool) {
	switch v.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return v.Int64(), true
	case value.KindBigInteger:
		return math.MaxInt64, v.BigInt().Sign() > 0
	}
	return 0, false
}

var (
	lineComment   = regexp.MustCompile(`(?m)//.*$`)
	timeoutOption = regexp.MustCompile(`with\(\s*(?:["'](?:evaluationTimeout|scriptEvaluationTimeout)["']|(?:Tokens\.)?ARGS_EVAL_TIMEOUT|evaluationTimeout)\s*,\s*(\d+)\s*[lLiI]?\s*\)`)
	tokensOption  = regexp.MustCompile(`with\(\s*(?:["']materializeProperties["']|(?:Tokens\.)?ARGS_MATERIALIZE_PROPERTIES|materializeProperties)\s*,\s*["']([^"']*)["']\s*\)`)
)

// scriptOptions finds the options that with() sets in the text of a script; they beat
// the arguments. Timeouts add up, of the others the last one wins.
func (t *task) scriptOptions(script string) {
	if !strings.Contains(script, "with(") {
		return
	}
	if strings.Contains(script, "//") {
		script = lineComment.ReplaceAllString(script, "")
	}
	if found := timeoutOption.FindAllStringSubmatch(script, -1); found != nil {
		t.timeout = 0
		for _, m := range found {
			n, err := strconv.ParseInt(m[1], 10, 64)
			if err != nil {
				n = math.MaxInt64
			}
			if d := milliseconds(n); t.timeout > math.MaxInt64-d {
				t.timeout = math.MaxInt64
			} else {
				t.timeout += d
			}
		}
	}
	if found := tokensOption.FindAllStringSubmatch(script, -1); found != nil {
		t.tokens = found[len(found)-1][1] == "tokens"
	}
}
