package machine

// Tables are the built-in methods by what they are called on.
type Tables struct {
	Strings    Methods
	Numbers    Methods
	Lists      Methods
	Cursors    Methods // and what lists have that is other for what hands out its elements
	FixedLists Methods
	Maps       Methods
	Sets       Methods
	Entries    Methods
	Elements   Methods
	Paths      Methods
	Enums      Methods
	Classes    Methods
	Predicates Methods
	Trees      Methods
	Any        Methods
	Iterables  Methods
	Traversals Methods
	Statics    Methods
	Streams    Methods
	Times      Methods
	Durations  Methods
	Metrics    Methods
	Explained  Methods
	// of what a graph is and has
	Graphs         Methods
	Variables      Methods
	Configurations Methods
	Computers      Methods
	Results        Methods
	Memories       Methods
	Effects        Methods
	// called by their bare names
	Calls Methods
}
