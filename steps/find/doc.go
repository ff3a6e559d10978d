// Package find holds the steps that say which elements are meant: V(), E() and the has()
// steps, whose filters V() takes in. v.go chooses the way: ids, an index, labels, a scan.
package find
