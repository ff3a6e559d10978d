package auth

import (
	"encoding/json"
	"errors"
	"net/http"
)

// bodyMax bounds a request of the handler in bytes.
const bodyMax = 16 << 10

// Change is the body of a request that adds a user or sets a password.
type Change struct {
	Name     string `json:"name"`
	Password string `json:"password"`
	Role     Role   `json:"role"`
}

// Handler administers users over HTTP: GET lists, POST adds, PUT sets a password,
// DELETE removes. It asks nobody who they are and belongs on a socket that only the
// owner of the data directory can open.
func (u *Users) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list, err := u.serve(w, r)
		status := http.StatusOK
		var body any = list
		if err != nil {
			status, body = http.StatusBadRequest, map[string]string{"message": err.Error()}
			if errors.Is(err, ErrNoUser) {
				status = http.StatusNotFound
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		// The client may be gone; there is nobody else to tell.
		_ = json.NewEncoder(w).Encode(body)
	})
}

func (u *Users) serve(w http.ResponseWriter, r *http.Request) ([]User, error) {
	if r.Method == http.MethodGet {
		return u.List()
	}
	var c Change
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyMax)).Decode(&c); err != nil {
		return nil, err
	}
	switch r.Method {
	case http.MethodPost:
		return nil, u.Add(r.Context(), c.Name, c.Password, c.Role)
	case http.MethodPut:
		return nil, u.SetPassword(r.Context(), c.Name, c.Password)
	case http.MethodDelete:
		return nil, u.Remove(r.Context(), c.Name)
	}
	return nil, errors.New("method not allowed")
}
