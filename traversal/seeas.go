package traversal

import "slices"

// MaySeeAs reports whether the user may see what any other sees: he administers everything,
// and nothing is kept from him.
func (id *Identity) MaySeeAs() bool {
	if !id.AdministersAll() || !id.ReachesAll() {
		return false
	}
	return !slices.ContainsFunc(id.current().Roles, func(r Role) bool { return len(r.Steps) > 0 || !r.Denied.Empty() })
}

// SeeAs returns who sees what another does, and changes nothing. He is nobody as soon as id
// may not see as others any more. What he keeps and how much he may ask for is id's.
func (id *Identity) SeeAs(other *Identity) *Identity {
	seen := &Identity{Name: other.Name, Graphs: other.Graphs, Authorizations: other.Authorizations, by: id}
	if l := id.LimitsNow(); l != nil {
		seen.Limits = *l
	}
	for _, r := range other.Roles {
		if r.Allow.rank() > readRank {
			r.Allow = ReadRight
		}
		seen.Roles = append(seen.Roles, r)
	}
	return seen
}

// Asker is who sends the requests: id itself, unless somebody sees as id.
func (id *Identity) Asker() *Identity {
	if id != nil && id.by != nil {
		return id.by
	}
	return id
}
