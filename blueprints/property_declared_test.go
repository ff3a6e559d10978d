package blueprints_test

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/conformance/indexhost"
	"github.com/gremlind/gremlind/storage/value"
)

// Declare makes, hides, shows or drops a declared index.
func (m *machine) Declare(t *rapid.T) {
	s := rapid.SampledFrom(indexhost.EveryKind).Draw(t, "index")
	var err error
	switch rapid.IntRange(0, 5).Draw(t, "change") {
	default:
		if _, err = m.g.DeclareIndex(ctx, ctx, s); s.Unique && err != nil && strings.Contains(err.Error(), "more than once") {
			return
		}
	case 0:
		err = m.g.DropIndex(ctx, s.Name)
	case 1:
		_, err = m.g.HideIndex(ctx, s.Name, true)
	case 2:
		_, err = m.g.HideIndex(ctx, s.Name, false)
	}
	if err != nil && !strings.Contains(err.Error(), "there is no complete index") {
		t.Fatal(s.Name, err)
	}
}

// SetUnique sets a value that another vertex may have: an index that forbids it leaves all as
// it was.
func (m *machine) SetUnique(t *rapid.T) {
	v := m.vertex(t)
	val := value.Int(int32(rapid.IntRange(0, 4).Draw(t, "value")))
	_, err := m.tx.SetVertexProperty(v, "single", "u", val, value.Null, nil)
	if err == nil {
		m.now.props[v]["u"] = []string{val.GoString()}
		return
	}
	if !strings.Contains(err.Error(), "another vertex") {
		t.Fatal(err)
	}
	for w, props := range m.now.props {
		if w != v && len(props["u"]) > 0 && props["u"][0] == val.GoString() {
			return
		}
	}
	t.Fatalf("no vertex has %v: %v", val, err)
}

// Move sets a point.
func (m *machine) Move(t *rapid.T) {
	v := m.vertex(t)
	at := value.List([]value.Value{value.Int(int32(rapid.IntRange(-90, 90).Draw(t, "lat"))), value.Double(-180)})
	card := rapid.SampledFrom([]string{"single", "list"}).Draw(t, "cardinality")
	_, err := m.tx.SetVertexProperty(v, card, "at", at, value.Null, nil)
	noError(t, err)
	if card == "single" {
		m.now.props[v]["at"] = nil
	}
	m.now.props[v]["at"] = append(m.now.props[v]["at"], at.GoString())
}
