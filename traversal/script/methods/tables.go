package methods

import "github.com/gremlind/gremlind/traversal/script/machine"

// Add adds the methods of values, and of the objects of Java's library, to the tables.
func Add(t *machine.Tables) {
	t.Strings.Add(stringMethods(), moreStringMethods(), textMethodsOfJava())
	t.Numbers.Add(numberMethods(), moreNumberMethods())
	t.Lists.Add(listMethods(), moreListMethods())
	t.Cursors.Add(machine.Methods{"indexed": {0, 1, indexedPairs}})
	t.FixedLists.Add(fixed(t.Lists))
	t.Maps.Add(mapMethods(), moreMapMethods())
	t.Sets.Add(setMethods())
	t.Entries.Add(entryMethods())
	t.Paths.Add(pathMethods())
	t.Enums.Add(enumMethods())
	t.Classes.Add(classMethods())
	t.Trees.Add(treeMethods())
	t.Any.Add(anyMethods())
	t.Iterables.Add(iterableMethods())
	t.Statics.Add(collectorMethods())
	t.Streams.Add(streamMethods())
	t.Times.Add(timeMethods())
	t.Calls.Add(bareCalls())
}
