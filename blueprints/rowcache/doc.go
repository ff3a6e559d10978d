// Package rowcache keeps decoded rows in memory: an array of immutable entries by
// dense internal id, each valid over an interval of commits.
//
// A reader at commit s takes the newest version that began at or before s, if it had
// not ended by then (Table.Get, lock-free). A miss reads the store at s and offers
// what it read (Install), which holds since the last commit to the row; a commit that
// the reader could not have seen makes the offer void. The store's committer ends
// versions, or puts successors in their place, before the commit is published (Touch):
// whoever can read at a commit finds the cache as that commit left it.
//
// What makes an offer void is remembered apart from the rows, in a table of the last
// commit by hash of the row: evicting a row forgets nothing that matters, so no order
// of evictions and fills brings an old version back. Two rows that share a hash cost
// an occasional refused offer, never a wrong answer.
//
// What a key of bytes names, such as the entries of an index under a value, stands in the
// row of the key's hash, with its bytes: see Postings. Such a row knows some of its keys.
//
// A Budget bounds the bytes of many Tables; it evicts whole chains of versions, those
// not used since it last looked first.
package rowcache
