package token

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-jose/go-jose/v4"
)

const (
	// keysMax bounds the keys of all files: each may be tried for a token.
	keysMax = 64
	// fileMax bounds a file in bytes.
	fileMax = 1 << 20
	// secretMin is the shortest secret in bytes: a shorter one can be guessed from a token.
	secretMin = 32
	// rsaMin is the shortest RSA key in bits.
	rsaMin = 2048
)

// key is what signatures are checked with.
type key struct {
	algorithm jose.SignatureAlgorithm
	id        string // kid; "" for a key without, which is tried for every token
	material  any    // []byte, *rsa.PublicKey or ed25519.PublicKey
	print     string // tells it from other keys, and nothing about it
}

// newKey takes a public key, or a secret.
func newKey(id string, material any) (key, error) {
	k := key{id: id, material: material}
	var b []byte
	switch m := material.(type) {
	case []byte:
		if len(m) < secretMin {
			return k, fmt.Errorf("a secret of %d bytes: want %d at least", len(m), secretMin)
		}
		k.algorithm, b = jose.HS256, m
	case *rsa.PublicKey:
		if m.N.BitLen() < rsaMin {
			return k, fmt.Errorf("an RSA key of %d bits: want %d at least", m.N.BitLen(), rsaMin)
		}
		k.algorithm, b = jose.RS256, x509.MarshalPKCS1PublicKey(m)
	case ed25519.PublicKey:
		k.algorithm, b = jose.EdDSA, m
	default:
		return k, fmt.Errorf("%w: %T", errUnusable, material)
	}
	sum := sha256.Sum256(append([]byte(k.algorithm+"\x00"), b...))
	k.print = hex.EncodeToString(sum[:])
	return k, nil
}

// errUnusable is what a key of a set is that may be there for others.
var errUnusable = errors.New("want an RSA or Ed25519 public key")

// read returns a file's content.
func read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, fileMax+1))
	if err == nil && len(b) > fileMax {
		err = fmt.Errorf("%s is larger than %d bytes", name, fileMax)
	}
	return b, err
}

// parseKeys reads the keys of a PEM file, or of a set of JSON Web Keys.
func parseKeys(b []byte) ([]key, error) {
	if b = bytes.TrimSpace(b); bytes.HasPrefix(b, []byte("{")) {
		return parseSet(b)
	}
	return parsePEM(b)
}

// parseSet reads a JWKS. Keys that are no signature keys of ours are left out: the set may
// be meant for others, too.
func parseSet(b []byte) ([]key, error) {
	var set struct {
		Keys *[]json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(b, &set); err != nil {
		return nil, fmt.Errorf("read JWKS: %w", err)
	}
	if set.Keys == nil {
		return nil, errors.New(`read JWKS: want {"keys": [...]}`)
	}
	if len(*set.Keys) > keysMax {
		return nil, fmt.Errorf("read JWKS: %d keys, want %d at most", len(*set.Keys), keysMax)
	}
	var keys []key
	for i, text := range *set.Keys {
		var j jose.JSONWebKey
		err := j.UnmarshalJSON(text)
		if errors.Is(err, jose.ErrUnsupportedKeyType) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read JWKS: key %d: %w", i, err)
		}
		if _, secret := j.Key.([]byte); !secret && !j.IsPublic() {
			return nil, fmt.Errorf("read JWKS: key %d is private: keep it where tokens are made, and name the public one here", i)
		}
		if j.Use != "" && j.Use != "sig" {
			continue
		}
		k, err := newKey(j.KeyID, j.Key)
		if errors.Is(err, errUnusable) || err == nil && j.Algorithm != "" && j.Algorithm != string(k.algorithm) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read JWKS: key %d: %w", i, err)
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// parsePEM reads public keys, and those of certificates.
func parsePEM(b []byte) ([]key, error) {
	var keys []key
	for {
		block, rest := pem.Decode(b)
		if block == nil {
			break
		}
		b = rest
		material, err := publicKey(block)
		if err != nil {
			return nil, fmt.Errorf("read PEM: %s: %w", block.Type, err)
		}
		k, err := newKey("", material)
		if err != nil {
			return nil, fmt.Errorf("read PEM: %w", err)
		}
		if keys = append(keys, k); len(keys) > keysMax {
			return nil, fmt.Errorf("read PEM: want %d keys at most", keysMax)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("neither a public key in PEM nor a JWKS")
	}
	return keys, nil
}

func publicKey(block *pem.Block) (any, error) {
	switch block.Type {
	case "PUBLIC KEY":
		return x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		return x509.ParsePKCS1PublicKey(block.Bytes)
	case "CERTIFICATE":
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		return c.PublicKey, nil
	}
	return nil, errors.New("want a PUBLIC KEY or a CERTIFICATE; private keys stay where tokens are made")
}

// parseSecret reads a secret: the bytes of its file without a line's end. What looks like
// a key that others may know is none.
func parseSecret(b []byte) (key, error) {
	b = bytes.TrimRight(b, "\r\n")
	if bytes.Contains(b, []byte("-----BEGIN")) || bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		return key{}, errors.New("a PEM file or a JWKS is no secret: name it as jwt.keyFiles")
	}
	return newKey("", b)
}
