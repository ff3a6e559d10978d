package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/traversal"
)

// slips are how a name is misspelt: two letters in each other's place, one missing, one
// too many.
func slips(name string) []string {
	i := len(name) / 2
	out := []string{name[:i] + name[i+1:], name + "q"}
	if name[i-1] != name[i] {
		out = append(out, name[:i-1]+name[i:i+1]+name[i-1:i]+name[i+1:])
	}
	return out
}

// meant wants a message to name what a slip was, or what is as near to it.
func meant(t *testing.T, what, slip, name, message string) {
	t.Helper()
	_, best, ok := strings.Cut(message, "did you mean ")
	if best, _, _ = strings.Cut(best, "?"); !ok || best != name && traversal.Nearest(slip, []string{best}) == "" {
		t.Errorf("%s %s for %s: %s", what, slip, name, message)
	}
}

// TestMeant_Settings misspells every setting: in a file, in the environment, behind --set.
func TestMeant_Settings(t *testing.T) {
	for _, name := range fileKeys() {
		for _, slip := range slips(name) {
			c, err := configured(t, slip+": 1\n", nil)
			if err != nil {
				t.Errorf("%s: %v", slip, err)
				continue
			}
			meant(t, "key", slip, name, strings.Join(c.unknown, "\n"))
		}
	}
	for i := range settings {
		name := settings[i].key
		for _, slip := range slips(name) {
			_, err := configured(t, "", nil, "--set", slip+"=1")
			if err == nil {
				t.Errorf("--set %s=1 is taken", slip)
				continue
			}
			meant(t, "--set", slip, name, err.Error())
		}
		variable := envName(name)
		for _, slip := range slips(strings.TrimPrefix(variable, "GREMLIND_")) {
			slip = "GREMLIND_" + slip
			c, err := configured(t, "", []string{slip + "=1"})
			if err != nil {
				t.Errorf("%s: %v", slip, err)
				continue
			}
			meant(t, "variable", slip, variable, strings.Join(c.unknown, "\n"))
		}
	}
	for _, name := range graphKeys {
		for _, slip := range slips(name) {
			_, err := configured(t, "graphs:\n  a: {"+slip+": 1}\n", nil)
			if err == nil {
				t.Errorf("%s is taken", slip)
				continue
			}
			meant(t, "key of a graph", slip, name, err.Error())
		}
	}
}

// TestMeant_Graph misspells a graph wherever one is named.
func TestMeant_Graph(t *testing.T) {
	_, err := configured(t, "graphs:\n  social: {}\ntraversalSources: {g: socail}\n", nil)
	if err == nil || !strings.Contains(err.Error(), "did you mean social?") {
		t.Errorf("a source: %v", err)
	}
	dir := t.TempDir()
	serve(t, "--data-dir", dir).kill()
	for _, args := range [][]string{
		{"export", "--data-dir", dir, "--graph", "grahp", "--format", "graphml", "-"},
		{"check", "--data-dir", dir, "grahp"},
		{"inspect", "--data-dir", dir, "--graph", "grahp"},
		{"inspect", "--data-dir", dir, "--sizes", "--graph", "grahp"},
	} {
		if _, errs, code := run(t, args...); code == exitDone || !strings.Contains(errs, "did you mean graph?") {
			t.Errorf("%v: %d %s", args, code, errs)
		}
	}
}

// TestMeant_Commands misspells every command and every flag.
func TestMeant_Commands(t *testing.T) {
	root := newRoot()
	flags := 0
	var walk func(path []string, cmd *cobra.Command)
	walk = func(path []string, cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if flags++; raced.Skips(flags, 8) {
				return
			}
			for i, slip := range slips(f.Name) {
				if raced.Leaves(flags+i, 8) {
					continue
				}
				if cmd.Flags().Lookup(slip) == nil {
					meant(t, strings.Join(path, " ")+" flag", slip, "--"+f.Name, refusedWith(append(path[:len(path):len(path)], "--"+slip)))
				}
			}
		})
		for _, c := range cmd.Commands() {
			if c.Hidden || len(c.Name()) < 2 {
				continue
			}
			for _, slip := range slips(c.Name()) {
				if found, _, err := cmd.Find([]string{slip}); len(slip) > 1 && (err != nil || found == cmd) {
					meant(t, "command", slip, c.Name(), refusedWith(append(path[:len(path):len(path)], slip)))
				}
			}
			walk(append(path[:len(path):len(path)], c.Name()), c)
		}
	}
	walk(nil, root)
}

// refusedWith is what a command line is refused with.
func refusedWith(args []string) string {
	root := newRoot()
	root.SetArgs(args)
	root.SilenceErrors, root.SilenceUsage = true, true
	if err := root.Execute(); err != nil {
		return err.Error()
	}
	return ""
}
