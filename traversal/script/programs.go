package script

import (
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/syntax"
)

// Programs keeps texts that were read, so that a text that comes again is only run.
// It is safe for concurrent use.
type Programs struct {
	scripts, closures *plancache.Recent[machine.Program]
}

const (
	programsMax     = 256     // texts kept of a kind before the older half is forgotten
	programBytesMax = 2 << 20 // what they take then
	programTextsMax = 8 << 10 // bytes of a text that is kept

	programTokenBytes = 160 // what is kept of a token at most, as measured
)

// NewPrograms returns Programs that keep nothing yet.
func NewPrograms() *Programs {
	return &Programs{
		scripts:  plancache.NewRecent[machine.Program](programsMax, programBytesMax),
		closures: plancache.NewRecent[machine.Program](programsMax, programBytesMax),
	}
}

// script reads a text, or finds it.
func (ps *Programs) script(meter *traversal.Meter, text string, limits machine.Limits) (*machine.Program, error) {
	if ps == nil {
		return syntax.Parse(meter, text, limits)
	}
	return read(meter, ps.scripts, text, limits, syntax.Parse)
}

// closure reads a text that is one closure, or finds it.
func (ps *Programs) closure(meter *traversal.Meter, text string, limits machine.Limits) (*machine.Program, error) {
	if ps == nil {
		return syntax.ParseClosure(meter, text, limits)
	}
	return read(meter, ps.closures, text, limits, syntax.ParseClosure)
}

func read(meter *traversal.Meter, kept *plancache.Recent[machine.Program], text string, limits machine.Limits, parse func(*traversal.Meter, string, machine.Limits) (*machine.Program, error)) (*machine.Program, error) {
	if len(text) > programTextsMax {
		return parse(meter, text, limits)
	}
	if p := kept.FindText(text); p != nil {
		return p, nil
	}
	p, err := parse(meter, text, limits)
	if err == nil {
		kept.Keep([]byte(text), p, len(text)+p.Tokens*programTokenBytes)
	}
	return p, err
}
