package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/traversal"
)

// Errors about roles.
var (
	// ErrNoRole is returned for a role that is not there.
	ErrNoRole = errors.New("no such role")
	// ErrRoleExists is returned by AddRole for a name that is taken.
	ErrRoleExists = errors.New("role already exists")
)

// RoleNames are the roles of a user. A single one is written as its name alone.
type RoleNames []string

// MarshalJSON writes one name, or a list.
func (r RoleNames) MarshalJSON() ([]byte, error) {
	if len(r) == 1 {
		return json.Marshal(r[0])
	}
	return json.Marshal([]string(r))
}

// UnmarshalJSON reads one name, or a list.
func (r *RoleNames) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*r = RoleNames{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(r))
}

// UnmarshalYAML reads one name, or a list.
func (r *RoleNames) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*r = RoleNames{n.Value}
		return nil
	}
	return n.Decode((*[]string)(r))
}

// CheckRights reports what is wrong with the rights of a user; roles finds a role.
func (u *User) CheckRights(roles func(name string) (traversal.Role, error)) error {
	if len(u.Roles) == 0 {
		return errors.New("a user has a role: read, write, admin, or one that gremlind role add made")
	}
	if err := checkLimits(u.Limits); err != nil {
		return err
	}
	for _, name := range u.Roles {
		if _, err := roles(name); err != nil {
			return err
		}
	}
	if slices.Contains(u.Graphs, "") {
		return errors.New("graphs: a graph has a name")
	}
	return nil
}

const roleKeyPrefix = "role/"

func roleKey(name string) []byte {
	return table.AppendMeta(nil, table.StoreGraph, roleKeyPrefix+name)
}

// CheckRole reports what is wrong with a role.
func CheckRole(r *traversal.Role) error {
	if err := checkName("role", r.Name); err != nil {
		return err
	}
	if !slices.Contains(traversal.AllRights, r.Allow) {
		return fmt.Errorf("role %s allows %.64q: want read, write or admin", r.Name, r.Allow)
	}
	if r.Allow == traversal.AdminRight && !r.Denied.Empty() {
		return fmt.Errorf("role %s: who administers sees all in backups and in the status: deny nothing, or allow write", r.Name)
	}
	if r.Allow == traversal.AdminRight && !r.GrantsPast() {
		return fmt.Errorf("role %s: who administers reads the past in backups and exports: grant it, or allow write", r.Name)
	}
	for _, list := range [][]string{r.Graphs, r.Sources, r.Keys, r.EdgeLabels, r.VertexLabels, r.Steps} {
		if slices.Contains(list, "") {
			return fmt.Errorf("role %s: graphs, sources, keys, labels and steps have names", r.Name)
		}
	}
	for _, s := range r.Steps {
		name := strings.TrimPrefix(s, "!")
		if spec, ok := steps.Registry().Lookup(name); !ok || strings.HasPrefix(spec.Name, "~") {
			return fmt.Errorf("role %s: there is no step %.64q%s", r.Name, name, traversal.Suggestion(name, "", steps.Registry().Names()))
		}
	}
	return nil
}

// Role returns a role: one that is always there, or one of the store.
func (u *Users) Role(name string) (traversal.Role, error) {
	snap, err := u.store.Snapshot()
	if err != nil {
		return traversal.Role{}, err
	}
	defer snap.Close()
	return getRole(snap, name)
}

// rolesIn finds roles where a transaction reads them.
func rolesIn(r storage.Reader) func(name string) (traversal.Role, error) {
	return func(name string) (traversal.Role, error) { return getRole(r, name) }
}

func getRole(r storage.Reader, name string) (traversal.Role, error) {
	if b, err := BuiltinRole(name); err == nil {
		return b, nil
	}
	if checkName("role", name) != nil {
		return traversal.Role{}, noRole(name)
	}
	b, err := r.Get(roleKey(name))
	if errors.Is(err, storage.ErrNotFound) {
		return traversal.Role{}, noRole(name)
	}
	if err != nil {
		return traversal.Role{}, err
	}
	return decodeRole(b)
}

func noRole(name string) error {
	return fmt.Errorf("%w: %.64q; there are read, write and admin, and those that gremlind role add makes", ErrNoRole, name)
}

func decodeRole(b []byte) (traversal.Role, error) {
	var r traversal.Role
	// What a later version denies must not be allowed by this one.
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("%w: role record: %w", storage.ErrCorrupt, err)
	}
	return r, nil
}

// AddRole adds a role.
func (u *Users) AddRole(ctx context.Context, r traversal.Role) error {
	if err := CheckRole(&r); err != nil {
		return err
	}
	return u.update(ctx, func(tx storage.Tx) error {
		_, err := getRole(tx, r.Name)
		if err == nil {
			return fmt.Errorf("%w: %s", ErrRoleExists, r.Name)
		}
		if !errors.Is(err, ErrNoRole) {
			return err
		}
		return setRole(tx, r)
	})
}

// SetRole puts a role in the place of one that is there.
func (u *Users) SetRole(ctx context.Context, r traversal.Role) error {
	if err := CheckRole(&r); err != nil {
		return err
	}
	if err := notBuiltin(r.Name); err != nil {
		return err
	}
	return u.update(ctx, func(tx storage.Tx) error {
		if _, err := getRole(tx, r.Name); err != nil {
			return err
		}
		return setRole(tx, r)
	})
}

// RemoveRole removes a role that no user of the store has.
func (u *Users) RemoveRole(ctx context.Context, name string) error {
	if err := notBuiltin(name); err != nil {
		return err
	}
	return u.update(ctx, func(tx storage.Tx) error {
		if _, err := getRole(tx, name); err != nil {
			return err
		}
		holders := u.fixedHolders(name)
		err := each(tx, key(""), func(b []byte) error {
			user, err := decode(b)
			if slices.Contains(user.Roles, name) {
				holders = append(holders, user.Name)
			}
			return err
		})
		if err != nil {
			return err
		}
		if len(holders) > 0 {
			return fmt.Errorf("role %s: %s has it: give other roles first (gremlind user rights)", name, strings.Join(holders, ", "))
		}
		return tx.Delete(roleKey(name))
	})
}

// fixedHolders are the users of the configuration who have a role.
func (u *Users) fixedHolders(role string) []string {
	var holders []string
	for _, name := range slices.Sorted(maps.Keys(u.fixed)) {
		if user := u.fixed[name]; slices.Contains(user.Roles, role) {
			holders = append(holders, name+" of the configuration")
		}
	}
	return holders
}

// BuiltinRole returns a role that is always there.
func BuiltinRole(name string) (traversal.Role, error) {
	for _, b := range traversal.BuiltinRoles {
		if b.Name == name {
			return b, nil
		}
	}
	return traversal.Role{}, fmt.Errorf("%w: %.64q: want read, write or admin", ErrNoRole, name)
}

func notBuiltin(name string) error {
	if _, err := BuiltinRole(name); err == nil {
		return fmt.Errorf("the role %s is always there, as it is", name)
	}
	return nil
}

func setRole(tx storage.Tx, r traversal.Role) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return tx.Set(roleKey(r.Name), b)
}

// ListRoles returns the roles of the store by name, behind those that are always there.
func (u *Users) ListRoles() ([]traversal.Role, error) {
	snap, err := u.store.Snapshot()
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	list := slices.Clone(traversal.BuiltinRoles)
	err = each(snap, roleKey(""), func(b []byte) error {
		r, err := decodeRole(b)
		list = append(list, r)
		return err
	})
	return list, err
}
