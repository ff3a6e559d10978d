package scriptfiles

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What a failing property or fuzz test leaves behind is no script.
func TestWalk(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b.txt", "more/c", "rapid/TestX/TestX-1.fail", "fuzz/FuzzX/0123", ".hidden", "a~", "#a#"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	Walk(t, dir, func(t *testing.T, path string) {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, t.Name()+" "+filepath.ToSlash(name))
	})
	if want := []string{"TestWalk/a a", "TestWalk/b b.txt", "TestWalk/more/c more/c"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
