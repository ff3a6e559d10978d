package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
)

// socket is a connection that never waits. The runtime's poller does not know it: it
// would wake up for everything that comes.
type socket struct{ fd int }

// socketOf takes a connection over.
func socketOf(c net.Conn) (socket, error) {
	defer c.Close()
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return socket{}, fmt.Errorf("the raw clients need plain TCP, not %T", c)
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return socket{}, fmt.Errorf("take over connection: %w", err)
	}
	var s socket
	var failed error
	err = raw.Control(func(fd uintptr) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if s.fd, failed = syscall.Dup(int(fd)); failed == nil {
			syscall.CloseOnExec(s.fd)
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return socket{}, fmt.Errorf("take over connection: %w", err)
	}
	return s, nil
}

// read returns 0 when nothing has come.
func (s socket) read(b []byte) (int, error) {
	n, err := syscall.Read(s.fd, b)
	if n == 0 && err == nil {
		return 0, io.EOF
	}
	return notYet(n, err)
}

// write returns how much the socket takes for now.
func (s socket) write(b []byte) (int, error) { return notYet(syscall.Write(s.fd, b)) }

func notYet(n int, err error) (int, error) {
	if err == syscall.EAGAIN || err == syscall.EINTR {
		return 0, nil
	}
	return n, err
}

func (s socket) close() { syscall.Close(s.fd) }
