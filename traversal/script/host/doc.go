// Package host is what scripts reach of the server that runs them: graphs and traversal
// sources by name, traversals in the transaction of the request, elements. The server
// implements it; nothing else that a script does leaves the machine.
package host
