package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"sync/atomic"
)

// certificates are what TLS is served with, read again on SIGHUP.
type certificates struct {
	c       tlsConfig
	current atomic.Pointer[tls.Config]
}

var tlsVersions = map[string]uint16{"TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}

// load reads the files; what was read before stays when one of them is bad.
func (k *certificates) load() error {
	cert, err := tls.LoadX509KeyPair(k.c.CertFile, k.c.KeyFile)
	if err != nil {
		return fmt.Errorf("read certificate: %w", err)
	}
	conf := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{cert}, NextProtos: []string{"http/1.1"}}
	for i, name := range k.c.Protocols {
		v, ok := tlsVersions[name]
		if !ok {
			return usage("ssl.sslEnabledProtocols: %s is not served: TLSv1.2 and TLSv1.3 are", name)
		}
		if i == 0 {
			conf.MinVersion, conf.MaxVersion = v, v
		}
		conf.MinVersion, conf.MaxVersion = min(conf.MinVersion, v), max(conf.MaxVersion, v)
	}
	if err := k.clients(conf); err != nil {
		return err
	}
	k.current.Store(conf)
	return nil
}

// clients says which certificates of clients are taken.
func (k *certificates) clients(conf *tls.Config) error {
	if k.c.ClientCA != "" {
		pem, err := os.ReadFile(k.c.ClientCA)
		if err != nil {
			return fmt.Errorf("read client authorities: %w", err)
		}
		conf.ClientCAs = x509.NewCertPool()
		if !conf.ClientCAs.AppendCertsFromPEM(pem) {
			return usage("ssl.trustCertChainFile: %s holds no certificate", k.c.ClientCA)
		}
		conf.ClientAuth = tls.VerifyClientCertIfGiven
	}
	switch k.c.ClientAuth {
	case "", "NONE", "OPTIONAL":
	case "REQUIRE":
		if conf.ClientCAs == nil {
			return usage("ssl.needClientAuth REQUIRE needs ssl.trustCertChainFile")
		}
		conf.ClientAuth = tls.RequireAndVerifyClientCert
	default:
		return usage("ssl.needClientAuth: %.40q is none of NONE, OPTIONAL and REQUIRE", k.c.ClientAuth)
	}
	return nil
}

// secure puts TLS on the listener when it is configured.
func (s *server) secure(l net.Listener) (net.Listener, error) {
	if !s.c.TLS.Enabled {
		return l, nil
	}
	if s.certs == nil {
		certs := &certificates{c: s.c.TLS}
		if err := certs.load(); err != nil {
			return nil, usageError{err}
		}
		s.certs = certs
	}
	certs := s.certs
	return tls.NewListener(l, &tls.Config{
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return certs.current.Load(), nil },
	}), nil
}

// reload reads certificates again, and opens the audit file again.
func (s *server) reload() {
	if s.audit != nil {
		if err := s.audit.Reopen(); err != nil {
			s.log.Error("SIGHUP: the old audit file stays", "error", err)
		} else {
			s.log.Info("SIGHUP: audit file opened again")
		}
	}
	if s.certs == nil {
		s.log.Info("SIGHUP: no certificate to read again")
		return
	}
	if err := s.certs.load(); err != nil {
		s.log.Error("SIGHUP: the old certificates stay", "error", err)
		return
	}
	s.log.Info("SIGHUP: certificate read again, and the authorities of clients")
}
