package token

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gremlind/gremlind/traversal"
)

// revoked are tokens that were called back before their end.
type revoked struct {
	ids    map[string]bool
	before map[string]time.Time // what is older of a user's
}

// parseRevoked reads a list of tokens that were called back, in lines
//
//	jti ID               the token with that id
//	before TIME NAME     those of a user that were made before a time, as 2026-11-25T10:00:00Z,
//	                     or do not say when they were made
//
// beside which there may be empty ones, and remarks behind #.
func parseRevoked(b []byte) (*revoked, error) {
	r := &revoked{ids: map[string]bool{}, before: map[string]time.Time{}}
	lines := bufio.NewScanner(bytes.NewReader(b))
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if err := r.add(text); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *revoked) add(line string) error {
	what, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch what {
	case "jti":
		if rest == "" {
			return errors.New("jti wants the id of a token")
		}
		r.ids[rest] = true
		return nil
	case "before":
		text, name, _ := strings.Cut(rest, " ")
		at, err := time.Parse(time.RFC3339, text)
		if name = strings.TrimSpace(name); err != nil || name == "" {
			return errors.New("before wants a time, as 2026-11-25T10:00:00Z, and a user")
		}
		if at.After(r.before[name]) {
			r.before[name] = at
		}
		return nil
	}
	return fmt.Errorf("want jti ID or before TIME NAME, not %.20q", what)
}

// Revoked reports whether a user's token was called back.
func (v *Verifier) Revoked(user string, t *traversal.Token) bool {
	r := v.revoked.Load()
	if t.ID != "" && r.ids[t.ID] {
		return true
	}
	before, ok := r.before[user]
	return ok && t.Made.Before(before)
}
