package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/spf13/pflag"
)

// administration is that of a server, as commands reach it: by the socket of the data
// directory, or where there is none by the admin address, with a login where that is asked for.
type administration struct {
	c        *config
	login    targetOptions // of which only the user is used
	password string
}

func (a *administration) flags(f *pflag.FlagSet) {
	f.StringVar(&a.login.user, "user", "", "user name at the admin address, where there is no socket; the password is GREMLIN_PASSWORD, or in --password-file, or asked for")
	f.StringVar(&a.login.passwordFile, "password-file", "", "file whose first line is the password")
}

// settle reads the configuration.
func (a *administration) settle(f *pflag.FlagSet) (err error) {
	a.c, err = loadConfig(f, nil, os.Environ())
	return err
}

// ask asks the server.
func (a *administration) ask(ctx context.Context, method, path string, answer any) error {
	if !a.c.Memory {
		if err := ask(ctx, a.c, method, path, nil, answer); !errors.Is(err, errNoServer) {
			return err
		}
	}
	address := a.c.Admin
	if address == "" {
		address = net.JoinHostPort("127.0.0.1", strconv.Itoa(a.c.Port+1))
	}
	if a.login.user == "" {
		return askHTTP(ctx, method, "http://"+address+path, answer)
	}
	if host, _, err := net.SplitHostPort(address); err != nil || !loopback(host) {
		return usage("--user: a password goes to an admin address of this machine alone, not to %s", address)
	}
	if a.password == "" {
		var err error
		if a.password, err = a.login.password("", os.Stdin); err != nil {
			return err
		}
	}
	return askHTTP(ctx, method, "http://"+address+path, answer, func(r *http.Request) { r.SetBasicAuth(a.login.user, a.password) })
}
