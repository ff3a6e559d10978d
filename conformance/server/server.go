// Package server builds gremlind from this tree, starts it on a free or given port
// with a fresh data directory, and stops it. The suites use nothing else of
// gremlind than its address.
package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/gremlind/gremlind/conformance/artifact"
)

// Options say how to start a server.
type Options struct {
	// Root is the repository's folder.
	Root string
	// Config is the configuration file, relative to Root; empty for none.
	Config string
	// Port is the port; 0 takes a free one.
	Port int
	// Args are further arguments of gremlind serve.
	Args []string
	// Binary is a built gremlind; empty builds one.
	Binary string
	// DataDir keeps the data; empty makes a temporary folder that Stop removes.
	DataDir string
	// NoFiles leaves out the files that the read() scenarios expect, which come from Maven.
	NoFiles bool
	// Ready is how long to wait for the port; 0 means 30 s.
	Ready time.Duration
}

// Server is a running gremlind.
type Server struct {
	URL     string
	Port    int
	PID     int
	DataDir string
	cmd     *exec.Cmd
	log     *os.File
	exited  chan struct{}
	temp    string
}

// Build compiles gremlind into bin/ and returns the path.
func Build(ctx context.Context, root string) (string, error) {
	bin, err := filepath.Abs(filepath.Join(root, "bin", "gremlind"))
	if err != nil {
		return "", fmt.Errorf("locate binary: %w", err)
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, "./cmd/gremlind")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build gremlind: %w\n%s", err, out)
	}
	return bin, nil
}

// Start builds when needed, starts, and waits until the port answers.
func Start(ctx context.Context, o Options) (*Server, error) {
	s, err := prepare(ctx, &o)
	if err != nil {
		return nil, err
	}
	args := []string{"serve"}
	if o.Config != "" {
		args = append(args, filepath.Join(o.Root, o.Config))
	}
	args = append(append(args, "--port", strconv.Itoa(s.Port),
		"--data-dir", s.DataDir, "--io-dir", filepath.Join(s.temp, "io")), o.Args...)
	s.cmd = exec.Command(o.Binary, args...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start gremlind: %w", err), s.clean())
	}
	s.PID = s.cmd.Process.Pid
	go func() { s.cmd.Wait(); close(s.exited) }()
	if err := s.await(ctx, o.Ready); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func prepare(ctx context.Context, o *Options) (*Server, error) {
	var err error
	if o.Binary == "" {
		if o.Binary, err = Build(ctx, o.Root); err != nil {
			return nil, err
		}
	}
	s := &Server{Port: o.Port, DataDir: o.DataDir, exited: make(chan struct{})}
	if s.Port == 0 {
		if s.Port, err = FreePort(); err != nil {
			return nil, err
		}
	}
	s.URL = fmt.Sprintf("ws://127.0.0.1:%d/gremlin", s.Port)
	if s.temp, err = os.MkdirTemp("", "gremlind-conformance-"); err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	if s.DataDir == "" {
		s.DataDir = filepath.Join(s.temp, "data")
	}
	if o.NoFiles {
		err = os.MkdirAll(filepath.Join(s.temp, "io"), 0o755)
	} else {
		err = artifact.DataFiles(ctx, filepath.Join(o.Root, "conformance", ".cache"), filepath.Join(s.temp, "io"))
	}
	if err != nil {
		return nil, errors.Join(err, s.clean())
	}
	if s.log, err = os.Create(filepath.Join(s.temp, "log")); err != nil {
		return nil, errors.Join(fmt.Errorf("make log: %w", err), s.clean())
	}
	return s, nil
}

// FreePort asks the system for a port that nobody listens on.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// await polls the port until it accepts connections or the process ends.
func (s *Server) await(ctx context.Context, limit time.Duration) error {
	if limit == 0 {
		limit = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		c, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)), time.Second)
		if err == nil {
			return c.Close()
		}
		select {
		case <-tick.C:
		case <-s.exited:
			return fmt.Errorf("gremlind ended at once:\n%s", s.Log())
		case <-ctx.Done():
			return fmt.Errorf("wait for gremlind on port %d: %w\n%s", s.Port, ctx.Err(), s.Log())
		}
	}
}

// Log returns the last 8 KiB of what the server printed.
func (s *Server) Log() string {
	b, err := os.ReadFile(filepath.Join(s.temp, "log"))
	if err != nil {
		return err.Error()
	}
	if len(b) > 8<<10 {
		b = b[len(b)-8<<10:]
	}
	return string(b)
}

// Kill ends the process as a crash would.
func (s *Server) Kill() error {
	if err := s.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill gremlind: %w", err)
	}
	<-s.exited
	return nil
}

// Stop asks the server to end, kills it after 10 s, and removes its temporary files.
func (s *Server) Stop() error {
	s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.exited:
	case <-time.After(10 * time.Second):
		s.cmd.Process.Kill()
		<-s.exited
	}
	return s.clean()
}

func (s *Server) clean() error {
	if s.log != nil {
		s.log.Close()
	}
	return os.RemoveAll(s.temp)
}
