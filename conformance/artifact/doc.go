// Package artifact fetches released jars with Maven and unpacks what the suites
// need. Everything lands in conformance/.cache, which git ignores; what is there
// already is not fetched again.
package artifact
