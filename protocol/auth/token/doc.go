// Package token reads JSON Web Tokens that somebody else made: who it is that shows one,
// what he may do, and until when.
//
// A Verifier has the keys of files, reads these again when they change, and checks what a
// token says against its Options. Each key has one algorithm, by what it is, and the token
// has no say in that: a public key never serves as a secret, and a token without a
// signature is none.
package token
