package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gremlind/gremlind/protocol/auth/token"
	"github.com/gremlind/gremlind/traversal"
)

// TokenUser is the name that stands for that of the token, for drivers that want one.
const TokenUser = "token"

// seenMax bounds the tokens that are remembered: each may say some kilobytes.
const seenMax = 1000

// tokens are what a Guard knows of tokens.
type tokens struct {
	verifier *token.Verifier

	mu   sync.Mutex
	good map[[sha256.Size]byte]seen
}

// seen is a token that was right, while its key is there.
type seen struct {
	name string
	says *traversal.Token
}

// UseTokens takes tokens in the place of passwords. It is called before anybody
// authenticates.
func (g *Guard) UseTokens(v *token.Verifier) {
	g.tokens = &tokens{verifier: v, good: map[[sha256.Size]byte]seen{}}
}

// Tokens reports whether tokens are taken.
func (g *Guard) Tokens() bool { return g.tokens != nil }

func (t *tokens) changes() uint64 {
	if t == nil {
		return 0
	}
	return t.verifier.Changes()
}

// holds reports whether a user's token still counts.
func (t *tokens) holds(user string, s *traversal.Token) bool {
	return time.Now().Before(s.Until) && t.verifier.Has(s.Key) && !t.verifier.Revoked(user, s)
}

func (t *tokens) recall(mark [sha256.Size]byte) (seen, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.good[mark]
	if ok && !t.holds(s.name, s.says) {
		delete(t.good, mark)
		ok = false
	}
	return s, ok
}

func (t *tokens) remember(mark [sha256.Size]byte, s seen) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.good) >= seenMax {
		clear(t.good)
	}
	t.good[mark] = s
}

// byToken checks a token, and that it is the named user's, if one is named.
func (g *Guard) byToken(ctx context.Context, address, name, text string) (*traversal.Identity, error) {
	mark := g.mark("token", text)
	s, ok := g.tokens.recall(mark)
	if !ok {
		recall := func() bool { s, ok = g.tokens.recall(mark); return ok }
		err := g.throttled(ctx, address, g.tokens.verifier.Claimed(text), recall, func() (err error) {
			if s.name, s.says, err = g.tokens.verifier.Verify(text); err == nil {
				g.tokens.remember(mark, s)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if name != "" && name != TokenUser && name != s.name {
		return nil, fmt.Errorf("%w: it is that of %.64q", token.ErrToken, s.name)
	}
	return g.tokenIdentity(s.name, s.says)
}

// Errors about the user of a token.
var (
	errTokenRoles  = fmt.Errorf("%w: none of its roles is known here", token.ErrToken)
	errTokenGraphs = fmt.Errorf("%w: the user reaches none of its graphs", token.ErrToken)
)

// tokenIdentity is who showed a token: somebody with the roles of the token, or where it
// has none the user of that name.
func (g *Guard) tokenIdentity(name string, says *traversal.Token) (*traversal.Identity, error) {
	if err := checkName("user", name); err != nil {
		return nil, fmt.Errorf("%w: %w", token.ErrToken, err)
	}
	user := User{Name: name, Roles: says.Roles, Graphs: says.Graphs}
	if says.Roles == nil {
		var err error
		if user, err = g.find(name); err != nil {
			return nil, err
		}
		if user.Graphs = both(user.Graphs, says.Graphs); user.Graphs != nil && len(user.Graphs) == 0 {
			return nil, errTokenGraphs
		}
	}
	id, err := user.identity(g.proof("token"), g.users.Role)
	if err != nil {
		return nil, err
	}
	if says.Roles != nil && len(id.Roles) == 0 {
		return nil, errTokenRoles
	}
	id.Token = says
	return id, nil
}

// renewToken returns what the user of a token is now, nil when the token counts no more.
func (g *Guard) renewToken(id *traversal.Identity) (*traversal.Identity, error) {
	if g.tokens == nil || !g.tokens.holds(id.Name, id.Token) {
		return nil, nil
	}
	now, err := g.tokenIdentity(id.Name, id.Token)
	switch {
	case errors.Is(err, ErrNoUser), errors.Is(err, token.ErrToken):
		return nil, nil
	case err != nil:
		return nil, err
	case now.Equal(id):
		return id, nil
	}
	return now, nil
}

// both are the graphs that two lists of patterns have in common; nil, and an empty list, are
// all graphs, and an empty list is returned for none.
func both(a, b []string) []string {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	common := []string{}
	for _, x := range a {
		for _, y := range b {
			switch {
			case covers(x, y) && !slices.Contains(common, y):
				common = append(common, y)
			case covers(y, x) && !slices.Contains(common, x):
				common = append(common, x)
			}
		}
	}
	return common
}

// covers reports whether all graphs of a pattern are among those of another.
func covers(wide, narrow string) bool {
	beginning, many := strings.CutSuffix(wide, "*")
	return wide == narrow || many && strings.HasPrefix(narrow, beginning)
}
