package token

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// keyring has a key of each kind.
type keyring struct {
	dir     string
	secret  []byte
	rsa     *rsa.PrivateKey
	ed      ed25519.PrivateKey
	pemFile string // the public keys
}

// anRSAKey is one for all tests: making it takes long.
var anRSAKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func newKeyring(t testing.TB) *keyring {
	t.Helper()
	k := &keyring{dir: t.TempDir(), secret: []byte(strings.Repeat("secret", 6))}
	var err error
	if k.rsa, err = anRSAKey(); err != nil {
		t.Fatal(err)
	}
	if _, k.ed, err = ed25519.GenerateKey(rand.Reader); err != nil {
		t.Fatal(err)
	}
	k.pemFile = k.write(t, "keys.pem", append(publicPEM(t, k.rsa.Public()), publicPEM(t, k.ed.Public())...))
	return k
}

func publicPEM(t testing.TB, public any) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

func (k *keyring) write(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(k.dir, name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (k *keyring) options(t testing.TB) Options {
	return Options{
		KeyFiles: []string{k.pemFile}, SecretFile: k.write(t, "secret", append(k.secret, '\n')), Issuer: "https://issuer.example",
		Audience: []string{"graphs", "other"}, Leeway: 10 * time.Second, NameClaim: "sub", RolesClaim: "roles", GraphsClaim: "realm.graphs",
	}
}

// claims are those of a good token, changed by pairs; nil takes a claim away.
func claims(changes ...any) map[string]any {
	now := time.Now()
	c := map[string]any{"sub": "ann", "iss": "https://issuer.example", "aud": "graphs", "exp": now.Add(time.Minute).Unix(), "iat": now.Unix(),
		"roles": []string{"read"}}
	for i := 0; i < len(changes); i += 2 {
		name := changes[i].(string)
		if c[name] = changes[i+1]; changes[i+1] == nil {
			delete(c, name)
		}
	}
	return c
}

func sign(t testing.TB, alg jose.SignatureAlgorithm, key any, claims any, headers ...string) string {
	t.Helper()
	o := (&jose.SignerOptions{}).WithType("JWT")
	for i := 0; i < len(headers); i += 2 {
		o = o.WithHeader(jose.HeaderKey(headers[i]), headers[i+1])
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func part(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

func TestVerifier(t *testing.T) {
	k := newKeyring(t)
	v, err := New(k.options(t))
	if err != nil {
		t.Fatal(err)
	}
	ed := func(changes ...any) string { return sign(t, jose.EdDSA, k.ed, claims(changes...)) }
	pemBytes, _ := os.ReadFile(k.pemFile)
	_, strange, _ := ed25519.GenerateKey(rand.Reader)
	body, _ := json.Marshal(claims())
	good := ed()
	parts := strings.Split(good, ".")
	many := []string{}
	for i := range namesMax + 1 {
		many = append(many, strconv.Itoa(i))
	}
	from := func(d time.Duration) int64 { return time.Now().Add(d).Unix() }
	for name, c := range map[string]struct{ text, want string }{
		"HS256":                  {sign(t, jose.HS256, k.secret, claims()), ""},
		"RS256":                  {sign(t, jose.RS256, k.rsa, claims()), ""},
		"EdDSA":                  {good, ""},
		"an id nobody asked for": {sign(t, jose.EdDSA, k.ed, claims(), "kid", "7"), ""},
		"several audiences":      {ed("aud", []string{"x", "other"}), ""},
		"ended, within leeway":   {ed("exp", from(-5*time.Second)), ""},
		"not yet, within leeway": {ed("nbf", from(5*time.Second)), ""},
		"roles as a text":        {ed("roles", "read, write"), ""},
		"no roles":               {ed("roles", nil), ""},

		"no signature":             {part(`{"alg":"none","typ":"JWT"}`) + "." + part(string(body)) + ".", "none that is signed"},
		"None in other letters":    {part(`{"alg":"nOnE"}`) + "." + part(string(body)) + ".", "none that is signed"},
		"no algorithm":             {part(`{}`) + "." + part(string(body)) + "." + parts[2], "none that is signed"},
		"a public key as secret":   {sign(t, jose.HS256, pemBytes, claims()), "signature is wrong"},
		"a modulus as secret":      {sign(t, jose.HS256, x509.MarshalPKCS1PublicKey(&k.rsa.PublicKey), claims()), "signature is wrong"},
		"HS512":                    {sign(t, jose.HS512, append(k.secret, k.secret...), claims()), "none that is signed"},
		"PS256":                    {sign(t, jose.PS256, k.rsa, claims()), "none that is signed"},
		"a stranger's key":         {sign(t, jose.EdDSA, strange, claims()), "signature is wrong"},
		"the algorithm of another": {part(`{"alg":"RS256"}`) + "." + parts[1] + "." + parts[2], "signature is wrong"},
		"another body":             {parts[0] + "." + part(strings.Replace(string(body), "ann", "bob", 1)) + "." + parts[2], "signature is wrong"},
		"no end":                   {ed("exp", nil), "no end"},
		"an end that is a text":    {ed("exp", "tomorrow"), "claims cannot be read"},
		"an end beyond time":       {ed("exp", 1e15), "no time"},
		"ended":                    {ed("exp", from(-time.Minute)), "has ended"},
		"not yet":                  {ed("nbf", from(time.Minute)), "not valid yet"},
		"made tomorrow":            {ed("iat", from(24*time.Hour)), "not valid yet"},
		"another issuer":           {ed("iss", "https://evil.example"), "another issuer"},
		"no issuer":                {ed("iss", nil), "another issuer"},
		"for others":               {ed("aud", "mail"), "for others"},
		"for nobody":               {ed("aud", nil), "for others"},
		"no name":                  {ed("sub", nil), "no name"},
		"a name that is a number":  {ed("sub", 7), "cannot be read"},
		"empty roles":              {ed("roles", []string{}), "claim roles is empty"},
		"roles that are null":      {ed("roles", json.RawMessage("null")), "claim roles is null"},
		"roles that are numbers":   {ed("roles", []int{1}), "something else than names"},
		"roles in an object":       {ed("roles", map[string]any{"read": true}), "neither a list nor a text"},
		"empty graphs":             {ed("realm", map[string]any{"graphs": ""}), "claim realm.graphs is empty"},
		"null graphs":              {ed("realm", map[string]any{"graphs": nil}), "claim realm.graphs is null"},
		"too many roles":           {ed("roles", many), "more than 256 names"},
		"too long":                 {ed("more", strings.Repeat("x", lengthMax)), "longer than"},
		"two parts":                {parts[0] + "." + parts[1], "none that is signed"},
		"nothing":                  {"", "none that is signed"},
		"JSON serialisation":       {`{"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`, "none that is signed"},
	} {
		who, says, err := v.Verify(c.text)
		switch {
		case c.want == "" && (err != nil || who != "ann" || says.Key == "" || says.Until.IsZero()):
			t.Errorf("%s: %q %+v %v", name, who, says, err)
		case c.want != "" && (err == nil || !errors.Is(err, ErrToken) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	// The library writes no such header.
	header := part(`{"alg":"EdDSA","crit":["x"],"x":1}`)
	critical := header + "." + parts[1] + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(k.ed, []byte(header+"."+parts[1])))
	if _, _, err := v.Verify(critical); err == nil {
		t.Error("a header that nobody understands was taken")
	}
	_, says, err := v.Verify(ed("roles", "read, write", "realm", map[string]any{"graphs": []string{"acme/*", "x"}}))
	if err != nil || strings.Join(says.Roles, "+") != "read+write" || strings.Join(says.Graphs, "+") != "acme/*+x" {
		t.Errorf("says %+v %v", says, err)
	}
	if v.Claimed(ed("exp", from(-time.Hour))) != "ann" || v.Claimed("ey.x.y") != "" {
		t.Error("the claimed name")
	}
}

func jwks(t testing.TB, keys ...any) []byte {
	t.Helper()
	b, err := json.Marshal(map[string]any{"keys": keys})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestVerifier_JWKS(t *testing.T) {
	k := newKeyring(t)
	set := jwks(t,
		jose.JSONWebKey{Key: k.rsa.Public(), KeyID: "r", Algorithm: "RS256", Use: "sig"},
		jose.JSONWebKey{Key: k.ed.Public(), KeyID: "e"},
		jose.JSONWebKey{Key: k.secret, KeyID: "s", Algorithm: "HS256"},
		map[string]string{"kty": "EC", "crv": "P-256", "kid": "of others", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},
		map[string]string{"kty": "new", "kid": "of tomorrow"},
	)
	o := k.options(t)
	o.KeyFiles, o.SecretFile = []string{k.write(t, "jwks.json", set)}, ""
	v, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"by its id":        {sign(t, jose.RS256, k.rsa, claims(), "kid", "r"), true},
		"without id":       {sign(t, jose.EdDSA, k.ed, claims()), true},
		"secret":           {sign(t, jose.HS256, k.secret, claims(), "kid", "s"), true},
		"another's id":     {sign(t, jose.EdDSA, k.ed, claims(), "kid", "r"), false},
		"an id of nobody":  {sign(t, jose.EdDSA, k.ed, claims(), "kid", "x"), false},
		"id as a pathname": {sign(t, jose.HS256, []byte(strings.Repeat("\x00", 32)), claims(), "kid", "../../dev/null"), false},
	} {
		if _, _, err := v.Verify(c.text); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, says, err := v.Verify(sign(t, jose.EdDSA, k.ed, claims()))
	if err != nil || !v.Has(says.Key) {
		t.Fatalf("%+v %v", says, err)
	}
	// The key is taken away; then the file is half written, then gone.
	k.write(t, "jwks.json", jwks(t, jose.JSONWebKey{Key: k.rsa.Public(), KeyID: "r"}))
	n := v.Changes()
	if err := v.Reread(); err != nil || v.Has(says.Key) || v.Changes() == n {
		t.Errorf("the key that was taken away: %t %v", v.Has(says.Key), err)
	}
	k.write(t, "jwks.json", set[:len(set)/2])
	if err := v.Reread(); err == nil {
		t.Error("half a file was read")
	}
	os.Remove(o.KeyFiles[0])
	if err := v.Reread(); err == nil {
		t.Error("no file was read")
	}
	if _, _, err := v.Verify(sign(t, jose.RS256, k.rsa, claims())); err != nil {
		t.Errorf("the old keys are gone: %v", err)
	}
	k.write(t, "jwks.json", []byte(`{"keys":[]}`))
	if err := v.Reread(); err != nil {
		t.Error(err)
	}
	if _, _, err := v.Verify(sign(t, jose.RS256, k.rsa, claims())); err == nil {
		t.Error("a token without any key")
	}
}

func TestNew_BadKeys(t *testing.T) {
	k := newKeyring(t)
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(k.ed)
	if err != nil {
		t.Fatal(err)
	}
	pemBytes, _ := os.ReadFile(k.pemFile)
	for name, c := range map[string]struct {
		keys, secret []byte
		want         string
	}{
		"a private key":          {keys: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), want: "private keys stay"},
		"a private key in JWKS":  {keys: jwks(t, jose.JSONWebKey{Key: k.rsa}), want: "is private"},
		"a small key":            {keys: publicPEM(t, small.Public()), want: "1024 bits"},
		"nothing":                {keys: nil, want: "neither a public key"},
		"a broken PEM":           {keys: pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY"}), want: "read PEM: PUBLIC KEY: "},
		"a broken certificate":   {keys: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE"}), want: "read PEM: CERTIFICATE: "},
		"no set":                 {keys: []byte("{}"), want: `want {"keys"`},
		"half a set":             {keys: []byte(`{"keys":[`), want: "read JWKS: unexpected end"},
		"keys that are no list":  {keys: []byte(`{"keys":7}`), want: "read JWKS: json: "},
		"a broken key in JWKS":   {keys: jwks(t, jose.JSONWebKey{Key: k.ed.Public()}, map[string]string{"kty": "RSA"}), want: "read JWKS: key 1: "},
		"a short secret":         {secret: []byte("short"), want: "5 bytes"},
		"a short secret in JWKS": {keys: jwks(t, jose.JSONWebKey{Key: []byte("short")}), want: "5 bytes"},
		"a public key as secret": {secret: pemBytes, want: "is no secret"},
		"a set as secret":        {secret: jwks(t), want: "is no secret"},
		"too large":              {keys: bytes.Repeat([]byte(" "), fileMax+1), want: "larger than"},
	} {
		o := Options{Audience: []string{"graphs"}, NameClaim: "sub"}
		if c.secret != nil {
			o.SecretFile = k.write(t, "s", c.secret)
		} else {
			o.KeyFiles = []string{k.write(t, "k", c.keys)}
		}
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// A key may come in each of these kinds of PEM blocks.
func TestNew_PEM(t *testing.T) {
	k := newKeyring(t)
	certificate, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(1)}, &x509.Certificate{}, k.ed.Public(), k.ed)
	if err != nil {
		t.Fatal(err)
	}
	token := map[string]string{"RS256": sign(t, jose.RS256, k.rsa, claims()), "EdDSA": sign(t, jose.EdDSA, k.ed, claims())}
	for _, c := range []struct {
		alg  string
		text []byte
	}{
		{"RS256", publicPEM(t, k.rsa.Public())},
		{"EdDSA", publicPEM(t, k.ed.Public())},
		{"RS256", pem.EncodeToMemory(&pem.Block{Type: "RSA PUBLIC KEY", Bytes: x509.MarshalPKCS1PublicKey(&k.rsa.PublicKey)})},
		{"EdDSA", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})},
	} {
		o := k.options(t)
		o.KeyFiles, o.SecretFile = []string{k.write(t, "k", c.text)}, ""
		v, err := New(o)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		for alg, text := range token {
			if _, _, err := v.Verify(text); (err == nil) != (alg == c.alg) {
				t.Errorf("a token of %s: %v, with the key\n%s", alg, err, c.text)
			}
		}
	}
}

// Watch reads what has changed, and tells of a bad file once.
func TestVerifier_Watch(t *testing.T) {
	k := newKeyring(t)
	o := k.options(t)
	v, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	k.write(t, "secret", []byte("short"))
	v.look(log)
	v.look(log)
	if n := strings.Count(said.String(), "the old ones stay"); n != 1 {
		t.Errorf("told %d times: %s", n, &said)
	}
	k.write(t, "secret", []byte(strings.Repeat("another", 6)))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { v.Watch(ctx, time.Millisecond, log); close(done) }()
	for v.Changes() < 2 {
		runtime.Gosched()
	}
	cancel()
	<-done
	if _, _, err := v.Verify(sign(t, jose.HS256, k.secret, claims())); err == nil {
		t.Error("the old secret counts")
	}
}

// FuzzVerify: whatever comes is refused, and nothing panics: only what was signed by the
// key counts.
func FuzzVerify(f *testing.F) {
	k := newKeyring(f)
	v, err := New(k.options(f))
	if err != nil {
		f.Fatal(err)
	}
	good := sign(f, jose.HS256, k.secret, claims())
	f.Add(good)
	f.Add(part(`{"alg":"none"}`) + "." + part(`{"sub":"ann"}`) + ".")
	f.Add("ey..")
	f.Fuzz(func(t *testing.T, text string) {
		if name, _, err := v.Verify(text); err == nil && name != "ann" {
			t.Errorf("taken: %q", text)
		}
		v.Claimed(text)
	})
}
