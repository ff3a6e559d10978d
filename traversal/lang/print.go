package lang

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Print writes b as gremlin-lang text that begins with g. Parse reads it back to the
// same bytecode, unless it holds what the grammar cannot say: closures print as
// {script}, other values without a literal in angle brackets.
func Print(b *traversal.Bytecode) string { return PrintFrom("g", b) }

// PrintFrom is Print for a source of another name.
func PrintFrom(source string, b *traversal.Bytecode) string {
	w := &writer{}
	w.WriteString(source)
	w.chain(b.Source)
	w.chain(b.Steps)
	return w.String()
}

// Translate writes the steps of b, those of its source first, as Groovy that keeps the
// types of numbers: what the reference shows of a traversal in its messages. It is cut
// to so many bytes.
func Translate(b *traversal.Bytecode, most int) string {
	w := &writer{groovy: true, most: most}
	w.chain(b.Source)
	w.chain(b.Steps)
	return value.Clip(strings.TrimPrefix(w.String(), "."), most)
}

// PrintValue writes one argument.
func PrintValue(v value.Value) string {
	w := &writer{}
	w.value(v)
	return w.String()
}

const printDepthMax = 300 // deeper than any bytecode that was accepted

type writer struct {
	strings.Builder
	depth  int
	groovy bool
	most   int // bytes behind which nothing is written; 0 means all
}

// full reports whether nothing more is to be written.
func (w *writer) full() bool { return w.most > 0 && w.Len() > w.most }

func (w *writer) chain(calls []traversal.Instruction) {
	for _, c := range calls {
		if w.full() {
			return
		}
		w.WriteByte('.')
		w.WriteString(c.Name)
		w.arguments(c.Args)
	}
}

func (w *writer) arguments(args []value.Value) {
	between := ", "
	if w.groovy {
		between = ","
	}
	w.WriteByte('(')
	w.list(args, between)
	w.WriteByte(')')
}

func (w *writer) list(vs []value.Value, between string) {
	for i, v := range vs {
		if w.full() {
			return
		}
		if i > 0 {
			w.WriteString(between)
		}
		w.value(v)
	}
}

// value writes a literal, an enum constant or a nested traversal.
func (w *writer) value(v value.Value) {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > printDepthMax {
		w.WriteString("...")
		return
	}
	switch k := v.Kind(); {
	case k == value.KindNull:
		w.WriteString("null")
	case k == value.KindBool:
		w.WriteString(strconv.FormatBool(v.Bool()))
	case k.IsNumber():
		w.number(v)
	case k == value.KindString:
		w.quoted(v.Str())
	case k == value.KindClass:
		w.WriteString(v.Str()[strings.LastIndexAny(v.Str(), ".$")+1:])
	case k.IsEnum():
		w.WriteString(k.String() + "." + v.Str())
	default:
		w.composite(v)
	}
}

func (w *writer) number(v value.Value) {
	if before, after, ok := groovyNumber(v.Kind()); w.groovy && ok {
		w.WriteString(before + v.JavaString() + after)
		return
	}
	suffix := ""
	switch v.Kind() {
	case value.KindByte:
		suffix = "b"
	case value.KindShort:
		suffix = "s"
	case value.KindLong:
		suffix = "l"
	case value.KindBigInteger:
		suffix = "n"
	case value.KindBigDecimal:
		suffix = "m"
	case value.KindFloat, value.KindDouble:
		f := v.Float64()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			break
		}
		suffix = "d"
		if v.Kind() == value.KindFloat {
			suffix = "f"
		}
	}
	w.WriteString(v.JavaString())
	w.WriteString(suffix)
}

// groovyNumber is what stands around a number whose suffix is not enough in Groovy.
func groovyNumber(k value.Kind) (before, after string, ok bool) {
	switch k {
	case value.KindByte:
		return "(byte) ", "", true
	case value.KindShort:
		return "(short) ", "", true
	case value.KindInt:
		return "(int) ", "", true
	case value.KindLong:
		return "", "L", true
	case value.KindBigInteger:
		return "new BigInteger('", "')", true
	case value.KindBigDecimal:
		return "new BigDecimal('", "')", true
	}
	return "", "", false
}

func (w *writer) composite(v value.Value) {
	switch v.Kind() {
	case value.KindList:
		w.WriteByte('[')
		w.list(v.Elems(), ", ")
		w.WriteByte(']')
	case value.KindSet:
		w.WriteByte('{')
		w.list(v.Set().Elems(), ", ")
		w.WriteByte('}')
	case value.KindMap:
		w.mapOf(v.Map())
	case value.KindUUID:
		w.WriteString(`UUID("` + v.UUID().String() + `")`)
	case value.KindOffsetDateTime:
		w.datetime(v.Time())
	default:
		w.object(v)
	}
}

// object writes the kinds that hold one of this program's types.
func (w *writer) object(v value.Value) {
	switch x := v.Object().(type) {
	case *traversal.Bytecode:
		w.nested(x)
	case *traversal.P:
		w.predicate(x)
	case *traversal.StrategySpec:
		w.strategy(x)
	case *traversal.Lambda:
		w.WriteString("{" + x.Script + "}")
	case *traversal.Binding:
		w.value(x.Value)
	default:
		w.WriteString("<" + v.JavaString() + ">")
	}
}

// datetime writes years that the text form can say.
func (w *writer) datetime(t time.Time) {
	_, offset := t.Zone()
	w.WriteString(`datetime("` + t.Format("2006-01-02T15:04:05.999999999") + value.ZoneOffset(offset).Value().JavaString() + `")`)
}

func (w *writer) nested(b *traversal.Bytecode) {
	if len(b.Source) == 1 && b.Source[0].Name == "CardinalityValueTraversal" && len(b.Source[0].Args) == 2 {
		w.value(b.Source[0].Args[0])
		w.arguments(b.Source[0].Args[1:])
		return
	}
	w.WriteString("__")
	w.chain(b.Steps)
}

func (w *writer) mapOf(m *value.Map) {
	if m.Len() == 0 {
		w.WriteString("[:]")
		return
	}
	w.WriteByte('[')
	for i := range m.Len() {
		if w.full() {
			return
		}
		k, v := m.Entry(i)
		if i > 0 {
			w.WriteString(", ")
		}
		if k.Kind() == value.KindString {
			w.value(k)
		} else {
			w.arguments([]value.Value{k})
		}
		w.WriteString(": ")
		w.value(v)
	}
	w.WriteByte(']')
}

func (w *writer) predicate(q *traversal.P) {
	switch {
	case (q.Name == "and" || q.Name == "or") && len(q.Args) > 0:
		w.value(q.Args[0])
		for _, a := range q.Args[1:] {
			if w.full() {
				return
			}
			w.WriteString("." + q.Name)
			w.arguments([]value.Value{a})
		}
		return
	case q.Text:
		w.WriteString("TextP.")
	default:
		w.WriteString("P.")
	}
	w.WriteString(q.Name)
	w.arguments(q.Args)
}

func (w *writer) strategy(s *traversal.StrategySpec) {
	if s.Config.Len() > 0 {
		w.WriteString("new ")
	}
	w.WriteString(s.SimpleName())
	if s.Config.Len() == 0 {
		return
	}
	w.WriteByte('(')
	for i := range s.Config.Len() {
		k, v := s.Config.Entry(i)
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(k.Str() + ": ")
		w.value(v)
	}
	w.WriteByte(')')
}

// quoted writes a string in double quotes with Java's escapes.
func (w *writer) quoted(s string) {
	w.WriteByte('"')
	for i := 0; i < len(s) && !w.full(); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			w.WriteRune(r)
			i += n
			continue
		}
		i++
		switch c {
		case '"', '\\':
			w.WriteByte('\\')
			w.WriteByte(c)
		case '\n':
			w.WriteString(`\n`)
		case '\r':
			w.WriteString(`\r`)
		case '\t':
			w.WriteString(`\t`)
		default:
			if c < ' ' || c == 0x7f {
				w.WriteString(`\u00` + string(hexDigits[c>>4]) + string(hexDigits[c&15]))
				continue
			}
			w.WriteByte(c)
		}
	}
	w.WriteByte('"')
}

const hexDigits = "0123456789abcdef"
