package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
)

// adminTimeout bounds a question to the admin address.
const adminTimeout = 10 * time.Second

func newHealth() *cobra.Command {
	cmd := &cobra.Command{Use: "health", Short: "Ask a server whether it is ready: exit code 0 or 1", Args: cobra.NoArgs}
	configFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		host := c.Host
		if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		scheme := "http"
		if c.TLS.Enabled {
			scheme = "https"
		}
		address := scheme + "://" + net.JoinHostPort(host, strconv.Itoa(c.Port))
		if err := askHTTP(cmd.Context(), http.MethodGet, address+"/readyz", nil); err != nil {
			return fmt.Errorf("%s is not ready: %w", address, err)
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), "ready")
		return err
	}
	return cmd
}

func askHTTP(ctx context.Context, method, url string, answer any, more ...func(*http.Request)) error {
	ctx, cancel := context.WithTimeout(ctx, adminTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return usageError{err}
	}
	for _, fn := range more {
		fn(req)
	}
	resp, err := insecureClient().Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		var failure struct{ Message string }
		if json.Unmarshal(b, &failure) != nil || failure.Message == "" {
			failure.Message = resp.Status
		}
		return errors.New(failure.Message)
	}
	return readAnswer(bytes.NewReader(b), answer)
}
