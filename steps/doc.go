// Package steps holds the steps of Gremlin: one file per step, read top to bottom,
// one line each in registry.go. A step declares itself with a traversal.Spec; the
// compiler, the strategies, the text parser, explain() and the reference page take
// what they need from there, so that adding a step touches this folder alone.
//
// Steps that are one thing in several files have a room: find (V(), E(), has()), write
// (addV(), addE(), property(), drop()), merge (mergeV(), mergeE()), match (match(),
// where()), text and lists. Beneath them lie step, with what all steps are written with,
// walk and computer.
//
// A step file has its doc comment with Gremlin lines and their meaning, its Spec,
// the typed form of its arguments, and the function that opens the running step.
package steps
