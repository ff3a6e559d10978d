package methods

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// PrintNames are Groovy's functions that print. There is no console: what they print
// goes to Options.Print.
var PrintNames = map[string]bool{"println": true, "print": true, "printf": true}

const (
	printedLinesMax = 1_000 // of one evaluation; what is beyond is not kept
	printedTextMax  = 1_000 // bytes of one call
)

// Print hands out what println, print or printf is given.
func Print(m *machine.Machine, name string, args []value.Value) error {
	if err := m.Step(); err != nil {
		return err
	}
	var text string
	if name == "printf" && len(args) > 0 {
		v, err := Format(m, m.String(args[0]), args[1:])
		if err != nil {
			return err
		}
		text = v.Str()
	} else {
		var b strings.Builder
		for i, v := range args {
			if i > 0 {
				b.WriteByte(' ')
			}
			s := m.String(v)
			b.WriteString(s[:min(len(s), printedTextMax)])
		}
		text = b.String()
	}
	if err := m.Surface(); err != nil {
		return err
	}
	if m.Printed++; m.State.Options.Print == nil || m.Printed > printedLinesMax {
		return nil
	}
	if err := m.Charge(printedTextMax); err != nil {
		return err
	}
	m.State.Options.Print(strings.ToValidUTF8(text[:min(len(text), printedTextMax)], "?"))
	return nil
}

// CallMath calls what Gremlin Server imports from java.lang.Math by name alone, when all
// arguments are numbers.
func CallMath(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if len(args) == 0 {
		return value.Null, false, nil
	}
	for _, v := range args {
		if !v.Kind().IsNumber() {
			return value.Null, false, nil
		}
	}
	return m.Tables().Statics.Try(m, value.Null, "Math."+name, args)
}
