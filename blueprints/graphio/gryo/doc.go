// Package gryo reads and writes Gryo 3, TinkerPop's binary file format.
//
// A file is a run of vertices, each with its edges and all properties:
//
//	+-------+----------+------------------------------+------------+
//	| "gio" | 13 zeros | star graph: one Kryo object  | terminator |
//	+-------+----------+------------------------------+------------+
//
//	star graph:
//	  byte 0x80                       the version
//	  map or null                     edge id -> {key: value}
//	  map or null                     vertex property id -> {key: value}
//	  class+object                    vertex id
//	  string                          label
//	  bool, edges by label            incoming: (edge id, other id) pairs
//	  bool, edges by label            outgoing
//	  bool, properties by key         (property id, value) pairs
//
// Kryo writes a class as its registered number + 2 (0 is null) and, for all but the
// boxed primitives, a reference: 0 null, 1 a new object, n+2 the n-th object of this
// star graph again. Numbers are zigzag varints, doubles big endian, short ASCII
// strings end in a byte with the high bit set. The class numbers are those that
// TinkerPop registers for Gryo 3 (class.go).
package gryo
