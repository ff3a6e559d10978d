// Package graphson holds the value forms of GraphSON 1, 2 and 3, typed and untyped:
// what files (package graphio) and the wire (protocol/graphson) have in common.
//
// Reading has two stages. Parse turns bytes into Nodes under limits on depth, size and
// digits; a Decoder turns Nodes into values. An Encoder writes values straight into
// bytes. Types that only the wire knows (bytecode, predicates, ...) are hooked in by
// Extend on either side.
package graphson

// Form is one version of the format.
type Form struct {
	Version int  // 1, 2 or 3
	Typed   bool // with @type and @value (in version 1: @class)
}

// tagged reports whether values carry the @type of versions 2 and 3.
func (f Form) tagged() bool { return f.Typed && f.Version > 1 }

// classed reports whether values carry the Java classes of version 1.
func (f Form) classed() bool { return f.Typed && f.Version == 1 }
