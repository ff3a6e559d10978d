package scriptfiles

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/account"
)

// Stopped has read read each line of the scripts in folder, those too that are no script, and end
// behind one token, behind two, and so on, below most, until it reports that the line has no more.
// It ends for want of memory, whatever was being read: any other outcome fails t, and so do fewer
// than least ends.
func Stopped(t *testing.T, folder string, most, least int, read func(line string, tokens int) (ended bool, err error)) {
	t.Helper()
	ends := 0
	for _, line := range lines(t, folder) {
		for k := 1; k < most; k++ {
			ended, err := read(line, k)
			if !ended {
				break
			}
			if ends++; !errors.Is(err, account.ErrLimit) {
				t.Fatalf("%s: behind %d tokens: %v", line, k, err)
			}
		}
	}
	if ends < least {
		t.Errorf("only %d ends", ends)
	}
}

func lines(t *testing.T, folder string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != folder && !isScript(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		text, err := os.ReadFile(path)
		all = append(all, strings.Split(string(text), "\n")...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
