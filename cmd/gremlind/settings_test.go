package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gremlind/gremlind/conformance/golden"
)

// TestSettings_Texts gives every setting texts that it takes or refuses.
func TestSettings_Texts(t *testing.T) {
	var out strings.Builder
	for i := range settings {
		s := &settings[i]
		fmt.Fprintf(&out, "%s, by default %q\n", s.key, s.get(defaultConfig()))
		for _, text := range []string{"", "0", "7", "true", "a, b", "3s", "2MiB", "5000000000", "-1", "99999999999999999999"} {
			c := defaultConfig()
			others := 0
			err := s.set(c, text, "here")
			for j := range settings {
				if i != j && settings[j].get(c) != settings[j].get(defaultConfig()) {
					others++
				}
			}
			if err != nil {
				fmt.Fprintf(&out, "  %q: %.60s\n", text, strings.TrimPrefix(err.Error(), "here: "+s.key+": "))
				continue
			}
			fmt.Fprintf(&out, "  %q is %q from %s\n", text, s.get(c), c.origin[s.key])
			if others > 0 {
				t.Errorf("%s sets %d others too", s.key, others)
			}
		}
	}
	golden.Check(t, "testdata/settings", out.String())
}

// TestCommands_Flags shows every command, its arguments and its flags.
func TestCommands_Flags(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "state")
	var out strings.Builder
	var show func(c *cobra.Command)
	show = func(c *cobra.Command) {
		fmt.Fprintf(&out, "== %s: %s\n", c.UseLine(), c.Short)
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			fmt.Fprintf(&out, "  -%s --%s %s (%s) hidden=%t: %s\n", f.Shorthand, f.Name, f.Value.Type(), filepath.ToSlash(f.DefValue), f.Hidden, f.Usage)
		})
		for n := range 5 {
			if c.Args != nil && c.Args(c, make([]string, n)) == nil {
				fmt.Fprintf(&out, "  takes %d arguments\n", n)
			}
		}
		for _, sub := range c.Commands() {
			show(sub)
		}
	}
	show(newRoot())
	golden.Check(t, "testdata/commands", out.String())
}

// TestReadProperties reads lines with either sign, remarks and empty ones.
func TestReadProperties(t *testing.T) {
	file := t.TempDir() + "/p"
	if err := os.WriteFile(file, []byte("# a=1\n! b=2\n\n  c = d=e \nf:g\nalone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := readProperties(file)
	if got, want := fmt.Sprint(list, err), fmt.Sprintf("[{c d=e %[1]s:4} {f g %[1]s:5} {alone  %[1]s:6}] <nil>", file); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, err := readProperties(file + "x"); err == nil {
		t.Error("a file that is not there is read")
	}
}
