package traversal

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// TestDistance: it is that of the shortest way to make one word of the other, found by trying
// all, for words of so many letters.
func TestDistance(t *testing.T) {
	var least func(a, b string) int
	least = func(a, b string) int {
		if a == "" || b == "" {
			return len(a) + len(b)
		}
		n := min(least(a[1:], b), least(a, b[1:])) + 1
		change := 1
		if a[0] == b[0] {
			change = 0
		}
		n = min(n, least(a[1:], b[1:])+change)
		if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
			n = min(n, least(a[2:], b[2:])+1)
		}
		return n
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abc]{0,6}`)
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := distance(a, b), min(least(a, b), 3); got != want {
			t.Fatalf("from %q to %q are %d letters, want %d", a, b, got, want)
		}
	})
}

// TestTableSize: a table of Java is at most three quarters full, and was grown when it had to be.
func TestTableSize(t *testing.T) {
	for n := range 5000 {
		size := int(tableSize(n))
		if size&(size-1) != 0 || 4*n > 3*size || size > 16 && 4*n <= 3*size/2 {
			t.Fatalf("%d entries in a table of %d", n, size)
		}
	}
}

// refusing is a Worker that has had enough.
type refusing struct{ error }

func (r refusing) Work(int) error { return r.error }

// TestRegex_Refused: who pays for the work may refuse it, and a text that is too long is refused.
func TestRegex_Refused(t *testing.T) {
	enough := errors.New("enough")
	if x, err := NewRegex(refusing{enough}, "a+"); !errors.Is(err, enough) || x != nil {
		t.Errorf("%v, %v", x, err)
	}
	x, err := NewRegex(nil, "a+b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = x.Finds(strings.Repeat("c", RegexSearch)); err == nil || !strings.Contains(err.Error(), "of 4 characters") {
		t.Errorf("a long text: %v", err)
	}
	x.w = refusing{enough}
	if _, err := x.Finds("b"); !errors.Is(err, enough) {
		t.Error(err)
	}
}

// TestBytecode_Beginning: the beginning of a text is that of the whole one.
func TestBytecode_Beginning(t *testing.T) {
	b := &Bytecode{
		Source: []Instruction{{Name: "withSack", Args: []value.Value{value.Int(1)}}, {Name: "withPath"}},
		Steps:  []Instruction{{Name: "V"}, {Name: "out", Args: []value.Value{value.String("knows"), value.String("created")}}, {Name: "count"}},
	}
	v := value.Object(value.KindBytecode, b)
	whole := v.JavaString()
	if want := "[[withSack(1), withPath()], [V(), out(knows, created), count()]]"; whole != want {
		t.Fatalf("%s, want %s", whole, want)
	}
	for n := 4; n < len(whole); n++ {
		if got := strings.TrimSuffix(v.Beginning(nil, n), "..."); len(got) < min(n, len(whole))-3 || !strings.HasPrefix(whole, got) {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
}

// TestRightsOn_Steps: one role that bounds no steps frees them all, but for those that any role
// denies.
func TestRightsOn_Steps(t *testing.T) {
	role := func(steps ...string) Role { return Role{Allow: "read", Steps: steps} }
	for name, x := range map[string]struct {
		roles []Role
		yes   string
		no    string
	}{
		"all":                       {[]Role{role()}, "out in drop", ""},
		"some":                      {[]Role{role("out", "in")}, "out in", "drop"},
		"some of two":               {[]Role{role("out"), role("in")}, "out in", "drop"},
		"all but one":               {[]Role{role("!drop")}, "out in", "drop"},
		"some, and all":             {[]Role{role("out"), role()}, "out in drop", ""},
		"all, and some":             {[]Role{role(), role("out")}, "out in drop", ""},
		"some, and all but another": {[]Role{role("out"), role("!drop")}, "out in", "drop"},
		"some, of which one is not": {[]Role{role("out", "in", "!in")}, "out", "in drop"},
	} {
		r := rightsOn(x.roles, "", "g")
		permits := func(step string) bool { return r.steps == nil || r.steps.permits(step, false) }
		for _, s := range strings.Fields(x.yes) {
			if !permits(s) {
				t.Errorf("%s: %s is denied", name, s)
			}
		}
		for _, s := range strings.Fields(x.no) {
			if permits(s) {
				t.Errorf("%s: %s is allowed", name, s)
			}
		}
	}
}

// TestRun_Opening charges running steps in lots.
func TestRun_Opening(t *testing.T) {
	a := account.New(nil, "queryMemory", account.Unlimited)
	r := &Run{Env: Env{Ctx: t.Context(), Account: a}}
	for n := 1; n <= 2*openedAtOnce; n++ {
		if err := r.opening(1); err != nil {
			t.Fatal(err)
		}
		if want := int64(n/256) * 256 * openedBytes; a.Used() != want {
			t.Fatalf("%d bytes are charged for %d steps, want %d", a.Used(), n, want)
		}
	}
}

// TestGuardedView_Copies: a copy of a vertex, as it is at the end of a copied edge, shows when it
// satisfies the criterion.
func TestGuardedView_Copies(t *testing.T) {
	asked := 0
	g := &guardedView{vertex: func(t *Traverser) (bool, error) { asked++; return t.Value.Detached().Label == "person", nil }}
	for label, want := range map[string]bool{"person": true, "software": false} {
		if got, err := g.shows(value.DetachedVertex(&value.Element{Label: label})); got != want || err != nil {
			t.Errorf("%s: %v, %v", label, got, err)
		}
	}
	if got, err := (&guardedView{}).shows(value.DetachedVertex(&value.Element{})); !got || err != nil || asked != 2 {
		t.Errorf("without a criterion: %v, %v, asked %d times", got, err, asked)
	}
}
