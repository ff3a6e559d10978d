// Package auth knows the users of a server: their password hashes are kept in the
// store, new ones as argon2id, and those of TinkerPop's credentials graphs (bcrypt)
// are understood.
//
// Users (users.go) reads and writes them. Guard (guard.go) answers the endpoint: it
// bounds how many hashes are computed at once, remembers a success for a moment and takes
// as long for a name that does not exist as for one that does. The throttle (throttle.go)
// slows guessing down.
package auth

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

// Cost of argon2id: OWASP's second recommendation.
const (
	argonKiB     = 19 << 10
	argonTime    = 2
	argonThreads = 1
	saltBytes    = 16
	hashBytes    = 32
)

// Lengths of passwords in bytes. A shorter one that somebody has already still counts.
const (
	PasswordMin = 8
	PasswordMax = 1024
)

// CheckPassword reports why a password is not taken as a new one.
func CheckPassword(password string) error {
	if len(password) < PasswordMin || len(password) > PasswordMax {
		return fmt.Errorf("a password has %d to %d bytes, this one %d", PasswordMin, PasswordMax, len(password))
	}
	return nil
}

// bcryptMax is what bcrypt looks at; longer passwords would match by their beginning.
const bcryptMax = 72

var encoding = base64.RawStdEncoding

// Hash makes a new hash of a password.
func Hash(password string) (string, error) {
	if password == "" || len(password) > PasswordMax {
		return "", fmt.Errorf("a password to hash has 1 to %d bytes", PasswordMax)
	}
	salt := make([]byte, saltBytes)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	key := argon2.IDKey([]byte(password), salt, argonTime, argonKiB, argonThreads, hashBytes)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonKiB, argonTime, argonThreads,
		encoding.EncodeToString(salt), encoding.EncodeToString(key)), nil
}

// Verify reports whether password is what hash was made of.
func Verify(hash, password string) bool {
	if len(password) > PasswordMax {
		return false
	}
	if strings.HasPrefix(hash, "$2") {
		return len(password) <= bcryptMax && bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
	}
	h, err := parseHash(hash)
	if err != nil {
		return false
	}
	key := argon2.IDKey([]byte(password), h.salt, h.time, h.memory, h.threads, uint32(len(h.key)))
	return subtle.ConstantTimeCompare(key, h.key) == 1
}

// CheckHash reports why a hash cannot be used.
func CheckHash(hash string) error {
	if strings.HasPrefix(hash, "$2") {
		_, err := bcrypt.Cost([]byte(hash))
		return err
	}
	_, err := parseHash(hash)
	return err
}

type argonHash struct {
	memory, time uint32
	threads      uint8
	salt, key    []byte
}

func parseHash(s string) (argonHash, error) {
	bad := errors.New("not a password hash: want $argon2id$... or bcrypt's $2...")
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return argonHash{}, bad
	}
	var h argonHash
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.time, &h.threads); err != nil {
		return argonHash{}, bad
	}
	// A hash from elsewhere must not take the server's memory or time.
	if h.memory > 1<<20 || h.time > 100 || h.time == 0 || h.threads == 0 {
		return argonHash{}, errors.New("the cost of the password hash is out of bounds")
	}
	var err error
	if h.salt, err = encoding.DecodeString(parts[4]); err != nil {
		return argonHash{}, bad
	}
	if h.key, err = encoding.DecodeString(parts[5]); err != nil || len(h.key) == 0 || len(h.key) > 64 {
		return argonHash{}, bad
	}
	return h, nil
}
