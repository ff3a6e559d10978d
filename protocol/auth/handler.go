package auth

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gremlind/gremlind/traversal"
)

// bodyMax bounds a request of the handler in bytes.
const bodyMax = 16 << 10

// Change is the body of a request about a user.
type Change struct {
	Name     string    `json:"name"`
	Password string    `json:"password,omitempty"`
	Roles    RoleNames `json:"role,omitempty"`
	Graphs   []string  `json:"graphs,omitempty"`
	// AllGraphs gives all graphs to a user who was bound to some.
	AllGraphs bool `json:"allGraphs,omitempty"`
	// Limits are set alone.
	Limits *traversal.UserLimits `json:"limits,omitempty"`
}

// Handler administers users over HTTP: GET lists, POST adds, PUT sets a password,
// PATCH sets the rights, DELETE removes. It asks nobody who they are and belongs on a
// socket that only the owner of the data directory can open. changed hears of each
// change that was made or failed, in words: what was to be done to whom.
func (u *Users) Handler(changed func(what, name string, err error)) http.Handler {
	return answering(ErrNoUser, func(w http.ResponseWriter, r *http.Request) (any, error) { return u.serve(w, r, changed) })
}

// RolesHandler administers roles likewise: GET lists, POST adds, PUT changes, DELETE
// removes.
func (u *Users) RolesHandler(changed func(what, name string, err error)) http.Handler {
	return answering(ErrNoRole, func(w http.ResponseWriter, r *http.Request) (any, error) { return u.serveRoles(w, r, changed) })
}

// answering writes what a request comes to as JSON; missing is the error of what is not
// there.
func answering(missing error, serve func(w http.ResponseWriter, r *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := serve(w, r)
		status := http.StatusOK
		if err != nil {
			status, body = http.StatusBadRequest, map[string]string{"message": err.Error()}
			if errors.Is(err, missing) {
				status = http.StatusNotFound
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		// The client may be gone; there is nobody else to tell.
		_ = json.NewEncoder(w).Encode(body)
	})
}

func (u *Users) serve(w http.ResponseWriter, r *http.Request, changed func(what, name string, err error)) (any, error) {
	if r.Method == http.MethodGet {
		return u.List()
	}
	var c Change
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyMax)).Decode(&c); err != nil {
		return nil, err
	}
	what, err := "", error(nil)
	switch r.Method {
	case http.MethodPost:
		what, err = "added", u.Add(r.Context(), User{Name: c.Name, Roles: c.Roles, Graphs: c.Graphs}, c.Password)
	case http.MethodPut:
		what, err = "password set", u.SetPassword(r.Context(), c.Name, c.Password)
	case http.MethodPatch:
		if c.AllGraphs {
			c.Graphs = []string{}
		}
		if c.Limits != nil {
			what, err = "limits set", u.SetLimits(r.Context(), c.Name, *c.Limits)
			break
		}
		what, err = "rights set", u.SetRights(r.Context(), c.Name, c.Roles, c.Graphs)
	case http.MethodDelete:
		what, err = "removed", u.Remove(r.Context(), c.Name)
	default:
		return nil, errors.New("method not allowed")
	}
	changed(what, c.Name, err)
	return nil, err
}

func (u *Users) serveRoles(w http.ResponseWriter, r *http.Request, changed func(what, name string, err error)) (any, error) {
	if r.Method == http.MethodGet {
		return u.ListRoles()
	}
	var role traversal.Role
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyMax))
	d.DisallowUnknownFields()
	if err := d.Decode(&role); err != nil {
		return nil, err
	}
	what, err := "", error(nil)
	switch r.Method {
	case http.MethodPost:
		what, err = "role added", u.AddRole(r.Context(), role)
	case http.MethodPut:
		what, err = "role set", u.SetRole(r.Context(), role)
	case http.MethodDelete:
		what, err = "role removed", u.RemoveRole(r.Context(), role.Name)
	default:
		return nil, errors.New("method not allowed")
	}
	changed(what, role.Name, err)
	return nil, err
}
