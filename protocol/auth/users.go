package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/traversal"
)

// Errors of Users.
var (
	// ErrNoUser is returned for a name that is not there.
	ErrNoUser = errors.New("no such user")
	// ErrUserExists is returned by Add for a name that is taken.
	ErrUserExists = errors.New("user already exists")
)

// User is one user, as the store and the configuration keep it. Fields may be added:
// what an older record lacks is empty.
type User struct {
	Name string `json:"name" yaml:"-"`
	Hash string `json:"hash,omitempty" yaml:"hash"`
	// Roles are the names of the user's roles.
	Roles RoleNames `json:"role" yaml:"role"`
	// Graphs are the only graphs that the user reaches, of those of the roles; empty means
	// all.
	Graphs []string `json:"graphs,omitempty" yaml:"graphs"`
	// Authorizations are the labels of visibility that the user holds.
	Authorizations []string `json:"authorizations,omitempty" yaml:"authorizations"`
	// Limits bound what the user asks for.
	Limits *traversal.UserLimits `json:"limits,omitempty" yaml:"limits"`
}

// identity is who the user is once proof was given. A role that is not there allows
// nothing.
func (u *User) identity(proof string, roles func(name string) (traversal.Role, error)) (*traversal.Identity, error) {
	id := &traversal.Identity{Name: u.Name, Graphs: u.Graphs, Authorizations: u.Authorizations, Proof: proof}
	if u.Limits != nil {
		id.Limits = *u.Limits
	}
	for _, name := range u.Roles {
		r, err := roles(name)
		if err != nil && !errors.Is(err, ErrNoRole) {
			return nil, err
		}
		if err == nil {
			id.Roles = append(id.Roles, r)
		}
	}
	return id, nil
}

// nameMax is the longest name in bytes.
const nameMax = 255

const keyPrefix = "user/"

// Users are the users in a store. They may be used by many goroutines.
type Users struct {
	store   storage.Store
	fixed   map[string]User // of the configuration
	changes atomic.Uint64
}

// NewUsers returns the users of a store. As long as a server runs all changes go
// through one Users, or those who are logged in would keep what they had.
func NewUsers(s storage.Store) *Users { return &Users{store: s} }

func key(name string) []byte { return table.AppendMeta(nil, table.StoreGraph, keyPrefix+name) }

func checkName(what, name string) error {
	if name == "" || len(name) > nameMax || strings.ContainsAny(name, "\x00:") {
		return fmt.Errorf("%s name %.64q: want 1 to %d bytes without a colon", what, name, nameMax)
	}
	return nil
}

// Add adds a user with a password.
func (u *Users) Add(ctx context.Context, user User, password string) error {
	err := checkName("user", user.Name)
	if err == nil {
		err = CheckPassword(password)
	}
	if err == nil {
		user.Hash, err = Hash(password)
	}
	if err != nil {
		return err
	}
	return u.update(ctx, func(tx storage.Tx) error {
		_, err := get(tx, user.Name)
		if err == nil {
			return fmt.Errorf("%w: %s", ErrUserExists, user.Name)
		}
		if !errors.Is(err, ErrNoUser) {
			return err
		}
		if err := user.CheckRights(rolesIn(tx)); err != nil {
			return err
		}
		return set(tx, user)
	})
}

// SetPassword changes the password of a user.
func (u *Users) SetPassword(ctx context.Context, name, password string) error {
	if err := CheckPassword(password); err != nil {
		return err
	}
	hash, err := Hash(password)
	if err != nil {
		return err
	}
	return u.change(ctx, name, func(_ storage.Tx, user *User) error { user.Hash = hash; return nil })
}

// SetRights changes the roles of a user and the graphs that the user reaches; nil leaves
// either as it is.
func (u *Users) SetRights(ctx context.Context, name string, roles RoleNames, graphs []string) error {
	return u.change(ctx, name, func(tx storage.Tx, user *User) error {
		if roles != nil {
			user.Roles = roles
		}
		if graphs != nil {
			user.Graphs = graphs
		}
		return user.CheckRights(rolesIn(tx))
	})
}

// change rewrites the record of a user.
func (u *Users) change(ctx context.Context, name string, fn func(storage.Tx, *User) error) error {
	if err := checkName("user", name); err != nil {
		return err
	}
	return u.update(ctx, func(tx storage.Tx) error {
		user, err := get(tx, name)
		if err == nil {
			err = fn(tx, &user)
		}
		if err != nil {
			return err
		}
		return set(tx, user)
	})
}

func set(tx storage.Tx, user User) error {
	b, err := json.Marshal(user)
	if err != nil {
		return err
	}
	return tx.Set(key(user.Name), b)
}

// Remove removes a user.
func (u *Users) Remove(ctx context.Context, name string) error {
	return u.update(ctx, func(tx storage.Tx) error {
		if _, err := get(tx, name); err != nil {
			return err
		}
		return tx.Delete(key(name))
	})
}

// Get returns a user with the hash.
func (u *Users) Get(name string) (User, error) {
	snap, err := u.store.Snapshot()
	if err != nil {
		return User{}, err
	}
	defer snap.Close()
	return get(snap, name)
}

func get(r storage.Reader, name string) (User, error) {
	b, err := r.Get(key(name))
	if errors.Is(err, storage.ErrNotFound) {
		return User{}, fmt.Errorf("%w: %.64s", ErrNoUser, name)
	}
	if err != nil {
		return User{}, err
	}
	return decode(b)
}

func decode(b []byte) (User, error) {
	var user User
	if err := json.Unmarshal(b, &user); err != nil {
		return User{}, fmt.Errorf("%w: user record: %w", storage.ErrCorrupt, err)
	}
	return user, nil
}

// List returns all users by name, without their hashes.
func (u *Users) List() ([]User, error) {
	snap, err := u.store.Snapshot()
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	list := []User{}
	err = each(snap, key(""), func(b []byte) error {
		user, err := decode(b)
		user.Hash = ""
		list = append(list, user)
		return err
	})
	return list, err
}

// Names returns the names of all users, those of the configuration too, sorted.
func (u *Users) Names() ([]string, error) {
	list, err := u.List()
	names := slices.AppendSeq(make([]string, 0, len(list)+len(u.fixed)), maps.Keys(u.fixed))
	for _, user := range list {
		names = append(names, user.Name)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// each calls fn with the records whose keys begin with from.
func each(r storage.Reader, from []byte, fn func(record []byte) error) error {
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	for it.Next() {
		if err := fn(it.Value()); err != nil {
			return errors.Join(err, it.Close())
		}
	}
	return errors.Join(it.Err(), it.Close())
}

// updates is how often a change that lost a conflict is made again.
const updates = 5

func (u *Users) update(ctx context.Context, fn func(storage.Tx) error) error {
	// Also after an error, which does not always mean that nothing was changed.
	defer u.changes.Add(1)
	for n := 0; ; n++ {
		err := u.once(ctx, fn)
		if n == updates || !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

func (u *Users) once(ctx context.Context, fn func(storage.Tx) error) error {
	tx, err := u.store.Begin(ctx, storage.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Close()
	if err := fn(tx); err != nil {
		return err
	}
	_, err = tx.Commit(ctx)
	return err
}
