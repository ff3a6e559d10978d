package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"time"
)

const (
	// remembered is how long a success counts without hashing again, which HTTP Basic
	// would otherwise do for every request.
	remembered = 30 * time.Second
	// rememberedMax bounds the successes that are kept.
	rememberedMax = 10_000
	// failuresMax within failureWindow close a name and address for the rest of it.
	failuresMax   = 10
	failureWindow = time.Minute
	// failuresKept bounds the counters.
	failuresKept = 100_000
)

// Guard checks names and passwords for the endpoint. It may be used by many goroutines.
type Guard struct {
	users  *Users
	fixed  map[string]User // from the configuration
	log    *slog.Logger
	slots  chan struct{}
	secret []byte
	dummy  string
	now    func() time.Time

	mu       sync.Mutex
	good     map[[sha256.Size]byte]time.Time
	failures map[string]*failures
}

type failures struct {
	n     int
	since time.Time
}

// NewGuard returns a Guard over users and the fixed ones of a configuration.
func NewGuard(users *Users, fixed map[string]User, log *slog.Logger) (*Guard, error) {
	g := &Guard{users: users, fixed: fixed, log: log, slots: make(chan struct{}, runtime.GOMAXPROCS(0)),
		secret: make([]byte, 32), now: time.Now,
		good: map[[sha256.Size]byte]time.Time{}, failures: map[string]*failures{}}
	if _, err := rand.Read(g.secret); err != nil {
		return nil, err
	}
	var err error
	g.dummy, err = Hash("nobody has this password")
	return g, err
}

// Authenticate checks a name and a password from an address.
func (g *Guard) Authenticate(address, name, password string) (readOnly, ok bool) {
	user, err := g.find(name)
	if err != nil && !errors.Is(err, ErrNoUser) {
		g.log.Error("users cannot be read", "error", err)
		return false, false
	}
	known := err == nil
	if !known {
		// The same work for a name that does not exist.
		user.Hash = g.dummy
	}
	mark := g.mark(name, password, user.Hash)
	if known && g.recall(mark) {
		return user.Role != Write, true
	}
	who := address + "\x00" + name
	if g.closed(who) {
		return false, false
	}
	g.slots <- struct{}{}
	ok = Verify(user.Hash, password) && known
	<-g.slots
	if !ok {
		g.count(who)
		return false, false
	}
	g.remember(mark)
	return user.Role != Write, true
}

func (g *Guard) find(name string) (User, error) {
	if u, ok := g.fixed[name]; ok {
		return u, nil
	}
	if checkName(name) != nil {
		return User{}, ErrNoUser
	}
	return g.users.Get(name)
}

// mark stands for a name, a password and the hash they match, so that a changed
// password is forgotten with its hash. It tells nothing without the process's secret.
func (g *Guard) mark(name, password, hash string) [sha256.Size]byte {
	h := hmac.New(sha256.New, g.secret)
	for _, s := range []string{name, password, hash} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return [sha256.Size]byte(h.Sum(nil))
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

// closed reports whether somebody has guessed too often.
func (g *Guard) closed(who string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	f := g.failures[who]
	if f == nil {
		return false
	}
	if g.now().Sub(f.since) > failureWindow {
		delete(g.failures, who)
		return false
	}
	return f.n >= failuresMax
}

func (g *Guard) count(who string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.failures) >= failuresKept {
		clear(g.failures)
	}
	f := g.failures[who]
	if f == nil {
		f = &failures{since: g.now()}
		g.failures[who] = f
	}
	f.n++
}
