//go:build !invariants

package pebble

// invariants turns on assertions that cost more than they should in production.
const invariants = false
