package auth

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/gremlind/gremlind/storage/pebble"
)

func users(t *testing.T) *Users {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{InMemory: true})
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

func TestUsers(t *testing.T) {
	ctx := context.Background()
	u := users(t)
	for _, err := range []error{u.Add(ctx, "stephen", "pass:word", Write), u.Add(ctx, "reader", "x", Read)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := u.Add(ctx, "stephen", "y", Write); !errors.Is(err, ErrUserExists) {
		t.Errorf("adding twice: %v", err)
	}
	for _, name := range []string{"", "a:b", "a\x00b", strings.Repeat("x", 256)} {
		if err := u.Add(ctx, name, "y", Write); err == nil {
			t.Errorf("%q was added", name)
		}
	}
	if err := u.Add(ctx, "new", "", Write); err == nil {
		t.Error("an empty password was accepted")
	}
	if err := u.Add(ctx, "new", "x", "god"); err == nil {
		t.Error("an unknown role was accepted")
	}
	list, err := u.List()
	if err != nil || len(list) != 2 || list[0].Name != "reader" || list[0].Hash != "" || list[1].Role != Write {
		t.Errorf("list: %+v %v", list, err)
	}
	g := guard(t, u, nil)
	check := func(name, password string, want bool) {
		t.Helper()
		if _, ok := g.Authenticate("1.2.3.4", name, password); ok != want {
			t.Errorf("%s with %q: %v", name, password, ok)
		}
	}
	check("stephen", "pass:word", true)
	check("stephen", "pass:word", true) // remembered
	check("stephen", "x", false)
	check("nobody", "nobody has this password", false)
	if err := u.SetPassword(ctx, "stephen", "new"); err != nil {
		t.Fatal(err)
	}
	check("stephen", "pass:word", false)
	check("stephen", "new", true)
	if readOnly, _ := g.Authenticate("", "reader", "x"); !readOnly {
		t.Error("the reader may write")
	}
	if err := u.Remove(ctx, "stephen"); err != nil {
		t.Fatal(err)
	}
	check("stephen", "new", false)
	if err := u.Remove(ctx, "stephen"); !errors.Is(err, ErrNoUser) {
		t.Errorf("removing twice: %v", err)
	}
	if err := u.SetPassword(ctx, "stephen", "x"); !errors.Is(err, ErrNoUser) {
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

func TestGuessingIsClosed(t *testing.T) {
	u := users(t)
	if err := u.Add(context.Background(), "stephen", "right", Write); err != nil {
		t.Fatal(err)
	}
	g := guard(t, u, nil)
	now := time.Unix(0, 0)
	g.now = func() time.Time { return now }
	for range failuresMax {
		g.Authenticate("evil", "stephen", "wrong")
	}
	if _, ok := g.Authenticate("evil", "stephen", "right"); ok {
		t.Error("still open after too many failures")
	}
	if _, ok := g.Authenticate("home", "stephen", "right"); !ok {
		t.Error("closed for another address")
	}
	now = now.Add(2 * failureWindow)
	if _, ok := g.Authenticate("evil", "stephen", "right"); !ok {
		t.Error("closed for ever")
	}
}

func TestFixedUsers(t *testing.T) {
	h, err := Hash("password")
	if err != nil {
		t.Fatal(err)
	}
	g := guard(t, users(t), map[string]User{"stephen": {Name: "stephen", Hash: h, Role: Write}})
	if readOnly, ok := g.Authenticate("", "stephen", "password"); readOnly || !ok {
		t.Error("the configured user is refused")
	}
}

func TestHandler(t *testing.T) {
	h := users(t).Handler()
	do := func(method, body string, want int) string {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/users", strings.NewReader(body)))
		if w.Code != want {
			t.Errorf("%s %s: %d %s", method, body, w.Code, w.Body)
		}
		return w.Body.String()
	}
	do(http.MethodPost, `{"name":"a","password":"x","role":"read"}`, 200)
	do(http.MethodPost, `{"name":"a","password":"x","role":"read"}`, 400)
	do(http.MethodPut, `{"name":"a","password":"y"}`, 200)
	do(http.MethodPut, `{"name":"b","password":"y"}`, 404)
	if s := do(http.MethodGet, "", 200); !strings.Contains(s, `"a"`) || strings.Contains(s, "argon") {
		t.Errorf("list: %s", s)
	}
	do(http.MethodDelete, `{"name":"a"}`, 200)
	do(http.MethodDelete, `{`, 400)
	do("PATCH", `{}`, 400)
}
