package lang

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Options is what a text is read with; the zero Options reads plain gremlin-lang.
type Options struct {
	// Variables resolves a name where the grammar allows a variable. Nil knows none.
	Variables func(name string) (value.Value, bool)
	// Groovy makes 1.0 a BigDecimal, as Groovy does, rather than a Double, and refuses
	// sets: their braces are closures there.
	Groovy bool
	// Steps reports whether a name that the grammar does not have is a step all the
	// same; its arguments are then not checked. Nil knows none.
	Steps func(name string) bool
	// Sources reports whether a name begins a query. Nil knows "g" only.
	Sources func(name string) bool
	// SourceNames are those, for errors. Nil names none.
	SourceNames func() []string
	// Evaluate runs a terminated traversal that stands where a literal is expected:
	// inject(g.V().next()). It is called only when the whole text is well formed. Nil
	// refuses such literals.
	Evaluate func(s *Statement) (value.Value, error)
	// Limits of zero take the defaults.
	Limits Limits
	// Meter bounds the time of reading and the memory of what was read. Nil bounds
	// nothing.
	Meter *traversal.Meter
}

// Limits bounds what a text may ask of the parser.
type Limits struct {
	TextBytes   int // of the whole text; default 10 MiB
	Depth       int // of nested traversals, collections and predicates; default 256
	Steps       int // of one traversal, children not counted; default traversal.StepsMax
	Statements  int // of one text; default 10,000
	StringBytes int // of one string literal; default 1 MiB
	RangeItems  int // of one range literal; default 1,000,000
	NumberBytes int // of one number literal; default 4,096
}

func (l Limits) withDefaults() Limits {
	set := func(n *int, d int) {
		if *n == 0 {
			*n = d
		}
	}
	set(&l.TextBytes, 10<<20)
	set(&l.Depth, 256)
	set(&l.Steps, traversal.StepsMax)
	set(&l.Statements, 10_000)
	set(&l.StringBytes, 1<<20)
	set(&l.RangeItems, 1_000_000)
	set(&l.NumberBytes, 4096)
	return l
}
