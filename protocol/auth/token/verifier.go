package token

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/gremlind/gremlind/traversal"
)

// lengthMax is the longest token in bytes.
const lengthMax = 8 << 10

// Options say which tokens are taken, and what is read in them.
type Options struct {
	// KeyFiles hold public keys: PEM, or JWKS, which may hold secrets too.
	KeyFiles []string
	// SecretFile holds a secret that is shared with who makes the tokens.
	SecretFile string
	// RevokedFile lists tokens that were called back; "": none are.
	RevokedFile string
	// Issuer is who made the token, "" for anybody with the key. Audience is who it may be
	// for, one of them.
	Issuer   string
	Audience []string
	// Leeway is how far clocks may differ.
	Leeway time.Duration
	// NameClaim, RolesClaim and GraphsClaim are where a token says who it is, which roles he
	// has and which graphs he reaches. A name with dots leads into objects. "" for roles or
	// graphs: the token has no say in that.
	NameClaim, RolesClaim, GraphsClaim string
}

// ErrToken is wrapped by what is wrong with a token.
var ErrToken = errors.New("token refused")

// algorithms are those of our kinds of keys.
var algorithms = []jose.SignatureAlgorithm{jose.HS256, jose.RS256, jose.EdDSA}

// Verifier checks tokens. It may be used by many goroutines.
type Verifier struct {
	options Options
	now     func() time.Time
	keys    atomic.Pointer[[]key]
	revoked atomic.Pointer[revoked]
	changes atomic.Uint64
	files   [][]byte // as they were read last, by the one who reads
	said    string   // the last error of reading
}

// New returns a Verifier with the keys of its files.
func New(o Options) (*Verifier, error) {
	v := &Verifier{options: o, now: time.Now}
	return v, v.Reread()
}

// Reread reads the files again. When one of them is bad the keys stay as they were. One
// goroutine calls it at a time.
func (v *Verifier) Reread() error {
	files, names := [][]byte(nil), append(slices.Clone(v.options.KeyFiles), v.options.SecretFile, v.options.RevokedFile)
	for _, name := range names {
		b := []byte(nil)
		if name != "" {
			var err error
			if b, err = read(name); err != nil {
				return err
			}
		}
		files = append(files, b)
	}
	if v.files != nil && slices.EqualFunc(files, v.files, bytes.Equal) {
		return nil
	}
	last := len(files) - 1
	gone, err := parseRevoked(files[last])
	if err != nil {
		return fmt.Errorf("%s: %w", names[last], err)
	}
	var keys []key
	for i, b := range files[:last] {
		if names[i] == "" {
			continue
		}
		more, err := parseFile(b, i == last-1)
		if err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
		keys = append(keys, more...)
	}
	if len(keys) > keysMax {
		return fmt.Errorf("%d keys of tokens: want %d at most", len(keys), keysMax)
	}
	v.files = files
	v.keys.Store(&keys)
	v.revoked.Store(gone)
	v.changes.Add(1)
	return nil
}

func parseFile(b []byte, secret bool) ([]key, error) {
	if !secret {
		return parseKeys(b)
	}
	k, err := parseSecret(b)
	return []key{k}, err
}

// Watch reads the files again, every so often, until ctx ends.
func (v *Verifier) Watch(ctx context.Context, every time.Duration, log *slog.Logger) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			v.look(log)
		}
	}
}

// look reads again, and says what came of it once.
func (v *Verifier) look(log *slog.Logger) {
	before, said := v.Changes(), ""
	err := v.Reread()
	if err != nil {
		said = err.Error()
	}
	switch {
	case said != v.said && err != nil:
		log.Error("keys of tokens cannot be read: the old ones stay", "error", err)
	case v.Changes() != before:
		log.Info("keys of tokens read again", "keys", len(*v.keys.Load()))
	}
	v.said = said
}

// Changes counts how often the files have changed.
func (v *Verifier) Changes() uint64 { return v.changes.Load() }

// Has reports whether a key is still there, by Token.Key.
func (v *Verifier) Has(print string) bool {
	return slices.ContainsFunc(*v.keys.Load(), func(k key) bool { return k.print == print })
}

// Looks reports whether a text has the form of a token: three parts, of which the first is an object
// in base64.
func Looks(text string) bool {
	return strings.HasPrefix(text, "ey") && strings.Count(text, ".") == 2
}

// Claimed is whose a token says that it is, before anything of it was checked; "" for
// nobody's.
func (v *Verifier) Claimed(text string) string {
	if len(text) > lengthMax {
		return ""
	}
	t, err := jwt.ParseSigned(text, algorithms)
	claims := map[string]any{}
	if err != nil || t.UnsafeClaimsWithoutVerification(&claims) != nil {
		return ""
	}
	name, _ := find(claims, v.options.NameClaim).(string)
	return name
}

// Verify checks a token and returns whose it is, and what it says.
func (v *Verifier) Verify(text string) (name string, says *traversal.Token, err error) {
	if name, says, err = v.verify(text); err != nil {
		return "", nil, fmt.Errorf("%w: %w", ErrToken, err)
	}
	return name, says, nil
}

func (v *Verifier) verify(text string) (string, *traversal.Token, error) {
	if len(text) > lengthMax {
		return "", nil, fmt.Errorf("longer than %d bytes", lengthMax)
	}
	t, err := jwt.ParseSigned(text, algorithms)
	if err != nil {
		return "", nil, errors.New("it is none that is signed by HS256, RS256 or EdDSA")
	}
	var standard jwt.Claims
	all := map[string]any{}
	k, err := v.signer(t, &standard, &all)
	if err != nil {
		return "", nil, err
	}
	if err := v.check(&standard); err != nil {
		return "", nil, err
	}
	o := &v.options
	name, ok := find(all, o.NameClaim).(string)
	if !ok || name == "" {
		return "", nil, fmt.Errorf("it has no name in the claim %s", o.NameClaim)
	}
	says := &traversal.Token{Key: k.print, Until: standard.Expiry.Time().Add(o.Leeway), ID: standard.ID, Made: standard.IssuedAt.Time()}
	if v.Revoked(name, says) {
		return "", nil, errors.New("it was called back")
	}
	if says.Roles, err = texts(all, o.RolesClaim); err != nil {
		return "", nil, err
	}
	says.Graphs, err = texts(all, o.GraphsClaim)
	return name, says, err
}

// signer finds the key that a token was signed with, and reads its claims.
func (v *Verifier) signer(t *jwt.JSONWebToken, claims ...any) (*key, error) {
	if len(t.Headers) != 1 {
		return nil, errors.New("it has several signatures")
	}
	h := t.Headers[0]
	keys := *v.keys.Load()
	tried := false
	for i := range keys {
		k := &keys[i]
		if string(k.algorithm) != h.Algorithm || k.id != "" && h.KeyID != "" && k.id != h.KeyID {
			continue
		}
		tried = true
		if err := t.Claims(k.material, claims...); err == nil {
			return k, nil
		} else if !errors.Is(err, jose.ErrCryptoFailure) {
			return nil, errors.New("its claims cannot be read")
		}
	}
	if !tried {
		return nil, errors.New("there is no key for it")
	}
	return nil, errors.New("its signature is wrong")
}

// check compares the claims that every token has.
func (v *Verifier) check(c *jwt.Claims) error {
	o := &v.options
	if c.Expiry == nil {
		return errors.New("it has no end (exp)")
	}
	if y := c.Expiry.Time().Year(); y < 1970 || y > 9999 {
		return errors.New("its end (exp) is no time")
	}
	err := c.ValidateWithLeeway(jwt.Expected{Issuer: o.Issuer, AnyAudience: o.Audience, Time: v.now()}, o.Leeway)
	switch {
	case errors.Is(err, jwt.ErrInvalidIssuer):
		return errors.New("another issuer (iss) made it")
	case errors.Is(err, jwt.ErrInvalidAudience):
		return errors.New("it is for others (aud)")
	case errors.Is(err, jwt.ErrExpired):
		return errors.New("it has ended (exp)")
	case errors.Is(err, jwt.ErrNotValidYet), errors.Is(err, jwt.ErrIssuedInTheFuture):
		return errors.New("it is not valid yet (nbf, iat)")
	}
	return err
}
