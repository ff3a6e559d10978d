package auth

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/auth/token"
	"github.com/gremlind/gremlind/traversal"
)

const tokenSecret = "a secret that only two of us know"

// mint makes a token for name that ends in a while; more are further claims.
func mint(t testing.TB, secret, name string, lasts time.Duration, more map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(secret)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(jwt.Claims{Subject: name, Audience: jwt.Audience{"graphs"},
		Expiry: jwt.NewNumericDate(time.Now().Add(lasts))}).Claims(more).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// tokenGuard takes tokens that are signed with the secret of the file.
func tokenGuard(t *testing.T, u *Users) (g *Guard, v *token.Verifier, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(tokenSecret), 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := token.New(token.Options{SecretFile: file, Audience: []string{"graphs"}, NameClaim: "sub", RolesClaim: "roles", GraphsClaim: "graphs"})
	if err != nil {
		t.Fatal(err)
	}
	g = guard(t, u, nil)
	g.UseTokens(v)
	return g, v, file
}

type more = map[string]any

func TestTokens(t *testing.T) {
	ctx := context.Background()
	u := users(t)
	err := errors.Join(u.AddRole(ctx, traversal.Role{Name: "analyst", Graphs: []string{"acme/*"}, Allow: traversal.ReadRight,
		Denied: blueprints.Denied{Keys: []string{"ssn"}}}),
		u.Add(ctx, User{Name: "bob", Roles: RoleNames{"write"}, Graphs: []string{"acme/shop", "x"}}, "a password"))
	if err != nil {
		t.Fatal(err)
	}
	g, _, _ := tokenGuard(t, u)
	for what, c := range map[string]struct {
		name, text string
		read       []string // of acme/shop, acme/hr, x
		want       string
	}{
		"roles":                  {"", mint(t, tokenSecret, "ann", time.Minute, more{"roles": "analyst nobody"}), []string{"acme/shop", "acme/hr"}, ""},
		"roles and graphs":       {"ann", mint(t, tokenSecret, "ann", time.Minute, more{"roles": []string{"write"}, "graphs": "x"}), []string{"x"}, ""},
		"for who wants a name":   {TokenUser, mint(t, tokenSecret, "ann", time.Minute, more{"roles": "read"}), []string{"acme/shop", "acme/hr", "x"}, ""},
		"roles of bob":           {"bob", mint(t, tokenSecret, "bob", time.Minute, nil), []string{"acme/shop", "x"}, ""},
		"fewer graphs of bob":    {"", mint(t, tokenSecret, "bob", time.Minute, more{"graphs": "acme/*"}), []string{"acme/shop"}, ""},
		"none of bob's graphs":   {"", mint(t, tokenSecret, "bob", time.Minute, more{"graphs": "y"}), nil, "reaches none"},
		"bob, with other rights": {"", mint(t, tokenSecret, "bob", time.Minute, more{"roles": "read"}), []string{"acme/shop", "acme/hr", "x"}, ""},
		"unknown roles":          {"", mint(t, tokenSecret, "ann", time.Minute, more{"roles": "owner"}), nil, "none of its roles"},
		"nobody without roles":   {"", mint(t, tokenSecret, "carl", time.Minute, nil), nil, "no such user"},
		"another's name":         {"bob", mint(t, tokenSecret, "ann", time.Minute, more{"roles": "read"}), nil, `that of "ann"`},
		"a name that is none":    {"", mint(t, tokenSecret, "a:b", time.Minute, more{"roles": "read"}), nil, "user name"},
		"another secret":         {"", mint(t, strings.Repeat("x", 40), "ann", time.Minute, more{"roles": "read"}), nil, "signature"},
		"a password, no name":    {"", "a password", nil, "none that is signed"},
	} {
		id, err := g.Authenticate(ctx, what, c.name, c.text)
		if c.want != "" {
			if id != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %+v %v", what, id, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		var read []string
		for _, graph := range []string{"acme/shop", "acme/hr", "x"} {
			if id.MayRead(graph) {
				read = append(read, graph)
			}
		}
		if !slices.Equal(read, c.read) || id.Ended() || id.Administers() {
			t.Errorf("%s: reads %v, %+v", what, read, id)
		}
	}
	if login(g, "", "bob", "a password") == nil {
		t.Error("a password counts no more")
	}
	if id := login(g, "", "", mint(t, tokenSecret, "ann", time.Minute, more{"roles": "analyst"})); id.On("acme/shop").Denied() == nil {
		t.Error("what the role denies is there")
	}
	plain := guard(t, u, nil)
	if id, err := plain.Authenticate(ctx, "", "", mint(t, tokenSecret, "bob", time.Minute, nil)); id != nil || !errors.Is(err, errWrong) || plain.Tokens() {
		t.Errorf("without keys: %v %v", id, err)
	}
}

func TestTokens_Renew(t *testing.T) {
	ctx := context.Background()
	u := users(t)
	err := errors.Join(u.AddRole(ctx, traversal.Role{Name: "shop", Allow: traversal.ReadRight}),
		u.Add(ctx, User{Name: "bob", Roles: RoleNames{"read"}}, "a password"))
	if err != nil {
		t.Fatal(err)
	}
	g, v, file := tokenGuard(t, u)
	renew := func(id *traversal.Identity) *traversal.Identity {
		t.Helper()
		now, err := g.Renew(id)
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	ann, bob := login(g, "", "", mint(t, tokenSecret, "ann", time.Minute, more{"roles": "shop"})), login(g, "", "", mint(t, tokenSecret, "bob", time.Minute, nil))
	if renew(ann) != ann || renew(bob) != bob {
		t.Error("changed though nothing did")
	}
	if err := errors.Join(u.SetRole(ctx, traversal.Role{Name: "shop", Allow: traversal.WriteRight}), u.SetRights(ctx, "bob", RoleNames{"write"}, nil)); err != nil {
		t.Fatal(err)
	}
	if !renew(ann).MayWrite("x") || !renew(bob).MayWrite("x") {
		t.Error("the new rights are not there")
	}
	if err := errors.Join(u.Remove(ctx, "bob"), u.RemoveRole(ctx, "shop")); err != nil {
		t.Fatal(err)
	}
	if renew(ann) != nil || renew(bob) != nil {
		t.Error("the role, or the user, is gone, the login stays")
	}
	brief := mint(t, tokenSecret, "carl", time.Minute, more{"roles": "read"})
	carl, err := g.Authenticate(ctx, "", "", brief)
	if err != nil {
		t.Fatal(err)
	}
	short := *carl.Token
	short.Until = time.Now()
	ended := &traversal.Identity{Name: "carl", Token: &short}
	if !ended.Ended() || renew(ended) != nil || renew(carl) == nil {
		t.Error("the end of a token")
	}
	n := g.Changes()
	if err := errors.Join(os.WriteFile(file, []byte(strings.Repeat("another", 6)), 0o600), v.Reread()); err != nil {
		t.Fatal(err)
	}
	if g.Changes() == n || renew(carl) != nil {
		t.Error("the key is gone, the login stays")
	}
	if id, err := g.Authenticate(ctx, "", "", brief); id != nil || err == nil {
		t.Error("a token that was remembered outlives its key")
	}
}

// TestTokens_Throttled: bad tokens are failures as bad passwords are; one that was right is
// not looked at again.
func TestTokens_Throttled(t *testing.T) {
	g, _, _ := tokenGuard(t, users(t))
	good := mint(t, tokenSecret, "ann", time.Minute, more{"roles": "read"})
	if login(g, "home", "", good) == nil {
		t.Fatal("refused")
	}
	bad := mint(t, strings.Repeat("x", 40), "ann", time.Minute, more{"roles": "read"})
	for range failuresMax {
		if _, err := g.Authenticate(context.Background(), "home", "", bad); errors.Is(err, errThrottled) {
			t.Fatal("refused without a look, too early")
		}
	}
	if _, err := g.Authenticate(context.Background(), "home", "", bad); !errors.Is(err, errThrottled) {
		t.Errorf("after %d failures: %v", failuresMax, err)
	}
	other := mint(t, tokenSecret, "ann", 2*time.Minute, more{"roles": "read"})
	if _, err := g.Authenticate(context.Background(), "home", "", other); !errors.Is(err, errThrottled) {
		t.Errorf("another token of a name that is closed: %v", err)
	}
	if login(g, "home", "", good) == nil || login(g, "elsewhere", "", other) == nil {
		t.Error("what was right, and what comes from elsewhere, is refused")
	}
}

func TestBoth(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "x", "x"}, {"x", "", "x"}, {"a/*", "a/b c", "a/b"}, {"a/b", "a/* a/b", "a/b"}, {"a/*", "a/b/* *", "a/b/* a/*"}, {"x", "y", "-"}, {"a*", "b*", "-"},
	} {
		got := both(strings.Fields(c.a), strings.Fields(c.b))
		if text := strings.Join(got, " "); text != strings.TrimPrefix(c.want, "-") || got == nil {
			t.Errorf("%q and %q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

// TestFixedUsers_Roles: users of the configuration have roles that were made, and these stay.
func TestFixedUsers_Roles(t *testing.T) {
	ctx := context.Background()
	u := users(t)
	h, err := Hash("a password")
	if err != nil {
		t.Fatal(err)
	}
	fixed := map[string]User{"ann": {Name: "ann", Hash: h, Roles: RoleNames{"analyst"}}}
	if _, err := NewGuard(u, fixed, nil); err == nil || !strings.Contains(err.Error(), `user ann of the configuration: no such role: "analyst"`) {
		t.Errorf("an unknown role: %v", err)
	}
	if err := u.AddRole(ctx, traversal.Role{Name: "analyst", Graphs: []string{"acme/*"}, Allow: traversal.ReadRight}); err != nil {
		t.Fatal(err)
	}
	g := guard(t, u, fixed)
	if id := login(g, "", "ann", "a password"); !id.MayRead("acme/shop") || id.MayRead("x") || id.MayWrite("acme/shop") {
		t.Errorf("got %+v", id)
	}
	if err := u.RemoveRole(ctx, "analyst"); err == nil || !strings.Contains(err.Error(), "ann of the configuration has it") {
		t.Errorf("a role that somebody of the configuration has: %v", err)
	}
}
