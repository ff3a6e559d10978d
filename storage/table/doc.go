// Package table draws the key of every table and encodes it. There is one file per
// table with Append, Decode and prefix functions; nothing here does I/O.
//
// A key is cells in the manner of AccumuloGraph, each part order-preserving, so that
// byte order is field order:
//
//	+----------+----------+-----+--------+-----------+
//	| graph 4B | table 1B | row | family | qualifier |
//	+----------+----------+-----+--------+-----------+
//
// Graph 0 is the store's own: the catalog and the commit number live there. Numbers
// are big endian. Names and values of variable length stand last, or, in front of an
// element id, are self-delimiting (no encoded value is a prefix of another).
//
// Codes are on disk: a code never changes its meaning and is never reused. A new
// layout takes a new code.
package table
