package main

import (
	"fmt"
	"runtime"
	"syscall"
)

// drive serves all clients of a round from one thread, which sleeps in the kernel when
// nothing has come for any of them: two processors belong mostly to the server.
func drive(askers []*rawAsker) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p, err := newPoller(len(askers))
	if err != nil {
		return err
	}
	defer p.close()
	for i, a := range askers {
		a.ask()
		if err := p.watch(i, a); err != nil {
			return err
		}
	}
	for p.watched > 0 {
		ready, err := p.wait()
		if err != nil {
			return err
		}
		for _, e := range ready {
			i := int(e.Fd) // what watch left there
			askers[i].advance()
			if err := p.watch(i, askers[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// poller waits for the sockets of clients, each known by its number.
type poller struct {
	fd      int
	events  []syscall.EpollEvent
	waitFor []uint32 // what each client waits for; 0 when it is not watched
	watched int
}

func newPoller(clients int) (*poller, error) {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make poller: %w", err)
	}
	return &poller{fd: fd, events: make([]syscall.EpollEvent, clients), waitFor: make([]uint32, clients)}, nil
}

func (p *poller) close() { syscall.Close(p.fd) }

// watch sees to it that a client is told what it waits for.
func (p *poller) watch(i int, a *rawAsker) error {
	before, now := p.waitFor[i], waitsFor(a)
	if before == now {
		return nil
	}
	op := syscall.EPOLL_CTL_MOD
	switch {
	case before == 0:
		op = syscall.EPOLL_CTL_ADD
		p.watched++
	case now == 0:
		op = syscall.EPOLL_CTL_DEL
		p.watched--
	}
	p.waitFor[i] = now
	if err := syscall.EpollCtl(p.fd, op, a.fd, &syscall.EpollEvent{Events: now, Fd: int32(i)}); err != nil {
		return fmt.Errorf("watch connection: %w", err)
	}
	return nil
}

func waitsFor(a *rawAsker) uint32 {
	switch {
	case a.done:
		return 0
	case len(a.unsent) > 0:
		return syscall.EPOLLIN | syscall.EPOLLOUT
	}
	return syscall.EPOLLIN
}

// wait returns the clients for which something has come.
func (p *poller) wait() ([]syscall.EpollEvent, error) {
	for {
		n, err := syscall.EpollWait(p.fd, p.events, -1)
		if err == nil {
			return p.events[:n], nil
		}
		if err != syscall.EINTR {
			return nil, fmt.Errorf("wait for connections: %w", err)
		}
	}
}
