// Package keyed holds the tables that find something by an id or by a hash.
//
//	Index     64-bit keys -> their place in the order of coming; hashes may repeat
//	Table[P]  internal ids -> a number: a few are hashed, many are an array by id
//	Set       internal ids: a few are a list, more are bits in pages by id
//
// Internal ids are dense, for graphs hand them out one after the other, and yet one
// traversal may meet few of them, far apart. Keys of an Index are exact where they are
// ids; where they are hashes (value.Hash has a secret, so that nobody can choose values
// which collide) its owner compares what stands at the places that it is given.
//
// A Table and a Set charge an account before they grow, and give back with Release.
package keyed
