package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// profileLength is how long one profile of a server lasts. The one that the end of the run
// cuts off is lost.
const profileLength = 10 * time.Second

// profile has a server write down where its processor time goes, one profile behind the
// other, each in a file of a folder, until the function that is returned is called. They
// are what default.pgo is made of.
func (t *target) profile(ctx context.Context, folder string) (end func() error, err error) {
	admin, err := t.adminURL()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("make folder of profiles: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() {
		var err error
		for n := 1; err == nil && ctx.Err() == nil; n++ {
			err = profileOnce(ctx, admin, filepath.Join(folder, fmt.Sprintf("served%03d.pprof", n)))
		}
		done <- err
	}()
	return func() error {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}, nil
}

// adminURL is where a gremlind that listens at t.url with its defaults answers for its health.
func (t *target) adminURL() (string, error) {
	u, err := url.Parse(t.url)
	if err != nil {
		return "", fmt.Errorf("address of %s: %w", t.name, err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		return "", fmt.Errorf("port of %s: %w", t.name, err)
	}
	return fmt.Sprintf("http://127.0.0.1:%d", port+1), nil
}

func profileOnce(ctx context.Context, admin, file string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/debug/pprof/profile?seconds=%.0f", admin, profileLength.Seconds()), nil)
	if err != nil {
		return fmt.Errorf("ask for profile: %w", err)
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("ask for profile: %w", err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("read profile: %w", err)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("profile from %s: %s: %.200s", admin, answer.Status, b)
	}
	return os.WriteFile(file, b, 0o644)
}
