package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"github.com/gremlind/gremlind/protocol/auth/token"
	"github.com/gremlind/gremlind/traversal"
)

const (
	// remembered is how long a success counts without hashing again, which HTTP Basic
	// would otherwise do for every request.
	remembered = 30 * time.Second
	// rememberedMax bounds the successes that are kept.
	rememberedMax = 10_000
)

// Guard checks names and passwords for the endpoint. It may be used by many goroutines.
type Guard struct {
	users  *Users
	fixed  map[string]User // from the configuration
	log    *slog.Logger
	slots  chan struct{} // hashes computed at once
	secret []byte
	dummy  string
	now    func() time.Time
	verify func(hash, password string) bool
	tokens *tokens // nil: none are taken

	throttle *throttle

	mu   sync.Mutex
	good map[[sha256.Size]byte]time.Time
}

// NewGuard returns a Guard over users and the fixed ones of a configuration.
func NewGuard(users *Users, fixed map[string]User, log *slog.Logger) (*Guard, error) {
	g := &Guard{users: users, fixed: fixed, log: log, slots: make(chan struct{}, runtime.GOMAXPROCS(0)),
		secret: make([]byte, 32), now: time.Now, verify: Verify, good: map[[sha256.Size]byte]time.Time{}}
	g.throttle = newThrottle(func() time.Time { return g.now() })
	if _, err := rand.Read(g.secret); err != nil {
		return nil, err
	}
	users.fixed = fixed
	for name, user := range fixed {
		if err := user.CheckRights(users.Role); err != nil {
			return nil, fmt.Errorf("user %s of the configuration: %w", name, err)
		}
	}
	var err error
	g.dummy, err = Hash("nobody has this password")
	return g, err
}

// Why somebody is not let in, for the log; the client is not told.
var (
	errWrong     = errors.New("wrong name or password")
	errThrottled = errors.New("too many failures, or the client is gone")
)

// Authenticate checks a name and a password from an address, or a token; an error when they
// are wrong, or when too much was guessed from there.
func (g *Guard) Authenticate(ctx context.Context, address, name, password string) (*traversal.Identity, error) {
	if g.tokens != nil && (name == "" || token.Looks(password)) {
		return g.byToken(ctx, address, name, password)
	}
	user, err := g.find(name)
	if err != nil && !errors.Is(err, ErrNoUser) {
		return nil, g.unreadable(err)
	}
	known := err == nil
	if !known {
		// The same work for a name that does not exist.
		user.Hash = g.dummy
	}
	mark := g.mark(name, password, user.Hash)
	if !(known && g.recall(mark)) {
		if err := g.check(ctx, guess{address, name, password, user.Hash, known, mark}); err != nil {
			return nil, err
		}
	}
	id, err := g.identity(&user)
	if err != nil {
		return nil, g.unreadable(err)
	}
	return id, nil
}

// Known returns who a user is, without a login; nil for nobody.
func (g *Guard) Known(name string) (*traversal.Identity, error) {
	user, err := g.find(name)
	if errors.Is(err, ErrNoUser) {
		return nil, nil
	}
	if err != nil {
		return nil, g.unreadable(err)
	}
	return g.identity(&user)
}

// unreadable tells that users or roles could not be read.
func (g *Guard) unreadable(err error) error {
	g.log.Error("users cannot be read", "error", err)
	return err
}

// identity is who an authenticated user is.
func (g *Guard) identity(user *User) (*traversal.Identity, error) {
	return user.identity(g.proof(user.Hash), g.users.Role)
}

// guess is a name and a password that were not remembered.
type guess struct {
	address, name, password string
	hash                    string
	known                   bool
	mark                    [sha256.Size]byte
}

// check compares a guess with the hash, once its address may be looked at.
func (g *Guard) check(ctx context.Context, s guess) error {
	// Others of the same user may have come first, with the same password.
	recall := func() bool { return s.known && g.recall(s.mark) }
	return g.throttled(ctx, s.address, s.name, recall, func() error {
		if !g.verify(s.hash, s.password) || !s.known {
			return errWrong
		}
		g.remember(s.mark)
		return nil
	})
}

// throttled has a guess looked at once its address and name may be, and counts how it went.
// recall reports that there is nothing to look at any more.
func (g *Guard) throttled(ctx context.Context, address, name string, recall func() bool, look func() error) (err error) {
	p, ok := g.throttle.enter(ctx, address, name)
	if !ok {
		return errThrottled
	}
	defer func() { p.leave(err == nil) }()
	if recall() {
		return nil
	}
	if !p.open() {
		p.refused = true
		return errThrottled
	}
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		p.refused = true
		return errThrottled
	}
	defer func() { <-g.slots }()
	return look()
}

// Changes counts what became of users, and of the keys of tokens.
func (g *Guard) Changes() uint64 { return g.users.changes.Load() + g.tokens.changes() }

// Renew returns what an authenticated user is now: id itself when nothing changed, nil
// when the user is gone or has another password, or the token has ended.
func (g *Guard) Renew(id *traversal.Identity) (*traversal.Identity, error) {
	if id.Token != nil {
		return g.renewToken(id)
	}
	user, err := g.find(id.Name)
	if errors.Is(err, ErrNoUser) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	now, err := g.identity(&user)
	switch {
	case err != nil:
		return nil, err
	case now.Proof != id.Proof:
		return nil, nil
	case now.Equal(id):
		return id, nil
	}
	return now, nil
}

func (g *Guard) find(name string) (User, error) {
	if u, ok := g.fixed[name]; ok {
		return u, nil
	}
	if checkName("user", name) != nil {
		return User{}, ErrNoUser
	}
	return g.users.Get(name)
}

// mark stands for a name, a password and the hash they match, so that a changed
// password is forgotten with its hash. It tells nothing without the process's secret.
func (g *Guard) mark(texts ...string) [sha256.Size]byte {
	h := hmac.New(sha256.New, g.secret)
	for _, s := range texts {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// proof stands for a hash, which is made with salt: no two passwords have the same.
func (g *Guard) proof(hash string) string {
	mark := g.mark(hash)
	return hex.EncodeToString(mark[:16])
}

func (g *Guard) recall(mark [sha256.Size]byte) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	until, ok := g.good[mark]
	return ok && g.now().Before(until)
}

func (g *Guard) remember(mark [sha256.Size]byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.good) >= rememberedMax {
		clear(g.good)
	}
	g.good[mark] = g.now().Add(remembered)
}
