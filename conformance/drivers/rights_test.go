//go:build drivers

package drivers

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/conformance/server"
)

// TestRights: names, logins, tokens and roles from the drivers of Python and JavaScript: what
// a role denies is not there, what it does not allow is refused with 401, and a graph that
// somebody does not reach is like one that does not exist.
func TestRights(t *testing.T) {
	need(t, "python3", "node", "npm")
	dir := t.TempDir()
	secret := strings.Repeat("known to two ", 4)
	file := filepath.Join(dir, "secret")
	if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := *binary
	if bin == "" {
		var err error
		if bin, err = server.Build(context.Background(), root); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	for _, args := range [][]string{
		{"role", "add", "analyst", "--graph", "modern", "--allow", "read", "--deny-keys", "age", "--deny-edge-labels", "created", "--steps", "!call"},
		{"role", "add", "shop", "--graph", "acme/*", "--allow", "admin"},
		{"user", "add", "ann", "--role", "analyst"},
		{"user", "add", "shop-app", "--role", "shop"},
	} {
		cmd := exec.Command(bin, append(args, "--data-dir", data)...)
		cmd.Stdin = strings.NewReader(server.Password + "\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	running, err := server.Start(context.Background(), server.Options{Root: root, Config: "conformance/tinkerpop.yaml", Binary: bin, DataDir: data, NoFiles: true,
		Args: []string{"--auth", "--set", "jwt.secretFile=" + file, "--set", "jwt.audience=graphs"}})
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{t: t, running: running}
	t.Cleanup(func() {
		if err := running.Stop(); err != nil {
			t.Error(err)
		}
	})
	args := []string{running.URL, server.Password, token(t, secret, time.Hour), token(t, secret, -time.Hour), token(t, strings.Repeat("x", 40), time.Hour)}
	t.Run("Python", func(t *testing.T) {
		s.of(t).drive(nil, installPython(t, artifact.TinkerPop), append([]string{absolute(t, "testdata/rights.py")}, args...)...)
	})
	t.Run("JavaScript", func(t *testing.T) {
		s.of(t).drive([]string{"NODE_PATH=" + installNode(t, artifact.TinkerPop)}, "node", append([]string{absolute(t, "testdata/rights.js")}, args...)...)
	})
}

// token is one of eve, who has the role analyst by it.
func token(t *testing.T, secret string, lasts time.Duration) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(secret)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(jwt.Claims{Subject: "eve", Audience: jwt.Audience{"graphs"}, Expiry: jwt.NewNumericDate(time.Now().Add(lasts))}).
		Claims(map[string]any{"roles": []string{"analyst"}}).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}
