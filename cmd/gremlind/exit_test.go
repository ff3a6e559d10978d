package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

// TestWrongArgumentsExit: every command ends with code 2 when it is given too many or too
// few arguments, or flags that do not go together.
func TestWrongArgumentsExit(t *testing.T) {
	var wrong func(cmd *cobra.Command)
	wrong = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			wrong(c)
		}
		if cmd.HasSubCommands() || cmd.Args == nil { // check, of any graphs
			return
		}
		refused := false
		for _, args := range [][]string{nil, slices.Repeat([]string{"x"}, 20)} {
			if err := cmd.Args(cmd, args); err != nil {
				refused = true
				if exitCode(err) != exitUsage {
					t.Errorf("%s %v: exit %d: %v", cmd.CommandPath(), args, exitCode(err), err)
				}
			}
		}
		if !refused && cmd.Name() != "import" { // which takes any number of files
			t.Errorf("%s takes any arguments", cmd.CommandPath())
		}
	}
	wrong(newRoot())
	for _, args := range [][]string{
		{"kill"}, {"backup", "a", "b"}, {"serve", "a.yaml", "b.yaml"}, {"./a.yaml", "b.yaml"}, {"user", "rights", "x"},
		{"user", "rights", "x", "--graph", "a", "--all-graphs"}, {"index", "create"}, {"health", "--admin"},
	} {
		if _, errs, code := run(t, args...); code != exitUsage {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
}

// TestForeignDirectory: a folder that holds something else is refused, and stays as it was.
func TestForeignDirectory(t *testing.T) {
	for _, file := range []string{"notes.txt", "db"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, file), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"serve", "--port", "0"}, {"check"}, {"inspect"}, {"export", filepath.Join(t.TempDir(), "x.json")}} {
			_, errs, code := run(t, append(args, "--data-dir", dir)...)
			if code != exitData {
				t.Errorf("%v: exit %d: %s", args, code, errs)
			}
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) != 1 {
				t.Errorf("%v left %v, %v", args, entries, err)
			}
		}
	}
}
