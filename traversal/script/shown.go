package script

import (
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Shown stands in a result for what cannot leave a script: a client that wants texts is
// sent its text, any other an error that names its class.
type Shown struct{ Class, Text string }

// JavaString returns the text.
func (s *Shown) JavaString() string { return s.Text }

// JavaClass returns the name of the class.
func (s *Shown) JavaClass() string { return s.Class }

// SourceShown is a traversal source over a graph of this text.
func SourceShown(graph string, config []traversal.Instruction) *Shown {
	computes := slices.ContainsFunc(config, func(in traversal.Instruction) bool { return in.Name == "withComputer" })
	if computes {
		return &Shown{sourceClass, "graphtraversalsource[" + graph + ", graphcomputer]"}
	}
	return &Shown{sourceClass, "graphtraversalsource[" + graph + ", standard]"}
}

// sent makes a result of v, in which objects of the script are shown.
func (m *machine) sent(v value.Value) (value.Value, error) {
	e := exporter{m: m, left: exportMax, shows: true}
	return e.whole(v)
}
