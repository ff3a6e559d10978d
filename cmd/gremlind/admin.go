package main

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"time"
)

// adminServer answers health, metrics, pprof, status and kill.
type adminServer struct {
	http *http.Server
	addr string
	// socket is the data directory's.
	socket *http.Server
}

// startAdmin listens on the admin address: by default the port behind the main one,
// where an address that is taken is not worth refusing to start.
func (s *server) startAdmin() {
	s.admin = &adminServer{}
	addr := s.c.Admin
	if addr == "off" {
		return
	}
	if addr == "" {
		if s.c.Port == 0 {
			return
		}
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(s.c.Port+1))
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		s.log.Warn("no admin address", "error", err)
		return
	}
	s.admin.addr = l.Addr().String()
	s.admin.http = &http.Server{Handler: s.adminHandler(), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := s.admin.http.Serve(l); err != http.ErrServerClosed {
			s.log.Error("admin address", "error", err)
		}
	}()
	s.log.Info("admin", "address", s.admin.addr)
}

func (a *adminServer) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, h := range []*http.Server{a.http, a.socket} {
		if h != nil {
			_ = h.Shutdown(ctx)
		}
	}
}
