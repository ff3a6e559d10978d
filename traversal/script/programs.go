package script

import (
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
)

// Programs keeps texts that were read, so that a text that comes again is only run.
// It is safe for concurrent use.
type Programs struct{ scripts, closures *plancache.Recent[program] }

const (
	programsMax     = 256     // texts kept of a kind before the older half is forgotten
	programBytesMax = 2 << 20 // what they take then
	programTextsMax = 8 << 10 // bytes of a text that is kept

	programTokenBytes = 160 // what is kept of a token at most, as measured
)

// NewPrograms returns Programs that keep nothing yet.
func NewPrograms() *Programs {
	return &Programs{
		scripts:  plancache.NewRecent[program](programsMax, programBytesMax),
		closures: plancache.NewRecent[program](programsMax, programBytesMax),
	}
}

// script reads a text, or finds it.
func (ps *Programs) script(meter *traversal.Meter, text string, limits Limits) (*program, error) {
	if ps == nil {
		return parse(meter, text, limits)
	}
	return read(meter, ps.scripts, text, limits, parse)
}

// closure reads a text that is one closure, or finds it.
func (ps *Programs) closure(meter *traversal.Meter, text string, limits Limits) (*program, error) {
	if ps == nil {
		return parseClosure(meter, text, limits)
	}
	return read(meter, ps.closures, text, limits, parseClosure)
}

func read(meter *traversal.Meter, kept *plancache.Recent[program], text string, limits Limits, parse func(*traversal.Meter, string, Limits) (*program, error)) (*program, error) {
	if len(text) > programTextsMax {
		return parse(meter, text, limits)
	}
	if p := kept.FindText(text); p != nil {
		return p, nil
	}
	p, err := parse(meter, text, limits)
	if err == nil {
		kept.Keep([]byte(text), p, len(text)+p.tokens*programTokenBytes)
	}
	return p, err
}
