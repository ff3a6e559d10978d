// Package complete proposes what may stand at the cursor: steps, predicates, enumerations,
// and what the server's graph has of labels, property keys, services and sources.
//
// The steps are this program's, whatever the server is. The graph's names are fetched in
// the background, on a connection of their own, and kept: proposing never waits for the
// server. gremlind is asked for the names that it keeps; other servers for those of the
// first thousand elements.
package complete

// Candidate is one proposal for the text between Proposal.From and the cursor.
type Candidate struct {
	Text string // what is written there
	Doc  string // a line about it; often ""
	Kind string // what kind of thing it is, as "steps"
}

// Proposal is what may stand at a cursor.
type Proposal struct {
	From       int // where the word begins, in bytes of the text
	Candidates []Candidate
}
