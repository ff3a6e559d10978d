package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"sync/atomic"
)

// certificates are the endpoint's, replaced on SIGHUP.
type certificates struct {
	c       *config
	current atomic.Pointer[tls.Certificate]
}

func (k *certificates) load() error {
	cert, err := tls.LoadX509KeyPair(k.c.TLS.CertFile, k.c.TLS.KeyFile)
	if err != nil {
		return fmt.Errorf("read certificate: %w", err)
	}
	k.current.Store(&cert)
	return nil
}

var tlsVersions = map[string]uint16{"TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}

// secure puts TLS on the listener when it is configured.
func (s *server) secure(l net.Listener) (net.Listener, error) {
	t := s.c.TLS
	if !t.Enabled {
		return l, nil
	}
	s.certs = &certificates{c: s.c}
	if err := s.certs.load(); err != nil {
		return nil, usageError{err}
	}
	conf := &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return s.certs.current.Load(), nil
		},
		NextProtos: []string{"http/1.1"},
	}
	for i, name := range t.Protocols {
		v, ok := tlsVersions[name]
		if !ok {
			return nil, usage("ssl.sslEnabledProtocols: %s is not served: TLSv1.2 and TLSv1.3 are", name)
		}
		if i == 0 {
			conf.MinVersion, conf.MaxVersion = v, v
		}
		conf.MinVersion, conf.MaxVersion = min(conf.MinVersion, v), max(conf.MaxVersion, v)
	}
	if t.ClientCA != "" {
		pem, err := os.ReadFile(t.ClientCA)
		if err != nil {
			return nil, usageError{fmt.Errorf("read client authorities: %w", err)}
		}
		conf.ClientCAs = x509.NewCertPool()
		if !conf.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, usage("ssl.trustCertChainFile: %s holds no certificate", t.ClientCA)
		}
		conf.ClientAuth = tls.VerifyClientCertIfGiven
	}
	if t.NeedClient {
		if conf.ClientCAs == nil {
			return nil, usage("ssl.needClientAuth REQUIRE needs ssl.trustCertChainFile")
		}
		conf.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return tls.NewListener(l, conf), nil
}

// reload reads certificates again.
func (s *server) reload() {
	if s.certs == nil {
		s.log.Info("SIGHUP: nothing to read again")
		return
	}
	if err := s.certs.load(); err != nil {
		s.log.Error("SIGHUP: the old certificate stays", "error", err)
		return
	}
	s.log.Info("SIGHUP: certificate read again")
}
