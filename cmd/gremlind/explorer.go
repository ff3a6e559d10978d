package main

import (
	"net"
	"net/url"
	"strconv"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/complete"
	"github.com/gremlind/gremlind/protocol/explorer"
)

// explores reports whether the page for people is served. It asks over HTTP.
func (c *config) explores() bool { return c.Explorer && !c.WebSocketOnly }

// newExplorer makes the page for people; nil where none is served.
func newExplorer(c *config) *explorer.Page {
	if !c.explores() {
		return nil
	}
	return explorer.New(func() explorer.Words {
		v := complete.New().Vocabulary()
		words := explorer.Words{Start: asWords(v.Start), Inner: asWords(v.Inner), Predicates: asWords(v.Predicates), Enums: map[string][]explorer.Word{}}
		for class, list := range v.Enums {
			words.Enums[class] = asWords(list)
		}
		return words
	})
}

func asWords(list []complete.Candidate) []explorer.Word {
	words := make([]explorer.Word, len(list))
	for i, c := range list {
		words[i] = explorer.Word(c)
	}
	return words
}

// explorerURL is what to open in a browser on this machine, or, for a server of others,
// by the host that it listens on.
func explorerURL(c *config, at net.Addr) string {
	u := url.URL{Scheme: "http", Host: at.String(), Path: "/"}
	if c.TLS.Enabled {
		u.Scheme = "https"
	}
	if tcp, ok := at.(*net.TCPAddr); ok && (tcp.IP.IsLoopback() || tcp.IP.IsUnspecified()) {
		u.Host = net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return u.String()
}
