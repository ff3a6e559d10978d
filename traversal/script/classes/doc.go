// Package classes is what the names of classes stand for: constants, static methods,
// constructors and strategies. A class that is not here does not exist for scripts.
package classes
