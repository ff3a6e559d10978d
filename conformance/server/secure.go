package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// User and Password are those of TinkerPop's secure test server.
const User, Password = "stephen", "password"

// StartSecure starts a server with TLS, a certificate signed by itself and that user,
// as TinkerPop's secure test server is; its URL is a wss one. dir keeps its data, its
// certificate and its key.
func StartSecure(ctx context.Context, o Options, dir string) (*Server, error) {
	o, err := secure(ctx, o, dir)
	if err != nil {
		return nil, err
	}
	s, err := Start(ctx, o)
	if err != nil {
		return nil, err
	}
	s.URL = "wss" + strings.TrimPrefix(s.URL, "ws")
	return s, nil
}

func secure(ctx context.Context, o Options, dir string) (Options, error) {
	var err error
	if o.Binary == "" {
		if o.Binary, err = Build(ctx, o.Root); err != nil {
			return o, err
		}
	}
	o.DataDir = filepath.Join(dir, "data")
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	o.Args = append(o.Args[:len(o.Args):len(o.Args)], "--auth",
		"--set", "ssl.enabled=true", "--set", "ssl.keyCertChainFile="+cert, "--set", "ssl.keyFile="+key)
	if _, err := os.Stat(key); err == nil {
		return o, nil // started before
	}
	add := exec.CommandContext(ctx, o.Binary, "user", "add", User, "--data-dir", o.DataDir)
	add.Stdin = strings.NewReader(Password + "\n")
	if out, err := add.CombinedOutput(); err != nil {
		return o, fmt.Errorf("add user %s: %w\n%s", User, err, out)
	}
	return o, writeCertificate(cert, key)
}

// writeCertificate writes a certificate of localhost and its private key.
func writeCertificate(cert, key string) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return fmt.Errorf("sign certificate: %w", err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return fmt.Errorf("encode key: %w", err)
	}
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: public}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			return fmt.Errorf("write certificate: %w", err)
		}
	}
	return nil
}
