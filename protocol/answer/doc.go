// Package answer turns what came of a request into what its client reads.
//
// A Reply takes results one by one, encodes them, and cuts them into frames: a 206 for
// each full batch and one terminal frame, which every request gets exactly once. A
// Failure is an error in the words, the status code and the Java class by which drivers
// know it from the reference. HTTP has the same two in one response each.
package answer
