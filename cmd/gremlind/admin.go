package main

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gremlind/gremlind/protocol"
)

// adminServer answers health, metrics, pprof, status and kill.
type adminServer struct {
	http *http.Server
	addr string
	// socket is the data directory's.
	socket *http.Server
	// stop ends what the socket's requests do; they are waited for before the database
	// is closed.
	stop    context.CancelFunc
	running sync.WaitGroup
}

// startAdmin listens on the admin address: by default the port behind the main one,
// where an address that is taken is not worth refusing to start. Beyond loopback it is
// served with TLS where the endpoint is.
func (s *server) startAdmin() error {
	s.admin = &adminServer{}
	addr := s.c.Admin
	if addr == "off" {
		return nil
	}
	if addr == "" {
		if s.c.Port == 0 {
			return nil
		}
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(s.c.Port+1))
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		s.log.Warn("no admin address", "error", err)
		return nil
	}
	s.admin.addr = l.Addr().String()
	host, _, _ := net.SplitHostPort(addr) // it was listened on
	local := loopback(host)
	if !local {
		if l, err = s.secure(l); err != nil {
			return err
		}
	}
	handler := s.gate.AdminHandler(protocol.Admin{
		Hosts: s.c.AllowedHosts, Loopback: local, Login: s.c.Auth, OpenMetrics: s.c.OpenMetrics,
	}, s.adminRoutes())
	s.admin.http = &http.Server{Handler: handler, ReadHeaderTimeout: adminTimeout, MaxHeaderBytes: s.c.Limits.HeaderBytes}
	go func() {
		if err := s.admin.http.Serve(l); err != http.ErrServerClosed {
			s.log.Error("admin address", "error", err)
		}
	}()
	s.log.Info("admin", "address", s.admin.addr)
	return nil
}

// adminRoutes are what the admin address answers beside protocol.AdminPatterns.
func (s *server) adminRoutes() map[string]http.HandlerFunc {
	routes := map[string]http.HandlerFunc{"POST /backup": s.serveBackup}
	if s.c.Auth { // where nobody is asked who he is, the socket alone changes settings
		routes["/settings"] = s.serveSettings("admin address")
	}
	return routes
}

func (a *adminServer) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, h := range []*http.Server{a.http, a.socket} {
		if h != nil && h.Shutdown(ctx) != nil {
			_ = h.Close()
		}
	}
	if a.stop != nil {
		a.stop()
	}
	a.running.Wait()
}
