package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gremlind/gremlind/traversal"
)

// host is what io() and call() reach: files inside one folder, and the services.
type host struct {
	root *os.Root // nil when io() is refused
}

var _ traversal.Host = (*host)(nil)

var errNoIO = errors.New("io() is switched off: ioDir names the folder that it may reach")

func newHost(c *config) *host {
	h := &host{}
	if c.IODir != "" {
		// A folder that cannot be opened refuses io() with the same message.
		h.root, _ = os.OpenRoot(c.IODir)
	}
	return h
}

// OpenRead opens a file of the folder; symbolic links out of it are refused.
func (h *host) OpenRead(name string) (io.ReadCloser, error) {
	if h.root == nil {
		return nil, errNoIO
	}
	f, err := h.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("io(%q) inside ioDir: %w", name, err)
	}
	return f, nil
}

// OpenWrite makes a file of the folder, or empties it.
func (h *host) OpenWrite(name string) (io.WriteCloser, error) {
	if h.root == nil {
		return nil, errNoIO
	}
	f, err := h.root.Create(name)
	if err != nil {
		return nil, fmt.Errorf("io(%q) inside ioDir: %w", name, err)
	}
	return f, nil
}

// Service returns a service by name.
func (h *host) Service(name string) (traversal.Service, bool) { return nil, false }

// ServiceNames lists the services.
func (h *host) ServiceNames() []string { return nil }
