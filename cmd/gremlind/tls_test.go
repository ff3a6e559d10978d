package main

import (
	"crypto/tls"
	"testing"
)

// TestCertificates_Protocols: what is served are the versions that are named, and none between
// an older one and them.
func TestCertificates_Protocols(t *testing.T) {
	cert, key := certificate(t)
	for _, c := range []struct {
		names     []string
		least, to uint16
	}{
		{nil, tls.VersionTLS12, 0}, {[]string{"TLSv1.2"}, tls.VersionTLS12, tls.VersionTLS12}, {[]string{"TLSv1.3"}, tls.VersionTLS13, tls.VersionTLS13},
		{[]string{"TLSv1.2", "TLSv1.3"}, tls.VersionTLS12, tls.VersionTLS13}, {[]string{"TLSv1.3", "TLSv1.2"}, tls.VersionTLS12, tls.VersionTLS13},
	} {
		k := &certificates{c: tlsConfig{CertFile: cert, KeyFile: key, Protocols: c.names}}
		if err := k.load(); err != nil {
			t.Fatal(err)
		}
		if got := k.current.Load(); got.MinVersion != c.least || got.MaxVersion != c.to {
			t.Errorf("%v: from %s to %s", c.names, tls.VersionName(got.MinVersion), tls.VersionName(got.MaxVersion))
		}
	}
}
