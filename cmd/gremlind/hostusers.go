package main

import (
	"errors"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// usersService gives the names of the users whose eyes a request may look with (seeAs); none
// where the one who asks may see as nobody else.
const usersService = "gremlind.users"

// otherUsers are those that the server knows.
type otherUsers struct{ h *host }

var _ traversal.Service = otherUsers{}

// Name returns the name by which call() reaches it.
func (otherUsers) Name() string { return usersService }

// Kinds says where in a traversal it may stand.
func (otherUsers) Kinds() []traversal.ServiceKind {
	return []traversal.ServiceKind{traversal.StartService}
}

// Params lists the parameters: none.
func (otherUsers) Params() []traversal.ServiceParam { return nil }

// Right is that of who reads: to most it says nothing.
func (otherUsers) Right(*value.Map) traversal.Right { return traversal.ReadRight }

// Call lists them by name.
func (s otherUsers) Call(c traversal.ServiceCall) (traversal.Cursor, error) {
	if c.Params.Len() > 0 {
		return nil, errors.New(usersService + " takes no parameters")
	}
	if s.h.users == nil || !c.Run.Identity.MaySeeAs() {
		return traversal.Values(nil), nil
	}
	names, err := s.h.users()
	if err != nil {
		return nil, err
	}
	out := make([]value.Value, 0, len(names))
	for _, name := range names {
		if err := c.Run.Charge(userBytes + len(name)); err != nil {
			return nil, err
		}
		if name != c.Run.Identity.User() {
			out = append(out, value.String(name))
		}
	}
	return traversal.Values(out), nil
}

// userBytes is about what a list takes for a name, beside its text.
const userBytes = 64
