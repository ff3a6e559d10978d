package schema

import (
	"bytes"
	"slices"

	"github.com/gremlind/gremlind/storage/value"
)

// Same reports whether two schemas have the same rules, whatever their versions.
func (s *Schema) Same(t *Schema) bool {
	a, b := *s, *t
	a.Version, b.Version = 0, 0
	one, err := a.Encode()
	if err != nil {
		return false
	}
	other, err := b.Encode()
	return err == nil && bytes.Equal(one, other)
}

// Tightened lists the labels whose elements may fit old and not s, and reports whether s is
// closed to labels that old was open to. What is not among them needs no look.
func (s *Schema) Tightened(old *Schema) (labels []*Label, closes bool) {
	for _, l := range s.Labels() {
		before := old.Of(l.Edge, l.Name)
		if before == nil {
			before = &Label{Edge: l.Edge, Name: l.Name, Multiplicity: Multi}
		}
		if !l.allows(before) {
			labels = append(labels, l)
		}
	}
	if !s.Closed {
		return labels, false
	}
	for _, l := range old.Labels() {
		closes = closes || s.Of(l.Edge, l.Name) == nil
	}
	return labels, closes || !old.Closed
}

// allows reports whether everything that old allows fits l as well.
func (l *Label) allows(old *Label) bool {
	if !old.ID.within(l.ID) || l.Closed && !old.Closed || !coversEnds(l.From, old.From) || !coversEnds(l.To, old.To) ||
		!l.Multiplicity.allows(old.Multiplicity) {
		return false
	}
	for name := range old.Keys {
		if l.Closed && l.Keys[name] == nil {
			return false
		}
	}
	for name, k := range l.Keys {
		before := old.Keys[name]
		if before == nil {
			before = &Key{}
			if old.Closed { // nothing has it
				before = k
			}
			if k.Required {
				return false
			}
		}
		if !k.allows(before) {
			return false
		}
	}
	return true
}

// coversEnds reports whether labels of ends that were allowed still are.
func coversEnds(now, before []string) bool {
	if len(now) == 0 {
		return true
	}
	for _, l := range before {
		if !slices.Contains(now, l) {
			return false
		}
	}
	return len(before) > 0
}

func (m Multiplicity) allows(old Multiplicity) bool {
	return m == Multi || m == old || old == OneToOne || m == Simple && old != Multi
}

func (k *Key) allows(old *Key) bool {
	return old.Type.within(k.Type) && (old.Required || !k.Required) && looser(k.Min, old.Min, 1) && looser(k.Max, old.Max, -1) &&
		(k.MaxLength == 0 || old.MaxLength > 0 && old.MaxLength <= k.MaxLength)
}

// looser reports whether a bound lets through what another did; sign is that of the
// comparison of a stricter one.
func looser(now, before value.Value, sign int) bool {
	if now.IsNull() {
		return true
	}
	if before.IsNull() {
		return false
	}
	c, ok := value.Compare(before, now)
	return ok && c*sign >= 0
}
