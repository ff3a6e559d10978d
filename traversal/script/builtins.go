package script

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Builtins returns the names of all built-in methods by what they are called on, in
// order: for tools that try each of them.
func Builtins() map[string][]string {
	names := map[string][]string{}
	for kind, table := range builtinTables() {
		names[kind] = slices.Sorted(maps.Keys(table))
	}
	return names
}

// builtinTables are all tables of methods by name: a new one is there by itself.
func builtinTables() map[string]methods {
	all := map[string]methods{}
	fields := reflect.ValueOf(builtin()).Elem()
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		all[strings.ToLower(name[:1])+name[1:]] = *(*methods)(fields.Field(i).Addr().UnsafePointer())
	}
	return all
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
			cursors:    methods{"indexed": {0, 1, indexedPairs}},
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
			calls:          bareCalls().with(methods{"traversal": {0, 0, anonymousTraversal}}),
		}
	})
	return built
}
