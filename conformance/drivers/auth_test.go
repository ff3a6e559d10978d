//go:build drivers

package drivers

import (
	"bytes"
	"context"
	"crypto/tls"
	"net/http"
	"strings"
	"sync"
	"testing"

	gremlin "github.com/apache/tinkerpop/gremlin-go/v3/driver"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/conformance/server"
)

// startSecure starts a server with TLS and the user of TinkerPop's own test server;
// never one that is not ours.
func startSecure(t *testing.T) *subject {
	t.Helper()
	s := &subject{t: t}
	running, err := server.StartSecure(context.Background(),
		server.Options{Root: root, Config: "conformance/tinkerpop.yaml", Binary: *binary}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.running = running
	t.Cleanup(func() {
		if err := s.running.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestAuth lets every driver in with its name and password over TLS, ten requests at
// once on a new connection, and keeps those with a wrong password out.
func TestAuth(t *testing.T) {
	need(t, "python3", "node", "npm", "java", "mvn")
	s := startSecure(t)
	t.Run("Go", func(t *testing.T) { goAuth(t, s) })
	t.Run("Python", func(t *testing.T) {
		s.of(t).drive(nil, installPython(t, artifact.TinkerPop), absolute(t, "testdata/auth.py"), s.running.URL, server.User, server.Password)
	})
	t.Run("JavaScript", func(t *testing.T) {
		s.of(t).drive([]string{"NODE_PATH=" + installNode(t, artifact.TinkerPop)}, "node", absolute(t, "testdata/auth.js"), s.running.URL, server.User, server.Password)
	})
	t.Run("Java", func(t *testing.T) {
		s.of(t).drive(nil, "java", "-cp", driverClassPath(t), absolute(t, "testdata/Auth.java"), s.port(), server.User, server.Password)
	})
	t.Run("HTTP", func(t *testing.T) { httpAuth(t, s) })
	t.Run("plain", func(t *testing.T) {
		if c, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.url(), "wss"), nil); err == nil {
			c.Close()
			t.Error("ws:// is served on a port with TLS")
		}
	})
}

func goAuth(t *testing.T, s *subject) {
	count := func(password string) error {
		c, err := gremlin.NewDriverRemoteConnection(s.running.URL, func(o *gremlin.DriverRemoteConnectionSettings) {
			o.TraversalSource, o.LogVerbosity = "gmodern", gremlin.Off
			o.AuthInfo = gremlin.BasicAuthInfo(server.User, password)
			o.TlsConfig = &tls.Config{InsecureSkipVerify: true}
		})
		if err != nil {
			return err
		}
		defer c.Close()
		g := gremlin.Traversal_().WithRemote(c)
		errs := make(chan error, 10)
		var wg sync.WaitGroup
		for range cap(errs) {
			wg.Add(1)
			go func() {
				defer wg.Done()
				r, err := g.V().Count().Next()
				if err == nil && r.GetInterface() != int64(6) {
					t.Errorf("count %v", r)
				}
				errs <- err
			}()
		}
		wg.Wait()
		return <-errs
	}
	if err := count(server.Password); err != nil {
		t.Error(err)
	}
	if err := count("wrong"); err == nil || !strings.Contains(err.Error(), "Username and/or password are incorrect") {
		t.Errorf("a wrong password: %v", err)
	}
}

func httpAuth(t *testing.T, s *subject) {
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer c.CloseIdleConnections()
	for password, status := range map[string]int{server.Password: 200, "wrong": 401, "": 401} {
		req, err := http.NewRequest(http.MethodPost, "https://127.0.0.1:"+s.port()+"/gremlin", bytes.NewReader([]byte(`{"gremlin":"100-1"}`)))
		if err != nil {
			t.Fatal(err)
		}
		if password != "" {
			req.SetBasicAuth(server.User, password)
		}
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != status {
			t.Errorf("password %q: %s", password, resp.Status)
		}
	}
}

func driverClassPath(t *testing.T) string {
	t.Helper()
	driver := artifact.Coordinates{Group: "org.apache.tinkerpop", Name: "gremlin-driver", Version: artifact.TinkerPop}
	logging := artifact.Coordinates{Group: "org.slf4j", Name: "slf4j-nop", Version: "1.7.25"}
	classPath, err := artifact.ClassPath(context.Background(), cache, "gremlin-driver-all", nil, driver, artifact.TinkerGraph, logging)
	if err != nil {
		t.Fatal(err)
	}
	return classPath
}
