//go:build unix

package connection

import (
	"net"
	"syscall"
)

// nowWriter writes to a socket what the kernel takes at once.
type nowWriter struct {
	raw   syscall.RawConn
	write func(fd uintptr) bool // made once
	buf   []byte
	n     int
	err   error
}

// newNowWriter returns nil for a connection that is no socket, as with TLS.
func newNowWriter(c net.Conn) *nowWriter {
	s, ok := c.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return nil
	}
	w := &nowWriter{raw: raw}
	w.write = func(fd uintptr) bool {
		w.n, w.err = syscall.Write(int(fd), w.buf)
		return true
	}
	return w
}

// send returns how many bytes were written: fewer than all is no error.
func (w *nowWriter) send(buf []byte) (int, error) {
	w.buf = buf
	err := w.raw.Write(w.write)
	w.buf = nil
	switch {
	case err != nil:
		return 0, err
	case w.err == syscall.EAGAIN || w.err == syscall.EINTR:
		return 0, nil
	case w.err != nil:
		return 0, w.err
	}
	return w.n, nil
}
