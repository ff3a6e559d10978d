// Package match holds match() and where(): both compare what the labels of a path stand for,
// and the patterns of match() are made of where() steps.
//
//	where.go            where(P) and where(label, P); where_bind.go puts values in place of labels
//	where_traversal.go  where(traversal), whose ends may be labels
//	match.go            match() as it is given: patterns and their labels
//	pattern.go          one pattern: where it starts and ends, what must be bound before it
//	run.go              the running step; choose.go which pattern a traverser tries next
//	first.go            the label of the object when none is bound yet
//	hops.go             patterns of single hops: counted without being made (walk.Figure)
package match
