package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Errors of Users.
var (
	// ErrNoUser is returned for a name that is not there.
	ErrNoUser = errors.New("no such user")
	// ErrUserExists is returned by Add for a name that is taken.
	ErrUserExists = errors.New("user already exists")
)

// Role is what a user may do.
type Role string

// The roles.
const (
	Read  Role = "read"
	Write Role = "write"
)

// User is one user.
type User struct {
	Name string `json:"name"`
	Hash string `json:"hash,omitempty"`
	Role Role   `json:"role"`
}

// nameMax is the longest name in bytes.
const nameMax = 255

const keyPrefix = "user/"

// Users are the users in a store. They may be used by many goroutines.
type Users struct{ store storage.Store }

// NewUsers returns the users of a store.
func NewUsers(s storage.Store) *Users { return &Users{store: s} }

func key(name string) []byte { return table.AppendMeta(nil, table.StoreGraph, keyPrefix+name) }

func checkName(name string) error {
	if name == "" || len(name) > nameMax || strings.ContainsAny(name, "\x00:") {
		return fmt.Errorf("user name %.64q: want 1 to %d bytes without a colon", name, nameMax)
	}
	return nil
}

// Add adds a user.
func (u *Users) Add(ctx context.Context, name, password string, role Role) error {
	return u.put(ctx, name, password, role, false)
}

// SetPassword changes the password of a user.
func (u *Users) SetPassword(ctx context.Context, name, password string) error {
	return u.put(ctx, name, password, "", true)
}

func (u *Users) put(ctx context.Context, name, password string, role Role, existing bool) error {
	if err := checkName(name); err != nil {
		return err
	}
	if !existing && role != Read && role != Write {
		return fmt.Errorf("role %q: want %s or %s", role, Read, Write)
	}
	hash, err := Hash(password)
	if err != nil {
		return err
	}
	return u.update(ctx, func(tx storage.Tx) error {
		old, err := get(tx, name)
		switch {
		case err != nil && !errors.Is(err, ErrNoUser):
			return err
		case existing && err != nil:
			return err
		case !existing && err == nil:
			return fmt.Errorf("%w: %s", ErrUserExists, name)
		case existing:
			role = old.Role
		}
		b, err := json.Marshal(User{Name: name, Hash: hash, Role: role})
		if err != nil {
			return err
		}
		return tx.Set(key(name), b)
	})
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
