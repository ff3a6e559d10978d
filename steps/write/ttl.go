package write

import (
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// with("ttl", ...) says how long what a step writes is there: directly behind property() the
// property, otherwise the element.
//
//	addV("session").with("ttl", "PT30M")
//	addV("user").property("code", 77).with("ttl", "PT5M")   the code alone
//	property("code", 77).with("ttl", "PT5M")

// joinedMod stands behind the properties of a map of several: what is said behind them is said
// of none of them.
const joinedMod = "~joined"

// ttls are how long what a step writes is there, 0 for good.
type ttls struct {
	element time.Duration
	props   []time.Duration // by place among the folded properties; nil for none
}

// ttlsOf reads what the modulators of a step say.
func ttlsOf(n *traversal.Node) (t ttls, err error) {
	const element = -1
	props, about, joined := 0, element, false
	for _, m := range n.Mods {
		switch {
		case m.Name == PropertyMod && m.Args[0].Value.Kind() == value.KindT:
			about, joined = element, false
		case m.Name == PropertyMod:
			about, joined = props, false
			props++
		case m.Name == joinedMod:
			joined = true
		case m.Name != "with":
			about, joined = element, false
		case len(m.Args) > 0 && m.Args[0].Value.Kind() == value.KindString && m.Args[0].Value.Str() == "ttl":
			d, err := ttlArgument(m.Args, joined)
			if err != nil {
				return t, err
			}
			if about == element {
				t.element = d
				continue
			}
			for len(t.props) <= about {
				t.props = append(t.props, 0)
			}
			t.props[about] = d
		}
	}
	return t, nil
}

func ttlArgument(args []traversal.Arg, joined bool) (time.Duration, error) {
	switch {
	case joined:
		return 0, step.IllegalArgument("ttl stands behind property(map) of several entries: say of each property by itself how long it is there")
	case len(args) < 2:
		return 0, step.IllegalArgument("with('ttl') takes a duration: with('ttl', 'PT30M')")
	case args[1].Child != nil:
		return 0, step.IllegalArgument("with('ttl', ...) takes a duration, and no traversal")
	}
	return blueprints.ParseTTL(args[1].Value)
}

// ofProperty is how long a folded property is there.
func (t *ttls) ofProperty(i int) time.Duration {
	if i >= len(t.props) {
		return 0
	}
	return t.props[i]
}

// expire has an element end when its time is over.
func (t *ttls) expire(m blueprints.Mutator, c blueprints.ElementClass, id uint64) error {
	if t.element == 0 {
		return nil
	}
	return m.Expire(c, id, time.Now().Add(t.element))
}

// expireVertexProperty has a property end.
func expireVertexProperty(m blueprints.Mutator, v blueprints.VertexID, p blueprints.PropertyEntry, ttl time.Duration) error {
	if ttl == 0 || p.Ordinal == 0 { // a null that was not kept
		return nil
	}
	return m.ExpireVertexProperty(v, p, time.Now().Add(ttl))
}

// expireEdgeProperty has a property end.
func expireEdgeProperty(m blueprints.Mutator, e blueprints.EdgeID, key string, ttl time.Duration) error {
	if ttl == 0 {
		return nil
	}
	return m.ExpireEdgeProperty(e, key, time.Now().Add(ttl))
}
