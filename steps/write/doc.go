// Package write holds the steps that change the graph: addV(), addE(), property() and drop().
// property() directly behind addV() and addE() becomes a part of them.
package write
