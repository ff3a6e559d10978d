// Package plancache keeps compiled plans by the shape of their bytecode: the steps
// with all arguments but the constants that only say which element or value is meant.
//
//	V(1).out("knows").has("age", gt(30))
//	V(?).out("knows").has("age", gt(?))      the shape; ? keeps the kind
//
// A shape that comes for the second time is compiled with stand-ins for its constants,
// and later requests put theirs in place of those. Whether that is sound for a shape
// is not argued but tried: the plan is compiled with other stand-ins too, and must
// come out as the first one with its stand-ins replaced. A shape that fails, because
// a strategy looked at a constant or moved it where nothing finds it, is compiled
// afresh each time.
package plancache
