// Package listening is the way in: how many connections there may be, and which requests
// may pass before anything of them is evaluated.
package listening
