package traversal

import (
	"testing"

	"github.com/gremlind/gremlind/blueprints"
)

func TestIdentityMaySeeAs(t *testing.T) {
	blind := Role{Name: "blind", Allow: ReadRight, Denied: blueprints.Denied{Keys: []string{"ssn"}}}
	for name, tc := range map[string]struct {
		id   *Identity
		want bool
	}{
		"nobody":               {nil, false},
		"a writer":             {&Identity{Roles: []Role{WriteRole}}, false},
		"an administrator":     {&Identity{Roles: []Role{ReadRole, AdminRole}}, true},
		"anyone":               {Anyone, true},
		"of some graphs":       {&Identity{Roles: []Role{AdminRole}, Graphs: []string{"a"}}, false},
		"by a role of some":    {&Identity{Roles: []Role{{Allow: AdminRight, Graphs: []string{"a"}}}}, false},
		"by some sources":      {&Identity{Roles: []Role{{Allow: AdminRight, Sources: []string{"g"}}}}, false},
		"who is denied a key":  {&Identity{Roles: []Role{AdminRole, blind}}, false},
		"who is denied a step": {&Identity{Roles: []Role{AdminRole, {Allow: ReadRight, Steps: []string{"!call"}}}}, false},
	} {
		if got := tc.id.MaySeeAs(); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestIdentitySeeAs(t *testing.T) {
	root := &Identity{Name: "root", Proof: "p", Roles: []Role{AdminRole}, Limits: UserLimits{Requests: 3}}
	ann := &Identity{Name: "ann", Proof: "q", Roles: []Role{AdminRole, {Allow: WriteRight, Denied: blueprints.Denied{Keys: []string{"ssn"}}}},
		Graphs: []string{"shop"}, Limits: UserLimits{Requests: 1}}
	seen := root.SeeAs(ann)
	if !seen.MayRead("shop") || seen.MayRead("other") || seen.MayWrite("shop") || seen.Administers() || seen.AdministersAll() || seen.MaySeeAs() {
		t.Error("he has other rights than to read what ann reads")
	}
	if d := seen.On("shop").Denied(); d == nil || len(d.Keys) != 1 {
		t.Error("he sees what is denied to ann")
	}
	if !ann.MayWrite("shop") || ann.Roles[0].Allow != AdminRight {
		t.Error("ann has lost rights")
	}
	if seen.Owner() == ann.Owner() || seen.Owner() == root.Owner() || seen.User() != "ann (seen by root)" || seen.Asker() != root || seen.LimitsNow().Requests != 3 {
		t.Errorf("%q %q %v", seen.Owner(), seen.User(), seen.LimitsNow())
	}
	root.Supersede(&Identity{Name: "root", Roles: []Role{WriteRole}})
	if seen.MayRead("shop") || seen.Reaches("shop") {
		t.Error("he still sees when root may not any more")
	}
}

// TestRequest_Who: people see who asked, and as whom.
func TestRequest_Who(t *testing.T) {
	for want, r := range map[string]Request{"ann": {User: "ann"}, "root as ann": {User: "root", SeeAs: "ann"}, "": {}} {
		if got := r.Who(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
