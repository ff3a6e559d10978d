package traversal

import (
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
)

func TestIdentityRights(t *testing.T) {
	for name, tc := range map[string]struct {
		id                      *Identity
		read, write, admin, all bool
	}{
		"nobody":        {nil, false, false, false, false},
		"no role":       {&Identity{Name: "a"}, false, false, false, false},
		"unknown role":  {&Identity{Roles: []Role{{Name: "other", Allow: "other"}}}, false, false, false, false},
		"reader":        {&Identity{Roles: []Role{ReadRole}}, true, false, false, false},
		"writer":        {&Identity{Roles: []Role{WriteRole}}, true, true, false, false},
		"admin":         {&Identity{Roles: []Role{AdminRole}}, true, true, true, true},
		"anyone":        {Anyone, true, true, true, true},
		"its graph":     {&Identity{Roles: []Role{WriteRole}, Graphs: []string{"other", "graph"}}, true, true, false, false},
		"admin of one":  {&Identity{Roles: []Role{WriteRole, {Name: "keeper", Graphs: []string{"graph"}, Allow: AdminRight}}}, true, true, true, false},
		"another graph": {&Identity{Roles: []Role{AdminRole}, Graphs: []string{"other"}}, false, false, true, false},
	} {
		if tc.id.MayRead("graph") != tc.read || tc.id.MayWrite("graph") != tc.write || tc.id.Administers() != tc.admin || tc.id.AdministersAll() != tc.all {
			t.Errorf("%s: %v %v %v %v", name, tc.id.MayRead("graph"), tc.id.MayWrite("graph"), tc.id.Administers(), tc.id.AdministersAll())
		}
	}
}

func TestIdentitySuperseded(t *testing.T) {
	id := &Identity{Name: "a", Roles: []Role{WriteRole}}
	reader := &Identity{Name: "a", Roles: []Role{ReadRole}}
	id.Supersede(reader)
	if !id.MayRead("g") || id.MayWrite("g") {
		t.Error("the rights of before hold still")
	}
	reader.Supersede(nil)
	if id.MayRead("g") || reader.MayRead("g") {
		t.Error("a removed user may read")
	}
}

func TestIdentity_RolesTogether(t *testing.T) {
	analyst := Role{Name: "analyst", Graphs: []string{"acme/*"}, Allow: ReadRight, Steps: []string{"!call"},
		Denied: blueprints.Denied{Keys: []string{"ssn"}, EdgeLabels: []string{"paid"}}}
	keeper := Role{Name: "keeper", Graphs: []string{"acme/shop", "zeta"}, Allow: AdminRight, Denied: blueprints.Denied{Keys: []string{"pin"}}}
	narrow := Role{Name: "narrow", Graphs: []string{"past"}, Sources: []string{"gpast"}, Allow: ReadRight, Steps: []string{"V", "has"}}
	id := &Identity{Name: "a", Roles: []Role{analyst, keeper, narrow}, Graphs: []string{"acme/*", "past"}}
	for graph, want := range map[string]struct {
		right  Right
		denied string
	}{
		"acme/shop": {AdminRight, "[pin ssn]"}, // what any denies is denied
		"acme/x":    {ReadRight, "[ssn]"},
		"zeta":      {NoRight, ""}, // a role reaches it, and the user does not
		"other":     {NoRight, ""},
		"past":      {ReadRight, ""},
	} {
		denied := ""
		if d := id.On(graph).Denied(); d != nil {
			denied = fmt.Sprint(d.Keys)
		}
		for _, r := range AllRights {
			if may := id.May(r, graph); may != (want.right.rank() >= r.rank()) {
				t.Errorf("%s: %s is %v", graph, r, may)
			}
		}
		if denied != want.denied {
			t.Errorf("%s: denied %s, want %s", graph, denied, want.denied)
		}
	}
	if !id.Enters("g", "acme/x") || id.Enters("g", "past") || !id.Enters("gpast", "past") || id.Enters("gpast", "zeta") {
		t.Error("the sources of a role do not bind it")
	}
	for _, tc := range []struct {
		graph, step string
		modulator   bool
		want        bool
	}{
		{"acme/x", "call", false, false}, {"acme/x", "V", false, true}, {"acme/shop", "call", false, false},
		{"past", "V", false, true}, {"past", "out", false, false}, {"past", "by", true, true},
	} {
		if got := id.On(tc.graph).Permits(tc.step, tc.modulator); got != tc.want {
			t.Errorf("%s: step %s is %v", tc.graph, tc.step, got)
		}
	}
	if id.PermitsEverywhere("call", false) || id.PermitsEverywhere("out", false) || !id.PermitsEverywhere("V", false) || id.ReachesAll() {
		t.Error("what belongs to no graph is bound by every role")
	}
	if r := Anyone.On("one"); r != Anyone.On("another") || id.On("acme/x") == id.On("acme/y") {
		t.Error("rights that are the same in all graphs are found out for each, or others for all")
	}
	if !Anyone.PermitsEverywhere("call", false) || !Anyone.ReachesAll() || Anyone.On("x").Denied() != nil {
		t.Error("anyone is bound")
	}
}

// TestIdentity_Past: the past is read by who has one role in the graph that grants it.
func TestIdentity_Past(t *testing.T) {
	no := false
	present := Role{Name: "present", Graphs: []string{"acme/*"}, Allow: WriteRight, Past: &no}
	shop := Role{Name: "shop", Graphs: []string{"acme/shop"}, Allow: ReadRight}
	id := &Identity{Name: "a", Roles: []Role{present, shop}}
	for graph, want := range map[string]bool{"acme/shop": true, "acme/x": false, "other": false} {
		if id.MayReadPast(graph) != want {
			t.Errorf("%s: %v", graph, !want)
		}
	}
	if !Anyone.MayReadPast("x") || (*Identity)(nil).MayReadPast("x") || present.Equal(&Role{Name: "present", Graphs: present.Graphs, Allow: WriteRight}) {
		t.Error("anyone may not, nobody may, or the roles are the same")
	}
}

// TestIdentity_KeepsRights: who goes between graphs finds what was looked up for him, and who
// goes through many makes the server keep no more; after a change there is none of it.
func TestIdentity_KeepsRights(t *testing.T) {
	role := Role{Name: "r", Graphs: []string{"acme/*"}, Allow: ReadRight, Denied: blueprints.Denied{Keys: []string{"ssn"}}}
	id := &Identity{Name: "a", Roles: []Role{role}}
	one, two := id.On("acme/one"), id.On("acme/two")
	if id.On("acme/one") != one || id.On("acme/two") != two || one == two {
		t.Error("rights are found out anew, or those of another graph are given")
	}
	for i := range 10 * rightsKept {
		id.On(fmt.Sprint("acme/", i))
	}
	if n := len(*id.last.Load()); n != rightsKept {
		t.Errorf("rights in %d graphs are kept", n)
	}
	role.Denied = blueprints.Denied{}
	id.Supersede(&Identity{Name: "a", Roles: []Role{role}})
	if id.On("acme/one").Denied() != nil {
		t.Error("what was denied before is denied still")
	}
}
