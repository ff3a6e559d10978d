package traversal

// Request is one that a server evaluates, or will, as lists of them show it.
type Request struct {
	ID      string  `json:"id"`
	User    string  `json:"user,omitempty"`
	SeeAs   string  `json:"seeAs,omitempty"` // with whose rights it reads, when these are not its user's
	Remote  string  `json:"remote"`          // address of the client
	Session string  `json:"session,omitempty"`
	Source  string  `json:"source"` // the global name of what the query calls g
	State   string  `json:"state"`  // waiting or running
	Seconds float64 `json:"seconds"`
	Bytes   int64   `json:"bytes"` // that it keeps
	Op      string  `json:"op"`
	Query   string  `json:"query"` // its beginning
}

// Who is the user for people, with the one as whom he sees.
func (r *Request) Who() string {
	if r.SeeAs != "" {
		return r.User + " as " + r.SeeAs
	}
	return r.User
}

// Requests are those under way in a server, as far as who asks may know of them: all of them
// when he administers every graph, and else his own.
type Requests interface {
	// List returns those that run or wait, the oldest first.
	List(who *Identity) []Request
	// Kill stops those that have an id, and returns how many there were.
	Kill(who *Identity, id string) int
}
