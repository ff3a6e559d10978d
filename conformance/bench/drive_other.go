//go:build !linux

package main

import (
	"net"
	"sync"
)

// socket is a connection whose reads and writes wait.
type socket struct{ conn net.Conn }

func socketOf(c net.Conn) (socket, error) { return socket{c}, nil }

func (s socket) read(b []byte) (int, error) { return s.conn.Read(b) }

func (s socket) write(b []byte) (int, error) { return s.conn.Write(b) }

func (s socket) close() { s.conn.Close() }

// drive gives each client of a round a goroutine. On Linux, which the published
// numbers are from, they share a thread and take less from the server.
func drive(askers []*rawAsker) error {
	var wg sync.WaitGroup
	for _, a := range askers {
		wg.Go(func() {
			for a.ask(); !a.done; {
				a.advance()
			}
		})
	}
	wg.Wait()
	return nil
}
