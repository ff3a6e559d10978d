// Package traversal turns a request into traversers.
//
// Bytecode comes in, from a driver or from the text parser (package lang). Compile
// folds modulators into their steps and gives a Plan: immutable Nodes with typed
// arguments, children and declared effects. Package strategy rewrites plans. Open
// chains the running steps (Source), each made by its Spec, and Run.Next pulls
// batches of traversers out of the last one.
//
// A Registry says which steps there are. It is a value that package steps fills and
// hands down, so that nothing here names a step's Go type.
//
// One goroutine runs one traversal. A consumer asks for at most n traversers; a step
// may pull ahead only where nobody can tell: when effects of the plan conflict, the
// Run is strict and everything goes one traverser at a time. Errors stand behind the
// good traversers that came before them.
//
// Every step polls the request's context (ErrTimeout) and charges what it keeps to the
// request's account (account.ErrLimit). Nothing here touches bytes on the wire or on disk: elements are
// read through blueprints.View and written through blueprints.Mutator, files and
// services are reached through Host, closures through ClosureCompiler.
package traversal
