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
	for name, user := range fixed {
		if err := user.CheckRights(users.Role); err != nil {
			return nil, fmt.Errorf("user %s of the configuration: %w", name, err)
		}
	}
	var err error
	g.dummy, err = Hash("nobody has this password")
	return g, err
}

// Authenticate checks a name and a password from an address; nil when they are wrong,
// or when too much was guessed from there.
func (g *Guard) Authenticate(ctx context.Context, address, name, password string) *traversal.Identity {
	user, err := g.find(name)
	if err != nil && !errors.Is(err, ErrNoUser) {
		g.log.Error("users cannot be read", "error", err)
		return nil
	}
	known := err == nil
	if !known {
		// The same work for a name that does not exist.
		user.Hash = g.dummy
	}
	mark := g.mark(name, password, user.Hash)
	if !(known && g.recall(mark)) && !g.check(ctx, guess{address, name, password, user.Hash, known, mark}) {
		return nil
	}
	id, err := g.identity(&user)
	if err != nil {
		g.log.Error("roles cannot be read", "error", err)
	}
	return id
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
func (g *Guard) check(ctx context.Context, s guess) bool {
	p, ok := g.throttle.enter(ctx, s.address, s.name)
	if !ok {
		return false
	}
	defer func() { p.leave(ok) }()
	// Others of the same user may have come first, with the same password.
	if ok = s.known && g.recall(s.mark); ok {
		return true
	}
	if ok = p.open(); !ok {
		p.refused = true
		return false
	}
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		ok, p.refused = false, true
		return false
	}
	ok = g.verify(s.hash, s.password) && s.known
	<-g.slots
	if ok {
		g.remember(s.mark)
	}
	return ok
}

// Changes counts what became of users.
func (g *Guard) Changes() uint64 { return g.users.changes.Load() }

// Renew returns what an authenticated user is now: id itself when nothing changed, nil
// when the user is gone or has another password.
func (g *Guard) Renew(id *traversal.Identity) (*traversal.Identity, error) {
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
