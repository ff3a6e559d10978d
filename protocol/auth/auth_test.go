package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/traversal"
)

func users(t *testing.T) *Users {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return NewUsers(s)
}

func guard(t *testing.T, u *Users, fixed map[string]User) *Guard {
	t.Helper()
	g, err := NewGuard(u, fixed, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// login is who a name and a password let in, nil for nobody.
func login(g *Guard, address, name, password string) *traversal.Identity {
	id, err := g.Authenticate(context.Background(), address, name, password)
	if (id == nil) == (err == nil) {
		panic("neither let in nor refused")
	}
	return id
}

func TestUsers(t *testing.T) {
	ctx := context.Background()
	u := users(t)
	add := func(name, password string, role string) error {
		return u.Add(ctx, User{Name: name, Roles: RoleNames{role}}, password)
	}
	for _, err := range []error{add("stephen", "pass:word", "write"), add("reader", "a password", "read")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := add("stephen", "a password", "write"); !errors.Is(err, ErrUserExists) {
		t.Errorf("adding twice: %v", err)
	}
	for _, name := range []string{"", "a:b", "a\x00b", strings.Repeat("x", 256)} {
		if err := add(name, "a password", "write"); err == nil {
			t.Errorf("%q was added", name)
		}
	}
	for _, password := range []string{"", "x", "7 bytes", strings.Repeat("x", PasswordMax+1)} {
		if err := add("new", password, "write"); err == nil {
			t.Errorf("password %q was taken", password)
		}
		if err := u.SetPassword(ctx, "reader", password); err == nil {
			t.Errorf("password %q was set", password)
		}
	}
	for _, role := range []string{"", "god"} {
		if err := add("new", "a password", role); err == nil {
			t.Errorf("role %q was accepted", role)
		}
	}
	list, err := u.List()
	if err != nil || len(list) != 2 || list[0].Name != "reader" || list[0].Hash != "" || !slices.Equal(list[1].Roles, RoleNames{"write"}) {
		t.Errorf("list: %+v %v", list, err)
	}
	g := guard(t, u, nil)
	check := func(name, password string, want bool) {
		t.Helper()
		if id := login(g, "1.2.3.4", name, password); (id != nil) != want {
			t.Errorf("%s with %q: %v", name, password, id)
		}
	}
	check("stephen", "pass:word", true)
	check("stephen", "pass:word", true) // remembered
	check("stephen", "x", false)
	check("nobody", "nobody has this password", false)
	if err := u.SetPassword(ctx, "stephen", "new password"); err != nil {
		t.Fatal(err)
	}
	check("stephen", "pass:word", false)
	check("stephen", "new password", true)
	if id := login(g, "", "reader", "a password"); !id.MayRead("graph") || id.MayWrite("graph") {
		t.Error("the reader may write, or not read")
	}
	if err := u.Remove(ctx, "stephen"); err != nil {
		t.Fatal(err)
	}
	check("stephen", "new password", false)
	if err := u.Remove(ctx, "stephen"); !errors.Is(err, ErrNoUser) {
		t.Errorf("removing twice: %v", err)
	}
	if err := u.SetPassword(ctx, "stephen", "a password"); !errors.Is(err, ErrNoUser) {
		t.Errorf("password of nobody: %v", err)
	}
}

func TestHashes(t *testing.T) {
	b, err := bcrypt.GenerateFromPassword([]byte("password"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	if !Verify(string(b), "password") || Verify(string(b), "x") {
		t.Error("bcrypt")
	}
	long := strings.Repeat("x", 72)
	if b, err = bcrypt.GenerateFromPassword([]byte(long), bcrypt.MinCost); err != nil {
		t.Fatal(err)
	}
	if Verify(string(b), long+"y") {
		t.Error("bcrypt took a password by its first 72 bytes")
	}
	for _, h := range []string{"", "plain", "$argon2id$v=19$m=99999999,t=2,p=1$AAAA$AAAA", "$argon2id$v=19$m=1,t=1,p=0$AAAA$AAAA", "$argon2id$v=19$m=8,t=1,p=1$A$A"} {
		if CheckHash(h) == nil || Verify(h, "") {
			t.Errorf("hash %q was accepted", h)
		}
	}
	h, err := Hash("x")
	if err != nil || CheckHash(h) != nil {
		t.Errorf("own hash %q: %v", h, err)
	}
}

func TestFixedUsers(t *testing.T) {
	h, err := Hash("password")
	if err != nil {
		t.Fatal(err)
	}
	g := guard(t, users(t), map[string]User{"stephen": {Name: "stephen", Hash: h, Roles: RoleNames{"write"}}})
	if id := login(g, "", "stephen", "password"); !id.MayWrite("graph") {
		t.Error("the configured user is refused")
	}
}

// TestOldRecords reads what servers wrote when there were only roles, and passwords of
// any length.
func TestOldRecords(t *testing.T) {
	u := users(t)
	h, err := Hash("x")
	if err != nil {
		t.Fatal(err)
	}
	for name, role := range map[string]string{"reader": "read", "writer": "write"} {
		record := []byte(`{"name":"` + name + `","hash":"` + h + `","role":"` + role + `"}`)
		if err := u.update(context.Background(), func(tx storage.Tx) error { return tx.Set(key(name), record) }); err != nil {
			t.Fatal(err)
		}
	}
	g := guard(t, u, nil)
	reader, writer := login(g, "", "reader", "x"), login(g, "", "writer", "x")
	if !reader.MayRead("graph") || reader.MayWrite("graph") || !writer.MayWrite("graph") || writer.Administers() {
		t.Errorf("got %+v and %+v", reader, writer)
	}
}

func TestRenew(t *testing.T) {
	ctx := context.Background()
	u := users(t)
	if err := u.Add(ctx, User{Name: "a", Roles: RoleNames{"write"}}, "a password"); err != nil {
		t.Fatal(err)
	}
	g := guard(t, u, nil)
	id := login(g, "", "a", "a password")
	renewed := func(changed bool) *traversal.Identity {
		t.Helper()
		before := g.Changes()
		now, err := g.Renew(id)
		if err != nil || g.Changes() != before || (now != id) != changed {
			t.Fatalf("renewed: %+v %v", now, err)
		}
		return now
	}
	renewed(false)
	for _, err := range []error{u.SetRights(ctx, "a", RoleNames{"read"}, nil), u.SetRights(ctx, "a", nil, []string{"one"})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if g.Changes() < 3 {
		t.Errorf("%d changes were counted", g.Changes())
	}
	if now := renewed(true); now.MayWrite("one") || !now.MayRead("one") || now.MayRead("two") {
		t.Errorf("after a change of rights: %+v", now)
	}
	if err := u.SetRights(ctx, "a", RoleNames{"god"}, nil); err == nil {
		t.Error("an unknown role was set")
	}
	if err := u.SetPassword(ctx, "a", "another one"); err != nil {
		t.Fatal(err)
	}
	if renewed(true) != nil {
		t.Error("the password changed, the login stays")
	}
	id = login(g, "", "a", "another one")
	if err := u.Remove(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if renewed(true) != nil {
		t.Error("the user is gone, the login stays")
	}
}

func TestHandler(t *testing.T) {
	var said []string
	h := users(t).Handler(func(what, name string, err error) {
		said = append(said, fmt.Sprint(what, " ", name, " ", err == nil))
	})
	do := func(method, body string, want int) string {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/users", strings.NewReader(body)))
		if w.Code != want {
			t.Errorf("%s %s: %d %s", method, body, w.Code, w.Body)
		}
		return w.Body.String()
	}
	do(http.MethodPost, `{"name":"a","password":"a password","role":"read"}`, 200)
	do(http.MethodPost, `{"name":"a","password":"a password","role":"read"}`, 400)
	do(http.MethodPut, `{"name":"a","password":"a password"}`, 200)
	do(http.MethodPut, `{"name":"b","password":"a password"}`, 404)
	if s := do(http.MethodGet, "", 200); !strings.Contains(s, `"a"`) || strings.Contains(s, "argon") {
		t.Errorf("list: %s", s)
	}
	do(http.MethodPatch, `{"name":"a","role":"admin","graphs":["one"]}`, 200)
	if s := do(http.MethodGet, "", 200); !strings.Contains(s, `"role":"admin","graphs":["one"]`) {
		t.Errorf("list: %s", s)
	}
	do(http.MethodPatch, `{"name":"a","allGraphs":true}`, 200)
	if s := do(http.MethodGet, "", 200); strings.Contains(s, "one") {
		t.Errorf("list: %s", s)
	}
	do(http.MethodPatch, `{"name":"a","role":"god"}`, 400)
	do(http.MethodDelete, `{"name":"a"}`, 200)
	do(http.MethodDelete, `{`, 400)
	do("TRACE", `{}`, 400)
	want := []string{"added a true", "added a false", "password set a true", "password set b false", "rights set a true",
		"rights set a true", "rights set a false", "removed a true"}
	if !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
}
