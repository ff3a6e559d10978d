package script

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// printNames are Groovy's functions that print. There is no console: what they print
// goes to Options.Print.
var printNames = map[string]bool{"println": true, "print": true, "printf": true}

const (
	printedLinesMax = 1_000 // of one evaluation; what is beyond is not kept
	printedTextMax  = 1_000 // bytes of one call
)

// print hands out what println, print or printf is given.
func (m *machine) print(name string, args []value.Value) error {
	if err := m.step(); err != nil {
		return err
	}
	var text string
	if name == "printf" && len(args) > 0 {
		v, err := m.format(m.string(args[0]), args[1:])
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
			s := m.string(v)
			b.WriteString(s[:min(len(s), printedTextMax)])
		}
		text = b.String()
	}
	if err := m.surface(); err != nil {
		return err
	}
	if m.printed++; m.s.o.Print == nil || m.printed > printedLinesMax {
		return nil
	}
	if err := m.charge(printedTextMax); err != nil {
		return err
	}
	m.s.o.Print(strings.ToValidUTF8(text[:min(len(text), printedTextMax)], "?"))
	return nil
}

// callMath calls what Gremlin Server imports from java.lang.Math by name alone, when all
// arguments are numbers.
func (m *machine) callMath(name string, args []value.Value) (value.Value, bool, error) {
	if len(args) == 0 {
		return value.Null, false, nil
	}
	for _, v := range args {
		if !v.Kind().IsNumber() {
			return value.Null, false, nil
		}
	}
	return m.tables().statics.try(m, value.Null, "Math."+name, args)
}
