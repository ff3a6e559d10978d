//go:build !unix

package connection

import "net"

// nowWriter is nothing that other systems have.
type nowWriter struct{}

func newNowWriter(net.Conn) *nowWriter { return nil }

func (w *nowWriter) send([]byte) (int, error) { return 0, nil }
