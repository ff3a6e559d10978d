//go:build drivers

package drivers

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	gremlin "github.com/apache/tinkerpop/gremlin-go/v3/driver"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/conformance/server"
)

// The user of TinkerPop's own test server.
const user, password = "stephen", "password"

// startSecure starts a server with TLS and that user; never one that is not ours.
func startSecure(t *testing.T) *subject {
	t.Helper()
	s := &subject{t: t}
	dir := t.TempDir()
	binaryPath := *binary
	if binaryPath == "" {
		var err error
		if binaryPath, err = server.Build(context.Background(), root); err != nil {
			t.Fatal(err)
		}
	}
	add := exec.Command(binaryPath, "user", "add", user, "--data-dir", filepath.Join(dir, "data"))
	add.Stdin = strings.NewReader(password + "\n")
	if out, err := add.CombinedOutput(); err != nil {
		t.Fatalf("add user: %v\n%s", err, out)
	}
	cert, key := certificate(t, dir)
	port, err := server.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	s.options = server.Options{Root: root, Config: "conformance/tinkerpop.yaml", Port: port, Binary: binaryPath, DataDir: filepath.Join(dir, "data"),
		Args: []string{"--auth", "--set", "ssl.enabled=true", "--set", "ssl.keyCertChainFile=" + cert, "--set", "ssl.keyFile=" + key}}
	s.start()
	t.Cleanup(func() {
		if err := s.running.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *subject) secureURL() string { return "wss" + strings.TrimPrefix(s.running.URL, "ws") }

// certificate writes a certificate that is signed by itself, as TinkerPop's is.
func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: public}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// TestAuth lets every driver in with its name and password over TLS, ten requests at
// once on a new connection, and keeps those with a wrong password out.
func TestAuth(t *testing.T) {
	need(t, "python3", "node", "npm", "java", "mvn")
	s := startSecure(t)
	t.Run("Go", func(t *testing.T) { goAuth(t, s) })
	t.Run("Python", func(t *testing.T) {
		s.as(t).drive(nil, installPython(t), absolute(t, "testdata/auth.py"), s.secureURL(), user, password)
	})
	t.Run("JavaScript", func(t *testing.T) {
		s.as(t).drive([]string{"NODE_PATH=" + installNode(t)}, "node", absolute(t, "testdata/auth.js"), s.secureURL(), user, password)
	})
	t.Run("Java", func(t *testing.T) {
		s.as(t).drive(nil, "java", "-cp", driverClassPath(t), absolute(t, "testdata/Auth.java"), s.port(), user, password)
	})
	t.Run("HTTP", func(t *testing.T) { httpAuth(t, s) })
	t.Run("plain", func(t *testing.T) {
		if c, _, err := websocket.DefaultDialer.Dial(s.url(), nil); err == nil {
			c.Close()
			t.Error("ws:// is served on a port with TLS")
		}
	})
}

// as is s for a subtest.
func (s *subject) as(t *testing.T) *subject {
	return &subject{t: t, options: s.options, running: s.running}
}

func goAuth(t *testing.T, s *subject) {
	count := func(password string) error {
		c, err := gremlin.NewDriverRemoteConnection(s.secureURL(), func(o *gremlin.DriverRemoteConnectionSettings) {
			o.TraversalSource, o.LogVerbosity = "gmodern", gremlin.Off
			o.AuthInfo = gremlin.BasicAuthInfo(user, password)
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
	if err := count(password); err != nil {
		t.Error(err)
	}
	if err := count("wrong"); err == nil || !strings.Contains(err.Error(), "Username and/or password are incorrect") {
		t.Errorf("a wrong password: %v", err)
	}
}

func httpAuth(t *testing.T, s *subject) {
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer c.CloseIdleConnections()
	for password, status := range map[string]int{password: 200, "wrong": 401, "": 401} {
		req, err := http.NewRequest(http.MethodPost, "https://127.0.0.1:"+s.port()+"/gremlin", bytes.NewReader([]byte(`{"gremlin":"100-1"}`)))
		if err != nil {
			t.Fatal(err)
		}
		if password != "" {
			req.SetBasicAuth(user, password)
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
