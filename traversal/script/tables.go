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

// built is filled at first use: its functions call each other through it, which an
// initialised variable could not.
var (
	building sync.Once
	built    *tables
)

func builtin() *tables {
	building.Do(func() {
		built = &tables{
			strings:    stringMethods().with(moreStringMethods(), textMethodsOfJava()),
			numbers:    numberMethods().with(moreNumberMethods()),
			lists:      listMethods().with(moreListMethods()),
			fixedLists: fixed(listMethods().with(moreListMethods())),
			maps:       mapMethods().with(moreMapMethods()),
			sets:       setMethods(),
			entries:    entryMethods(),
			elements:   elementMethods(),
			paths:      pathMethods(),
			enums:      enumMethods(),
			classes:    classMethods(),
			predicates: predicateMethods().with(methods{"test": {1, 1, predicateTest}, "getValue": {0, 0, predicateValue}}),
			trees:      treeMethods().with(moreTreeMethods()),
			any:        anyMethods(),
			iterables:  iterableMethods(),
			traversals: traversalMethods(),
			statics:    staticMethods().with(mathMethods(), textMethods(), collectionsMethods(), collectorMethods(), timeStatics(), graphStatics(), sampleStatics(), programStatics(), ioStatics()),
			streams:    streamMethods(),
			times:      timeMethods(),
			durations:  durationMethods(),
			metrics:    metricsMethods(),
			explained:  explanationMethods(),

			graphs:         graphMethods(),
			variables:      variablesMethods(),
			configurations: configurationMethods(),
			computers:      computerMethods(),
			results:        computerResultMethods(),
			memories:       memoryMethods(),
			effects:        sideEffectMethods(),
			calls:          bareCalls(),
		}
	})
	return built
}
