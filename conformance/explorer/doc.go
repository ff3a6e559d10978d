// Package explorer drives the page for people in a real browser against the built binary
// (make explorer): what a visitor types, clicks and sees. It needs Chromium, which is why
// everything is behind the build tag explorer; where the browser is missing it fails. Where
// there is a Firefox too, that is seen to load, draw and ask.
//
// With -pictures each view is saved as a PNG, to be looked at.
package explorer
