package scripthost

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/conformance/scriptfiles"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Run runs the scripts of a folder over the modern graph: eval takes each line
// in a session of its own, session all lines in one, script all lines as one text. In
// "every table" calls all methods of a table on a value, and
// prefixes runs each beginning of a text; in
// a session, "bind name=literal" gives the next line a binding. What each script is charged
// stands in the folder charged beside it, which -rewrite writes anew, too.
func Run(t *testing.T, folder string) {
	t.Helper()
	scriptfiles.Walk(t, folder, func(t *testing.T, path string) {
		h := New(t)
		defer func() {
			golden.Check(t, filepath.Join(folder, "..", "charged", filepath.Base(path)), h.charged.String())
		}()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "every":
				return h.every(t.Context(), d.CmdArgs[0].Key, d.Input)
			case "prefixes":
				return h.prefixes(t.Context(), d.Input)
			}
			lines := strings.Split(d.Input, "\n")
			if d.Cmd == "script" {
				lines = []string{d.Input}
			}
			var b strings.Builder
			s := NewSession(h)
			var bindings *value.Map
			for _, line := range lines {
				if name, literal, ok := strings.Cut(line, "="); ok && strings.HasPrefix(name, "bind ") {
					bindings = bind(t, name[5:], literal)
					continue
				}
				if d.Cmd == "eval" {
					s = NewSession(h)
				}
				if d.Cmd != "script" {
					b.WriteString("> " + line + "\n")
				}
				b.WriteString(h.Evaluate(t.Context(), s, line, bindings) + "\n")
				h.note(line)
				bindings = nil
			}
			return b.String()
		})
	})
}

// NewSession returns a session whose closures the host can call.
func NewSession(h *Host) *script.Session {
	s := script.NewSession(h, machine.Options{Account: account.New(nil, "made", account.Unlimited), Kept: account.New(nil, "kept", account.Unlimited)})
	h.closures = script.NewClosures(s)
	return s
}

func bind(t *testing.T, name, literal string) *value.Map {
	t.Helper()
	if strings.Trim(literal, "abcdefghijklmnopqrstuvwxyz") == "" {
		literal = "'" + literal + "'"
	}
	q, err := lang.Parse("g.inject("+literal+")", lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := value.NewMap()
	m.PutString(name, q.Last().Bytecode.Steps[0].Args[0])
	return m
}

// Evaluate runs a text in a session and shows what the server would send.
func (h *Host) Evaluate(ctx context.Context, s *script.Session, text string, bindings *value.Map) string {
	before := s.Options.Account.Used()
	defer func() {
		h.made, h.kept = h.made+s.Options.Account.Used()-before, h.kept+s.Options.Kept.Used()
	}()
	r, err := s.Eval(ctx, text, bindings)
	if err == nil {
		var lines []string
		if lines, err = h.results(ctx, r); err == nil {
			return strings.Join(lines, "\n")
		}
	}
	class := ""
	if e, ok := err.(interface{ JavaClass() string }); ok {
		class = e.JavaClass()
	}
	return "ERROR " + class + ": " + err.Error()
}

// note writes what was charged since the last one, and what is kept.
func (h *Host) note(text string) {
	if h.made != 0 || h.kept != 0 {
		fmt.Fprintf(&h.charged, "%d %d %.60s\n", h.made, h.kept, strings.ReplaceAll(text, "\n", "; "))
	}
	h.made, h.kept = 0, 0
}

func (h *Host) results(ctx context.Context, r script.Result) ([]string, error) {
	it, err := r.Results(ctx, h)
	if err != nil {
		return nil, err
	}
	defer it.Close()
	var lines []string
	for {
		b, err := it.Next(nil, 64)
		for _, x := range b {
			for range x.Bulk {
				lines = append(lines, h.show(x.Value))
			}
		}
		if err != nil {
			return nil, err
		}
		if len(b) == 0 {
			break
		}
	}
	if lines == nil {
		lines = []string{"(no results)"}
	}
	return lines, nil
}

// show prints a value with its type.
func (h *Host) show(v value.Value) string {
	switch k := v.Kind(); {
	case k == value.KindForeign:
		return fmt.Sprintf("(not serializable: %s %s)", value.JavaClass(v), v.JavaString())
	case k == value.KindList:
		return "List" + h.all(v.Elems())
	case k == value.KindSet:
		return "Set" + h.all(v.Set().Elems())
	case k == value.KindMap:
		var parts []string
		for i := range v.Map().Len() {
			k, e := v.Map().Entry(i)
			parts = append(parts, h.show(k)+": "+h.show(e))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case k == value.KindString:
		return fmt.Sprintf("%q", v.Str())
	case k == value.KindBool || k == value.KindNull:
		return v.JavaString()
	case k.IsElement() || k == value.KindPath || k == value.KindProperty:
		return v.JavaStringWith(h.tx)
	case k.IsEnum():
		return lang.PrintValue(v)
	}
	return v.JavaString() + ":" + v.Kind().String()
}

func (h *Host) all(vs []value.Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = h.show(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
