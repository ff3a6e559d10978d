package classes

import "github.com/gremlind/gremlind/traversal/script/machine"

// Add adds the static methods of classes, and the methods of what only they make, to the
// tables.
func Add(t *machine.Tables) {
	t.Statics.Add(staticMethods(), arithmeticStatics(), mathMethods(), textMethods(), streamStatics(), collectionsMethods(), timeStatics())
	t.Predicates.Add(predicateMethods())
	t.Durations.Add(durationMethods())
}
