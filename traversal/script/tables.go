package script

import "sync"

// tables are the built-in methods by what they are called on.
type tables struct {
	strings    methods
	numbers    methods
	lists      methods
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
}

// built is filled at first use: its functions call each other through it, which an
// initialised variable could not.
var (
	building sync.Once
	built    *tables
)

func builtin() *tables {
	building.Do(func() {
		built = &tables{
			strings:    stringMethods(),
			numbers:    numberMethods(),
			lists:      listMethods(),
			fixedLists: fixed(listMethods()),
			maps:       mapMethods(),
			sets:       setMethods(),
			entries:    entryMethods(),
			elements:   elementMethods(),
			paths:      pathMethods(),
			enums:      enumMethods(),
			classes:    classMethods(),
			predicates: predicateMethods(),
			trees:      treeMethods(),
			any:        anyMethods(),
			iterables:  iterableMethods(),
			traversals: traversalMethods(),
			statics:    staticMethods(),
		}
	})
	return built
}
