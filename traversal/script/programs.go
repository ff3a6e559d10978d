package script

import (
	"sync"

	"github.com/gremlind/gremlind/traversal"
)

// Programs keeps texts that were read, so that a text that comes again is only run.
// It is safe for concurrent use.
type Programs struct {
	mu       sync.Mutex
	scripts  map[string]*program
	closures map[string]*program
}

const (
	programsMax     = 512     // texts kept; then all are forgotten
	programTextsMax = 8 << 10 // bytes of a text that is kept
)

// script reads a text, or finds it.
func (ps *Programs) script(meter *traversal.Meter, text string, limits Limits) (*program, error) {
	if ps == nil {
		return parse(meter, text, limits)
	}
	return ps.read(meter, &ps.scripts, text, limits, parse)
}

// closure reads a text that is one closure, or finds it.
func (ps *Programs) closure(meter *traversal.Meter, text string, limits Limits) (*program, error) {
	if ps == nil {
		return parseClosure(meter, text, limits)
	}
	return ps.read(meter, &ps.closures, text, limits, parseClosure)
}

func (ps *Programs) read(meter *traversal.Meter, kept *map[string]*program, text string, limits Limits, parse func(*traversal.Meter, string, Limits) (*program, error)) (*program, error) {
	if len(text) > programTextsMax {
		return parse(meter, text, limits)
	}
	ps.mu.Lock()
	p := (*kept)[text]
	ps.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p, err := parse(meter, text, limits)
	if err != nil {
		return nil, err
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if *kept == nil || len(*kept) >= programsMax {
		*kept = map[string]*program{}
	}
	(*kept)[text] = p
	return p, nil
}
