// Package merge holds mergeV() and mergeE(): an element is found, or else added. What to look
// for and what to add come as maps.
//
//	merge.go                       the call: its maps and options
//	validate.go                    what such a map may hold
//	run.go                         the running step: find, then change or add
//	find.go                        the search, by the ways of V() and E() (package find)
//	vertex.go, edge.go             what vertices and edges do each in their own way
package merge
