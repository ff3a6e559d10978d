//go:build !invariants

package occ

// invariants turns on assertions that cost more than they should in production.
const invariants = false
