package request

import (
	"net/http"
	"strings"

	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/traversal"
)

// Bearer returns the token of a request's head; false where there is none, or none is taken.
func (d *Desk) Bearer(r *http.Request) (token string, ok bool) {
	if d.Auth == nil || !d.Auth.Tokens() {
		return "", false
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}

// LogIn finds out who shows a name and a password, or a token without a name; nil, and a
// note, for nobody.
func (d *Desk) LogIn(r *http.Request, user, password string) *traversal.Identity {
	id, err := d.Auth.Authenticate(r.Context(), quota.HostOf(r.RemoteAddr), user, password)
	if err != nil {
		d.LoginRefused(user, r.RemoteAddr, err)
		return nil
	}
	return id
}

// Challenge says in the head of a refusal how to log in.
func (d *Desk) Challenge(w http.ResponseWriter) {
	w.Header().Add("WWW-Authenticate", `Basic realm="gremlind", charset="UTF-8"`)
	if d.Auth.Tokens() {
		w.Header().Add("WWW-Authenticate", `Bearer realm="gremlind"`)
	}
	w.Header().Set("Connection", "close")
}
