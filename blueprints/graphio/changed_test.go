package graphio

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/golden"
)

// outcome reads a file and says what came of it.
func outcome(f Format, file string) string {
	m, rejected := &memory{}, 0
	err := ReadRecords(context.Background(), f, strings.NewReader(file), m, Handler{Reject: func(int, []string, error) error { rejected++; return nil }})
	return fmt.Sprintf("%d+%d-%d %.70v", len(m.vs), len(m.es), rejected, err)
}

// changed is a file with something else in the place of a byte, or its beginning.
func changed(file string, i int, with string) string {
	if with == "" {
		return file[:i]
	}
	return file[:i] + with + file[i+1:]
}

// TestRead_Changed reads a file of each format that ends at each byte, and with each byte
// another: what is said, and how much of it is read.
func TestRead_Changed(t *testing.T) {
	var out strings.Builder
	files := formatFiles(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		c := files[name]
		whole := &memory{}
		err := ReadRecords(context.Background(), c.format, strings.NewReader(c.file), whole, Handler{})
		fmt.Fprintf(&out, "== %s: %v\n", name, err)
		for _, v := range whole.vs {
			fmt.Fprintf(&out, "%#v %s %v\n", v.ID, v.Label, v.Properties)
		}
		for _, e := range whole.es {
			fmt.Fprintf(&out, "%#v %s %#v %#v %v\n", e.ID, e.Label, e.Out, e.In, e.Properties)
		}
		for _, with := range []string{"", `"`} {
			from, was := 0, ""
			tell := func(to int) {
				if was != "" {
					fmt.Fprintf(&out, "%q %d-%d: %s\n", with, from, to, was)
				}
			}
			for i := range c.file {
				if now := outcome(c.format, changed(c.file, i, with)); now != was {
					tell(i - 1)
					from, was = i, now
				}
			}
			tell(len(c.file) - 1)
		}
	}
	golden.Check(t, "testdata/changed", out.String())
}
