package conformance

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	links    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headings = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fences   = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	unlinked = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks: what the pages point at in the repository is there, down to the heading.
func TestLinks(t *testing.T) {
	pages := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		pages++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range links.FindAllStringSubmatch(fences.ReplaceAllString(string(text), ""), -1) {
			if reason := broken(path, m[1]); reason != "" {
				t.Errorf("%s: %s: %s", path, m[1], reason)
			}
		}
		return nil
	})
	if err != nil || pages < 10 {
		t.Fatalf("%d pages: %v", pages, err)
	}
}

// broken says why a link of a page leads nowhere; "" when it leads somewhere, or out of the
// repository.
func broken(page, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return ""
	}
	file, anchor, _ := strings.Cut(link, "#")
	target := page
	if file != "" {
		target = filepath.Join(filepath.Dir(page), file)
	}
	if _, err := os.Stat(target); err != nil {
		return "no such file"
	}
	if anchor == "" {
		return ""
	}
	text, err := os.ReadFile(target)
	if err != nil {
		return err.Error()
	}
	for _, m := range headings.FindAllStringSubmatch(string(text), -1) {
		if strings.ReplaceAll(unlinked.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == anchor {
			return ""
		}
	}
	return "no such heading"
}
