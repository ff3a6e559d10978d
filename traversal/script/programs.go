package script

import (
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/syntax"
)

// Programs keeps texts that were read, so that a text that comes again is only run, and
// so is one of a request that differs in its literals. It is safe for concurrent use.
type Programs struct {
	scripts  *plancache.Recent[reading] // by their texts
	closures *plancache.Recent[reading]
	shapes   *plancache.Recent[known] // by syntax.Shape, without and with what is kept of the literals
}

// reading is a text that was read: a program, and the literals that it is to be run with.
type reading struct {
	program  *machine.Program
	literals []value.Value
	moved    machine.Moved
}

// known is what was found out about a shape, or with the literals that belong to its
// programs about one of them.
type known struct {
	kept    []bool           // which literals belong to the programs
	program *machine.Program // nil for a shape
	ends    []int            // of the literals in the text that the program was read from
}

const (
	programsMax     = 256     // texts kept of a kind before the older half is forgotten
	programBytesMax = 2 << 20 // what they take then
	programTextsMax = 8 << 10 // bytes of a text that is kept

	programTokenBytes = 160 // what is kept of a token at most, as measured
	literalBytes      = 64  // of a literal
)

// NewPrograms returns Programs that keep nothing yet.
func NewPrograms() *Programs {
	return &Programs{
		scripts:  plancache.NewRecent[reading](programsMax, programBytesMax),
		closures: plancache.NewRecent[reading](programsMax, programBytesMax),
		shapes:   plancache.NewRecent[known](programsMax, programBytesMax),
	}
}

type parse func(meter *traversal.Meter, text string, limits machine.Limits) (*machine.Program, error)

// script reads a text, or finds it.
func (ps *Programs) script(meter *traversal.Meter, text string, limits machine.Limits) (reading, error) {
	if ps == nil {
		return read(meter, nil, text, limits, syntax.Parse)
	}
	return read(meter, ps.scripts, text, limits, syntax.Parse)
}

// closure reads a text that is one closure, or finds it.
func (ps *Programs) closure(meter *traversal.Meter, text string, limits machine.Limits) (*machine.Program, error) {
	if ps == nil {
		return syntax.ParseClosure(meter, text, limits)
	}
	r, err := read(meter, ps.closures, text, limits, syntax.ParseClosure)
	return r.program, err
}

func read(meter *traversal.Meter, kept *plancache.Recent[reading], text string, limits machine.Limits, parse parse) (reading, error) {
	if kept != nil && len(text) <= programTextsMax {
		if r := kept.FindText(text); r != nil {
			return *r, nil
		}
	}
	p, err := parse(meter, text, limits)
	r := reading{program: p}
	if err == nil && kept != nil && len(text) <= programTextsMax {
		kept.Keep([]byte(text), &r, programBytes(text, p))
	}
	return r, err
}

func programBytes(text string, p *machine.Program) int {
	return len(text) + p.Tokens*programTokenBytes + len(p.Literals)*literalBytes
}

// shaped is script for a text after which nothing is left of the evaluation: what is found
// by its shape may have the places of another text, which only Moved puts right.
func (ps *Programs) shaped(meter *traversal.Meter, text string, limits machine.Limits) (reading, error) {
	if ps == nil || len(text) > min(programTextsMax, limits.TextBytes) {
		return ps.script(meter, text, limits)
	}
	if r := ps.scripts.FindText(text); r != nil {
		return *r, nil
	}
	s := syntax.NewShape()
	if !s.Of(text) {
		return ps.script(meter, text, limits)
	}
	shape, length := ps.shapes.Find(s.Key), len(s.Key)
	if shape != nil {
		s.With(text, shape.kept)
		if k := ps.shapes.Find(s.Key); k != nil && k.program != nil {
			return k.reading(s, text), nil
		}
		s.Key = s.Key[:length]
	}
	return ps.learn(meter, s, shape, text, limits)
}

// reading is the program with the literals of s, a text of its shape.
func (k *known) reading(s *syntax.Shape, text string) reading {
	return reading{k.program, s.Literals, machine.Moved{From: k.program.Source, To: text, FromEnds: k.ends, ToEnds: s.Ends}}
}

// learn reads the text whose shape is s, and keeps the program for all texts that have in
// common with it what it keeps, or what others of the shape kept. shape is what was known.
func (ps *Programs) learn(meter *traversal.Meter, s *syntax.Shape, shape *known, text string, limits machine.Limits) (reading, error) {
	p, kept, err := s.Parse(meter, text, limits)
	if err != nil {
		return reading{}, err
	}
	r := reading{program: p, literals: slices.Clone(s.Literals)}
	ps.scripts.Keep([]byte(text), &r, programBytes(text, p))
	if kept == nil {
		return r, nil
	}
	if shape == nil {
		shape = &known{}
	}
	all, more := both(shape.kept, kept)
	if more {
		ps.shapes.Keep(s.Key, &known{kept: all}, len(all))
	}
	s.With(text, all)
	ps.shapes.Keep(s.Key, &known{kept: all, program: p, ends: slices.Clone(s.Ends)}, programBytes(text, p))
	return r, nil
}

// both is what either has, and whether that is more than before.
func both(before, now []bool) (all []bool, more bool) {
	all, more = append([]bool{}, now...), before == nil
	for i, b := range before {
		more = more || now[i] && !b
		all[i] = b || now[i]
	}
	return all, more
}

// Len is how many texts and shapes are kept of scripts.
func (ps *Programs) Len() int { return ps.scripts.Len() + ps.shapes.Len() }
