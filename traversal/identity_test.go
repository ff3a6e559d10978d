package traversal

import "testing"

func TestIdentityRights(t *testing.T) {
	for name, tc := range map[string]struct {
		id                 *Identity
		read, write, admin bool
	}{
		"nobody":        {nil, false, false, false},
		"no role":       {&Identity{Name: "a"}, false, false, false},
		"unknown role":  {&Identity{Roles: []Role{"other"}}, false, false, false},
		"reader":        {&Identity{Roles: []Role{ReadRole}}, true, false, false},
		"writer":        {&Identity{Roles: []Role{WriteRole}}, true, true, false},
		"admin":         {&Identity{Roles: []Role{AdminRole}}, true, true, true},
		"anyone":        {Anyone, true, true, true},
		"its graph":     {&Identity{Roles: []Role{WriteRole}, Graphs: []string{"other", "graph"}}, true, true, false},
		"another graph": {&Identity{Roles: []Role{AdminRole}, Graphs: []string{"other"}}, false, false, true},
	} {
		if tc.id.MayRead("graph") != tc.read || tc.id.MayWrite("graph") != tc.write || tc.id.Administers() != tc.admin {
			t.Errorf("%s: %v %v %v", name, tc.id.MayRead("graph"), tc.id.MayWrite("graph"), tc.id.Administers())
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
