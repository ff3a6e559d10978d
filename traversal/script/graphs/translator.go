package graphs

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// translator is GroovyTranslator.of("g"): it writes traversals as text, in the form of
// gremlin-lang, which is Groovy too.
type translator struct{ source string }

func (o *translator) ClassName() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.translator.GroovyTranslator"
}

func (o *translator) Text(*machine.Machine) string {
	return "translator[" + o.source + ":gremlin-groovy]"
}

func (o *translator) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

func (o *translator) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if name != "translate" || len(args) != 1 {
		return value.Null, false, nil
	}
	b, ok := args[0].Object().(*traversal.Bytecode)
	if t, is := machine.Foreign(args[0]).(*Traversal); is {
		b, ok = t.Bytecode, true
	}
	if !ok {
		return value.Null, false, nil
	}
	if err := m.Charge(machine.TextMax / 16); err != nil { // what an ordinary text takes
		return value.Null, true, err
	}
	text := lang.PrintFrom(o.source, b)
	return machine.Wrap(&translated{text}), true, m.NewText(len(text))
}

// translated is the Script that a translator makes.
type translated struct{ script string }

func (o *translated) ClassName() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.Script"
}

func (o *translated) Text(*machine.Machine) string { return o.script }

func (o *translated) Keeps() ([]value.Value, int) { return nil, len(o.script) }

func (o *translated) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

func (o *translated) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if name != "getScript" || len(args) > 0 {
		return value.Null, false, nil
	}
	v, err := m.Text(o.script)
	return v, true, err
}
