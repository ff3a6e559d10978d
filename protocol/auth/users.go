package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// Roles are the roles that a user can have.
var Roles = []traversal.Role{traversal.ReadRole, traversal.WriteRole, traversal.AdminRole}

// User is one user, as the store and the configuration keep it. Fields may be added:
// what an older record lacks is empty.
type User struct {
	Name string         `json:"name" yaml:"-"`
	Hash string         `json:"hash,omitempty" yaml:"hash"`
	Role traversal.Role `json:"role" yaml:"role"`
	// Graphs are the only graphs that the user reaches; empty means all.
	Graphs []string `json:"graphs,omitempty" yaml:"graphs"`
	// Authorizations are the labels of visibility that the user holds.
	Authorizations []string `json:"authorizations,omitempty" yaml:"authorizations"`
}

// CheckRights reports what is wrong with the rights of a user.
func (u *User) CheckRights() error {
	if !slices.Contains(Roles, u.Role) {
		return fmt.Errorf("role %.64q: want read, write or admin", u.Role)
	}
	if slices.Contains(u.Graphs, "") {
		return errors.New("graphs: a graph has a name")
	}
	return nil
}

// identity is who the user is once proof was given.
func (u *User) identity(proof string) *traversal.Identity {
	return &traversal.Identity{Name: u.Name, Roles: []traversal.Role{u.Role}, Graphs: u.Graphs,
		Authorizations: u.Authorizations, Proof: proof}
}

// nameMax is the longest name in bytes.
const nameMax = 255

const keyPrefix = "user/"

// Users are the users in a store. They may be used by many goroutines.
type Users struct {
	store   storage.Store
	changes atomic.Uint64
}

// NewUsers returns the users of a store. As long as a server runs all changes go
// through one Users, or those who are logged in would keep what they had.
func NewUsers(s storage.Store) *Users { return &Users{store: s} }

func key(name string) []byte { return table.AppendMeta(nil, table.StoreGraph, keyPrefix+name) }

func checkName(name string) error {
	if name == "" || len(name) > nameMax || strings.ContainsAny(name, "\x00:") {
		return fmt.Errorf("user name %.64q: want 1 to %d bytes without a colon", name, nameMax)
	}
	return nil
}

// Add adds a user with a password.
func (u *Users) Add(ctx context.Context, user User, password string) error {
	err := checkName(user.Name)
	if err == nil {
		err = user.CheckRights()
	}
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
	return u.change(ctx, name, func(user *User) error { user.Hash = hash; return nil })
}

// SetRights changes the role of a user and the graphs that the user reaches; an empty
// role and nil graphs leave them as they are.
func (u *Users) SetRights(ctx context.Context, name string, role traversal.Role, graphs []string) error {
	return u.change(ctx, name, func(user *User) error {
		if role != "" {
			user.Role = role
		}
		if graphs != nil {
			user.Graphs = graphs
		}
		return user.CheckRights()
	})
}

// change rewrites the record of a user.
func (u *Users) change(ctx context.Context, name string, fn func(*User) error) error {
	if err := checkName(name); err != nil {
		return err
	}
	return u.update(ctx, func(tx storage.Tx) error {
		user, err := get(tx, name)
		if err == nil {
			err = fn(&user)
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
	from := key("")
	it := snap.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	list := []User{}
	for it.Next() {
		user, err := decode(it.Value())
		if err != nil {
			return nil, errors.Join(err, it.Close())
		}
		user.Hash = ""
		list = append(list, user)
	}
	return list, it.Close()
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
