package script

// tables are the built-in methods by what they are called on.
type tables struct {
	strings    methods
	numbers    methods
	lists      methods
	cursors    methods // and what lists have that is other for what hands out its elements
	fixedLists methods
	maps       methods
	sets       methods
	entries    methods
	elements   methods
	paths      methods
	enums      methods
	classes    methods
	predicates methods
	trees      methods
	any        methods
	iterables  methods
	traversals methods
	statics    methods
	streams    methods
	times      methods
	durations  methods
	metrics    methods
	explained  methods
	// of what a graph is and has
	graphs         methods
	variables      methods
	configurations methods
	computers      methods
	results        methods
	memories       methods
	effects        methods
	// called by their bare names
	calls methods
}
