package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/conformance/scriptfiles"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// TestSchema_Rules runs the scripts of testdata. "with" gives each line to the schema of the
// line before and "without" takes it away; "value" asks what is said of each value of a key,
// as in "value person age".
func TestSchema_Rules(t *testing.T) {
	scriptfiles.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &schema.Schema{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			for line := range strings.SplitSeq(d.Input, "\n") {
				v := literal(t, line)
				switch d.Cmd {
				case "with", "without":
					s = changed(t, &out, s, d.Cmd == "with", v)
				case "value":
					l := s.Of(false, d.CmdArgs[0].Key)
					fmt.Fprintf(&out, "%s: %v\n", line, said(l.Value(l.Keys[d.CmdArgs[1].Key], v)))
				default:
					d.Fatalf(t, "unknown directive %s", d.Cmd)
				}
			}
			return out.String()
		})
	})
}

func said(m *schema.Misfit) any {
	if m == nil {
		return "fits"
	}
	return m.Error()
}

// changed makes a schema of another, and tells what it is and what it asks more than that.
func changed(t *testing.T, out *strings.Builder, old *schema.Schema, with bool, v value.Value) *schema.Schema {
	t.Helper()
	change := old.Without
	if with {
		change = old.With
	}
	s, err := change(v)
	if err != nil {
		fmt.Fprintf(out, "error: %v\n", err)
		return old
	}
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := schema.Decode(text)
	if err != nil || !again.Same(s) || !s.Same(again) || again.Value().GoString() != s.Value().GoString() {
		t.Errorf("%s is read as %v: %v", text, again, err)
	}
	if s.Same(old) && text != nil && old.Value().GoString() != s.Value().GoString() {
		t.Errorf("%v and %v are the same", old.Value(), s.Value())
	}
	labels, closes := s.Tightened(old)
	var names []string
	for _, l := range labels {
		names = append(names, l.Name)
	}
	loosened, opens := old.Tightened(s)
	fmt.Fprintf(out, "%s\n  names %v; tighter %v, closes %t; looser %d, opens %t\n", s.Value().JavaString(), s.Names(), names, closes, len(loosened), opens)
	return s
}

func literal(t *testing.T, text string) value.Value {
	t.Helper()
	q, err := lang.Parse("g.inject("+text+")", lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return q.Last().Bytecode.Steps[0].Args[0]
}
