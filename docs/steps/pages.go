// Package pages holds the pages of the steps, one a step, for whoever shows them: they
// are written from the registry and the guides beside it (steps/docs_test.go).
package pages

import "embed"

// Files are the pages, by the name of the step with .md behind.
//
//go:embed *.md
var Files embed.FS
