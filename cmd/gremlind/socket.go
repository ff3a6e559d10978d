package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"

	"github.com/gremlind/gremlind/protocol"
)

// socketName is the socket in the data directory through which the other commands
// reach a running server. Whoever may open the directory may open the socket.
const socketName = "admin.sock"

// startSocket listens on the data directory's socket. The store's lock is held, so a
// socket that is there already is left over.
func (s *server) startSocket() {
	if s.c.Memory {
		return
	}
	path := dataPath(s.c, socketName)
	_ = os.Remove(path)
	l, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		// The path may be too long for a socket; the commands then need the server down.
		s.log.Warn("no socket for gremlind console, query, mcp, user, role, set, status, top, kill, check, du, compact, backup, import and export", "error", err)
		return
	}
	// Whoever opens it is the user that the server runs as, and may do what that user may.
	handler := s.gate.AdminHandler(protocol.Admin{Loopback: true, By: "socket"}, s.socketRoutes())
	ctx, stop := context.WithCancel(context.Background())
	s.admin.stop = stop
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.admin.running.Add(1)
		defer s.admin.running.Done()
		handler.ServeHTTP(w, r)
	})
	s.admin.socket = &http.Server{
		Handler: counted, ReadHeaderTimeout: adminTimeout, BaseContext: func(net.Listener) context.Context { return ctx },
	}
	go func() {
		if err := s.admin.socket.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("socket", "error", err)
		}
	}()
}

// socketRoutes are what the socket answers beside protocol.AdminPatterns.
func (s *server) socketRoutes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"/users": s.users.Handler(s.userChanged).ServeHTTP, "/roles": s.users.RolesHandler(s.userChanged).ServeHTTP,
		"/settings": s.serveSettings("socket"), "GET /check": s.serveCheck, "GET /du": answering(s.serveDu), "POST /compact": answering(s.serveCompact), "POST /backup": s.serveBackupAnywhere,
		"POST /import/begin": answering(s.serveImportBegin), "POST /import/batch": answering(s.serveImportBatch), "GET /export": s.serveExport,
		"GET /graph/backup": s.serveGraphBackup, "POST /graph/restore": answering(s.serveGraphRestore),
		"GET /gremlin": s.gate.Trusted,
	}
}

// userChanged logs and counts a change of users that was asked for over the socket.
func (s *server) userChanged(what, name string, err error) {
	s.gate.UserChanged(what, name, "socket", err)
}

// errNoServer is returned when no server runs on the data directory.
var errNoServer = errors.New("no server runs on this data directory")

// ask sends a request to the server of a data directory. A nil body sends none.
func ask(ctx context.Context, c *config, method, path string, body, answer any) error {
	var r io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		r = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, r)
	if err != nil {
		return err
	}
	resp, err := askSocket(socketClient(c, false), req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return readAnswer(resp.Body, answer)
}

// readAnswer reads a body of JSON, or one of text into an io.Writer. A nil answer reads none.
func readAnswer(body io.Reader, answer any) error {
	if answer == nil {
		return nil
	}
	if w, ok := answer.(io.Writer); ok {
		_, err := io.Copy(w, body)
		return err
	}
	return json.NewDecoder(body).Decode(answer)
}

// socketClient reaches the server of a data directory, by one connection for all
// requests when it is kept.
func socketClient(c *config, keep bool) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: !keep,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", dataPath(c, socketName))
		},
	}}
}

// askSocket sends a request; what is not answered with 200 is an error.
func askSocket(client *http.Client, req *http.Request) (*http.Response, error) {
	resp, err := client.Do(req)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, errNoServer
	}
	if err != nil {
		return nil, fmt.Errorf("ask the server: %w", err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("ask the server: %w", err)
	}
	var f failure
	if json.Unmarshal(b, &f) != nil || f.Message == "" {
		f.Message = resp.Status
	}
	return nil, f
}
