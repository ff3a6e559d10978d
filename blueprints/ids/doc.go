// Package ids says what users may call an element by, which ids are one, and how the store
// writes them. It knows values and no graph: a transaction asks a Scheme, and so does a load.
//
//	Manager  how an id that a user gives becomes the form that is kept (TinkerGraph's managers)
//	Scheme   which ids of a class are equal, and the row of each in the table of ids
package ids
