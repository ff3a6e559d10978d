package script

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// translator is GroovyTranslator.of("g"): it writes traversals as text, in the form of
// gremlin-lang, which is Groovy too.
type translator struct{ source string }

func (o *translator) className() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.translator.GroovyTranslator"
}

func (o *translator) text(*machine) string { return "translator[" + o.source + ":gremlin-groovy]" }

func (o *translator) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (o *translator) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if name != "translate" || len(args) != 1 {
		return value.Null, false, nil
	}
	b, ok := args[0].Object().(*traversal.Bytecode)
	if t, is := foreign(args[0]).(*Traversal); is {
		b, ok = t.Bytecode, true
	}
	if !ok {
		return value.Null, false, nil
	}
	if err := m.charge(textMax / 16); err != nil { // what an ordinary text takes
		return value.Null, true, err
	}
	text := lang.PrintFrom(o.source, b)
	return wrap(&translated{text}), true, m.newText(len(text))
}

// translated is the Script that a translator makes.
type translated struct{ script string }

func (o *translated) className() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.Script"
}

func (o *translated) text(*machine) string { return o.script }

func (o *translated) keeps() ([]value.Value, int) { return nil, len(o.script) }

func (o *translated) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (o *translated) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if name != "getScript" || len(args) > 0 {
		return value.Null, false, nil
	}
	v, err := m.text(o.script)
	return v, true, err
}
