// Package explorer is the page that people look at a graph with. It is made of plain
// modules in static/, has no data of its own, and asks the server as every HTTP client does.
package explorer
