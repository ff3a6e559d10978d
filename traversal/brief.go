package traversal

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// Texts of plans in messages: their length in bytes, and what a plan that is shown may
// hold, in steps, arguments and parts of these.
const (
	briefBytes = 1000
	briefParts = 1 << 12
)

// Brief is the text of a step, plan, modulator or other part of a traversal for messages:
// the beginning of String, or of one that holds very much not even that.
func Brief(x fmt.Stringer) string {
	left := briefParts
	switch x := x.(type) {
	case *Node:
		if !x.fits(&left) {
			return x.Name() + "(...)"
		}
	case *Plan:
		if !x.fits(&left) {
			return "[...]"
		}
	}
	return value.Clip(x.String(), briefBytes)
}

// fits takes what p holds from what is left, and is false when that is too little.
func (p *Plan) fits(left *int) bool {
	for _, n := range p.Nodes {
		if !n.fits(left) {
			return false
		}
	}
	return true
}

func (n *Node) fits(left *int) bool {
	*left--
	for _, a := range n.Args {
		if a.Child != nil && !a.Child.fits(left) || a.Child == nil && !fits(a.Value, left) {
			return false
		}
	}
	return *left >= 0
}

func fits(v value.Value, left *int) bool {
	if v.Parts() > int64(*left) {
		return false
	}
	*left -= 1 + int(v.Parts())
	if p, ok := v.Object().(*P); ok {
		for _, a := range p.Args {
			if *left < 0 || !fits(a, left) {
				return false
			}
		}
	}
	return *left >= 0
}
