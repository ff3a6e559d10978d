// Package artifact fetches released jars and sources with Maven, drivers from PyPI and
// npm, and unpacks what the suites need. Everything lands in conformance/.cache, which
// git ignores; what is there already is not fetched again.
package artifact
