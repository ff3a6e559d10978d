package request

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Arg is an argument of the request, Null when it has none of that name.
func (t *Task) Arg(name string) value.Value {
	v, _ := t.Req.Args.Get(value.String(name))
	return v
}

// Check validates the arguments of the request and fills in the query.
func (t *Task) Check() error {
	if t.Form != nil { // it was checked, perhaps for somebody else
		if t.Identity.ReachesAll() {
			return nil
		}
		return t.checkSource(value.String(t.Query.Source))
	}
	if err := t.checkOp(); err != nil {
		return err
	}
	if t.Req.Processor == message.ProcessorSession {
		if err := t.checkSession(); err != nil || t.Req.Op == message.OpClose {
			return err
		}
	}
	sight, err := t.seeAs(), error(nil)
	if t.Req.Op == message.OpBytecode {
		err = t.checkBytecode()
	} else {
		err = t.checkEval()
	}
	if sight != nil { // now that it is known what was asked
		return sight
	}
	if err != nil {
		return err
	}
	return t.checkOptions()
}

func (t *Task) checkOp() error {
	op := t.Req.Op
	switch t.Req.Processor {
	case message.ProcessorStandard:
		if op == message.OpEval {
			return nil
		}
	case message.ProcessorTraversal:
		if op == message.OpBytecode {
			return nil
		}
	case message.ProcessorSession:
		if op == message.OpEval || op == message.OpBytecode || op == message.OpClose {
			return nil
		}
	default:
		return message.InvalidArgs("Invalid OpProcessor requested [%s]", value.Brief(t.Req.Processor))
	}
	return message.Malformed("Message with op code [%s] is not recognized.", value.Brief(op))
}

func (t *Task) checkSession() error {
	if t.client == nil {
		return message.InvalidArgs("sessions need a WebSocket connection")
	}
	v := t.Arg("session")
	if v.IsNull() {
		return message.InvalidArgs("A message with an [%s] op code requires a [session] argument", t.Req.Op)
	}
	// Drivers send the id as text or as a UUID.
	id := v.Str()
	if v.Kind() != value.KindString {
		id = v.Brief()
	}
	if max := t.desk.Limits().SessionIDBytes; len(id) > max || id == "" {
		return message.InvalidArgs("the [session] argument must have 1..%d bytes", max)
	}
	t.Session = id
	t.Managed = t.Arg("manageTransaction").Kind() == value.KindBool && t.Arg("manageTransaction").Bool()
	return nil
}

func (t *Task) checkBytecode() error {
	v := t.Arg("gremlin")
	if v.IsNull() {
		return message.InvalidArgs("A message with an [%s] op code requires a [gremlin] argument.", t.Req.Op)
	}
	b, ok := v.Object().(*traversal.Bytecode)
	if !ok {
		return message.InvalidArgs("A message with [%s] op code requires a [gremlin] argument that is of type Bytecode.", t.Req.Op)
	}
	t.Query.Bytecode = b
	if t.Arg("aliases").IsNull() {
		return message.InvalidArgs("A message with [%s] op code requires a [aliases] argument.", t.Req.Op)
	}
	m := t.Arg("aliases").Map()
	if m == nil || m.Len() != 1 {
		return message.InvalidArgs("A message with [%s] op code requires the [aliases] argument to be a Map containing one alias assignment named 'g'.", t.Req.Op)
	}
	k, src := m.Entry(0)
	if k.Str() != "g" {
		return message.InvalidArgs("A message with [%s] op code requires the [aliases] argument to be a Map containing one alias assignment named 'g'.", t.Req.Op)
	}
	if err := t.checkSource(src); err != nil {
		return err
	}
	t.Query.Source = src.Str()
	if _, isTx := TransactionOp(b); isTx && t.Req.Processor != message.ProcessorSession {
		return &message.StatusError{Code: message.StatusSerialization, Message: "JavaTranslator cannot translate traversal operations", Class: message.ClassIllegalState}
	}
	return nil
}

// checkSource makes sure that bytecode names a traversal source that its user reaches.
func (t *Task) checkSource(src value.Value) error {
	if src.Kind() == value.KindString && t.lookup(src.Str()) == contract.SourceName {
		return nil
	}
	if t.client == nil {
		return t.badAlias("g", src.Brief())
	}
	text := fmt.Sprintf("The traversal source [%s] for alias [g] is not configured on the server.", src.Brief())
	if near := t.nearest(src.Brief()); near != "" {
		text += " Did you mean " + near + "?"
	}
	return message.InvalidArgs("%s", text)
}

func (t *Task) checkEval() error {
	v := t.Arg("gremlin")
	if v.Kind() != value.KindString {
		return message.InvalidArgs("A message with an [%s] op code requires a [gremlin] argument.", t.Req.Op)
	}
	t.Query.Script = v.Str()
	t.Query.Language = "gremlin-groovy"
	if l := t.Arg("language"); l.Kind() == value.KindString {
		t.Query.Language = l.Str()
	}
	if err := t.checkBindings(); err != nil {
		return err
	}
	return t.checkAliases()
}

func (t *Task) checkBindings() error {
	v := t.Arg("bindings")
	if v.IsNull() {
		return nil
	}
	m := v.Map()
	if m == nil {
		return message.InvalidArgs("The [%s] message requires the [bindings] argument to be a Map.", t.Req.Op)
	}
	var reserved []string
	for i := range m.Len() {
		k, _ := m.Entry(i)
		if k.Kind() != value.KindString {
			return message.InvalidArgs("The [%s] message is using one or more invalid binding keys - they must be of type String and cannot be null", t.Req.Op)
		}
		if reservedBindings[k.Str()] {
			reserved = append(reserved, k.Str())
		}
	}
	if len(reserved) > 0 {
		return message.InvalidArgs("The [%s] message supplies one or more invalid parameters key of [[%s]] - these are reserved names.", t.Req.Op, strings.Join(reserved, ", "))
	}
	if max := t.desk.Limits().Parameters; m.Len() > max {
		return message.InvalidArgs("The [%s] message contains %d bindings which is more than is allowed by the server %d configuration (maxParameters)", t.Req.Op, m.Len(), max)
	}
	t.Query.Bindings = m
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

func (t *Task) checkAliases() error {
	v := t.Arg("aliases")
	if v.IsNull() {
		if t.desk.StrictTransactions {
			return message.InvalidArgs("A message with an [%s] op code requires a [aliases] argument.", t.Req.Op)
		}
		return nil
	}
	m := v.Map()
	if m == nil {
		return message.InvalidArgs("The [%s] message requires the [aliases] argument to be a Map.", t.Req.Op)
	}
	for i := range m.Len() {
		k, name := m.Entry(i)
		if k.Kind() != value.KindString || name.Kind() != value.KindString {
			return message.InvalidArgs("The [%s] message requires the [aliases] argument to map names to names.", t.Req.Op)
		}
		if t.lookup(name.Str()) == contract.NoName {
			return t.badAlias(k.Str(), name.Str())
		}
		if t.Query.Aliases == nil {
			t.Query.Aliases = make(map[string]string, m.Len())
		}
		t.Query.Aliases[k.Str()] = name.Str()
	}
	return nil
}

// badAlias is worded for each transport as the reference does.
func (t *Task) badAlias(alias, name string) error {
	what, near := "alias", ""
	if best := t.nearest(name); best != "" {
		near = "; did you mean " + best + "?"
	}
	if t.client == nil {
		what = "rebind"
	}
	alias, name = value.Brief(alias), value.Brief(name)
	return message.InvalidArgs("Could not %s [%s] to [%s] as [%s] not in the Graph or TraversalSource global bindings%s", what, alias, name, name, near)
}

func (t *Task) checkOptions() error {
	l := t.desk.Limits()
	t.Reply.Batch, t.timeout = l.BatchItems, l.EvaluationTimeout
	if v := t.Arg("batchSize"); !v.IsNull() {
		n, ok := integer(v)
		if !ok || n < 1 || n > quota.BatchItemsMax {
			return message.InvalidArgs("batchSize must be 1..%d", quota.BatchItemsMax)
		}
		t.Reply.Batch = int(n)
	}
	if v := t.Arg("evaluationTimeout"); !v.IsNull() {
		n, ok := integer(v)
		if !ok {
			return message.InvalidArgs("evaluationTimeout must be a whole number of milliseconds")
		}
		t.timeout = milliseconds(n)
	}
	t.tokens = t.desk.Tokens
	if v := t.Arg("materializeProperties"); v.Kind() == value.KindString {
		t.tokens = v.Str() == "tokens"
	}
	if t.Query.Script != "" {
		t.scriptOptions(t.Query.Script)
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
func (t *Task) scriptOptions(script string) {
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

// StaysOpen reports whether a request of a session leaves its transaction open: bytecode that is
// neither a transaction by itself nor ends one.
func (t *Task) StaysOpen() bool {
	if t.Managed || !t.IsBytecode() {
		return false
	}
	_, isTx := TransactionOp(t.Query.Code())
	return !isTx
}

// TransactionOp recognises the bytecode by which drivers commit and roll back.
func TransactionOp(b *traversal.Bytecode) (string, bool) {
	if len(b.Steps) != 0 || len(b.Source) != 1 || b.Source[0].Name != "tx" {
		return "", false
	}
	if a := b.Source[0].Args; len(a) == 1 && a[0].Kind() == value.KindString {
		return a[0].Str(), true
	}
	return "", true
}
