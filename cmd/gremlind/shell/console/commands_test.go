package console

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/traversal/lang"
)

// TestCommands_AreDocumented looks for every command in docs/shell.md.
func TestCommands_AreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/shell.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands() {
		if !strings.Contains(string(page), "`"+c.name) || c.doc == "" {
			t.Errorf("%s is not in docs/shell.md", c.name)
		}
	}
	for short, full := range shortNames {
		if !strings.HasPrefix(full, ":") || len(commandCandidates(full)) != 1 {
			t.Errorf("%s stands for %s, which is no command", short, full)
		}
	}
}

// TestCommands_Meant misspells every command.
func TestCommands_Meant(t *testing.T) {
	for _, name := range commandNames() {
		for _, slip := range []string{name[:2] + name[3:], name + "q", name[:1] + name[2:3] + name[1:2] + name[3:]} {
			var b strings.Builder
			c := &Console{o: Options{Out: &b, Err: &b}}
			if err := c.command(t.Context(), slip); err == nil || !strings.Contains(b.String(), "did you mean :") {
				t.Errorf("%s for %s: %s", slip, name, b.String())
			}
		}
	}
}

// TestHelp_EveryStep has a page for each step, readable without Markdown.
func TestHelp_EveryStep(t *testing.T) {
	for _, name := range stepNames() {
		var b strings.Builder
		c := &Console{o: Options{Out: &b, Err: &b}}
		if err := c.help(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text := b.String(); !strings.HasPrefix(text, name+"()") || strings.Contains(text, "```") || strings.Contains(text, "|---") {
			t.Errorf("the page of %s:\n%s", name, text)
		}
	}
}

// TestHelp_EveryName has lines for each predicate, enumeration, command and step of a
// strategy, by the name that a plan shows, too.
func TestHelp_EveryName(t *testing.T) {
	names := slices.Concat(lang.PredicateNames(""), commandNames(), slices.Collect(maps.Keys(shortNames)))
	for _, name := range lang.ClassNames() {
		if name != "__" {
			names = append(names, name)
		}
	}
	for _, s := range internalSteps() {
		names = append(names, s.Name, s.Class)
		if s.Doc == "" {
			t.Errorf("%s is not explained", s.Name)
		}
	}
	for _, name := range names {
		var b strings.Builder
		c := &Console{o: Options{Out: &b, Err: &b}}
		if err := c.help(t.Context(), name); err != nil || len(strings.TrimSpace(b.String())) < len(name)+4 {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
	}
}

func TestHistory_StaysShort(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a", "history")
	h, err := newHistory(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2*historyMax + 1 {
		h.Write(strings.Repeat("x", i%7+1) + "\nsecond line")
	}
	h, err = newHistory(file)
	if err != nil || h.Len() != historyMax {
		t.Fatalf("%d lines, %v", h.Len(), err)
	}
	if again, err := newHistory(file); err != nil || again.Len() != historyMax {
		t.Errorf("%d lines, %v", again.Len(), err)
	}
	if text, err := h.GetLine(historyMax - 1); err != nil || !strings.HasSuffix(text, "\nsecond line") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := h.GetLine(historyMax); err == nil {
		t.Error("there is a line behind the last")
	}
}
