package auth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/traversal"
)

func TestRoles(t *testing.T) {
	ctx := context.Background()
	u := users(t)
	analyst := traversal.Role{Name: "analyst", Graphs: []string{"acme/*"}, Allow: traversal.ReadRight,
		Denied: blueprints.Denied{Keys: []string{"ssn"}}, Steps: []string{"!call"}}
	for name, err := range map[string]error{
		"read, write and admin": u.Add(ctx, User{Name: "ann", Roles: RoleNames{"analyst"}}, "a password"), // not there yet
		"role already exists":   u.AddRole(ctx, traversal.Role{Name: "write", Allow: traversal.ReadRight}),
		"want 1 to 255 bytes":   u.AddRole(ctx, traversal.Role{Allow: traversal.ReadRight}),
		`allows "god"`:          u.AddRole(ctx, traversal.Role{Name: "x", Allow: "god"}),
		"deny nothing":          u.AddRole(ctx, traversal.Role{Name: "x", Allow: traversal.AdminRight, Denied: blueprints.Denied{Keys: []string{"k"}}}),
		"did you mean call":     u.AddRole(ctx, traversal.Role{Name: "x", Allow: traversal.ReadRight, Steps: []string{"!cal"}}),
		"have names":            u.AddRole(ctx, traversal.Role{Name: "x", Allow: traversal.ReadRight, Graphs: []string{""}}),
		"no such role":          u.SetRole(ctx, analyst),
		"is always there":       u.RemoveRole(ctx, "read"),
		"a user has a role":     u.Add(ctx, User{Name: "ann"}, "a password"),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := u.AddRole(ctx, analyst); err != nil {
		t.Fatal(err)
	}
	if err := u.Add(ctx, User{Name: "ann", Roles: RoleNames{"analyst", "read"}, Graphs: []string{"acme/shop", "social"}}, "a password"); err != nil {
		t.Fatal(err)
	}
	g := guard(t, u, nil)
	id := login(g, "", "ann", "a password")
	if !id.MayRead("acme/shop") || !id.MayRead("social") || id.MayRead("acme/x") || id.MayWrite("acme/shop") ||
		id.On("acme/shop").Denied() == nil || id.On("social").Denied() != nil || id.On("social").LimitsSteps() {
		t.Errorf("got %+v", id)
	}
	analyst.Allow = traversal.WriteRight
	if err := u.SetRole(ctx, analyst); err != nil {
		t.Fatal(err)
	}
	now, err := g.Renew(id)
	if err != nil || now == id || !now.MayWrite("acme/shop") || now.MayWrite("social") {
		t.Errorf("a role changed: %+v %v", now, err)
	}
	if err := u.RemoveRole(ctx, "analyst"); err == nil || !strings.Contains(err.Error(), "ann has it") {
		t.Errorf("a role that somebody has: %v", err)
	}
	if err := errors.Join(u.Remove(ctx, "ann"), u.RemoveRole(ctx, "analyst")); err != nil {
		t.Error(err)
	}
	if list, err := u.ListRoles(); err != nil || len(list) != len(traversal.BuiltinRoles) {
		t.Errorf("left: %+v %v", list, err)
	}
}

// TestRoles_Unreadable: a role that this version does not understand lets nobody in.
func TestRoles_Unreadable(t *testing.T) {
	ctx := context.Background()
	u := users(t)
	put := func(record string) error {
		return u.update(ctx, func(tx storage.Tx) error { return tx.Set(roleKey("new"), []byte(record)) })
	}
	err := errors.Join(put(`{"name":"new","allow":"read"}`), u.Add(ctx, User{Name: "ann", Roles: RoleNames{"new"}}, "a password"))
	if err != nil {
		t.Fatal(err)
	}
	g := guard(t, u, nil)
	if login(g, "", "ann", "a password") == nil {
		t.Fatal("the user is refused")
	}
	if err := put(`{"name":"new","allow":"read","denyTomorrow":["x"]}`); err != nil {
		t.Fatal(err)
	}
	if id := login(g, "", "ann", "a password"); id != nil {
		t.Errorf("let in with %+v", id)
	}
}

func TestRolesHandler(t *testing.T) {
	h := users(t).RolesHandler(func(string, string, error) {})
	for _, tc := range []struct {
		method, body string
		status       int
		answer       string
	}{
		{http.MethodPost, `{"name":"a","allow":"read","denyKeys":["k"]}`, 200, ""},
		{http.MethodPost, `{"name":"a","allow":"read"}`, 400, "already exists"},
		{http.MethodPut, `{"name":"a","allow":"write","graphs":["x/*"]}`, 200, ""},
		{http.MethodGet, "", 200, `{"name":"a","graphs":["x/*"],"allow":"write"}`},
		{http.MethodPut, `{"name":"b","allow":"write"}`, 404, "no such role"},
		{http.MethodPost, `{"name":"c","allow":"read","denyKey":["k"]}`, 400, "denyKey"},
		{http.MethodDelete, `{"name":"a"}`, 200, ""},
		{http.MethodDelete, `{"name":"a"}`, 404, "no such role"},
		{"TRACE", `{}`, 400, "not allowed"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(tc.method, "/roles", strings.NewReader(tc.body)))
		if w.Code != tc.status || !strings.Contains(w.Body.String(), tc.answer) {
			t.Errorf("%s %s: %d %s", tc.method, tc.body, w.Code, w.Body)
		}
	}
}
