package main

import (
	"net"
	"os"
)

// notify tells systemd about the state of the service; without it, nobody listens.
func notify(state string) {
	name := os.Getenv("NOTIFY_SOCKET")
	if name == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return
	}
	defer conn.Close()
	// Whether systemd hears it or not, the server does the same.
	_, _ = conn.Write([]byte(state))
}
