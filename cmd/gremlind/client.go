package main

import (
	"crypto/tls"
	"net/http"
)

// insecureClient asks servers of this machine, whose certificates are often their own.
func insecureClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
	}}
}
