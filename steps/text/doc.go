// Package text holds the steps that work on strings: case, trimming, parts, lengths, joining
// and templates. Most are one function of a string, which textStep makes a step of; with
// Scope.local they work on each string of a collection.
//
// Strings are Java's to clients: what counts and cuts counts units of UTF-16 (text.go).
package text
