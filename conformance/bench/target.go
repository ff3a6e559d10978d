package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
)

// target is a server under measurement.
type target struct {
	name, url string
	binary    string // of a gremlind
	pid       int
	// durability says what a committed write survives.
	durability string
	// startEmpty and startLoaded are the times from exec to the first answer, with
	// nothing stored and with the generated graph; 0 when not measured.
	startEmpty, startLoaded time.Duration
	load                    time.Duration // of the generated graph
	emptyMB                 int64
	cachedMB                int64 // behind the queries that read
	// ids are the server's own ids of the seeds and what is asked with them, by the
	// generator's number; nil when they are the same.
	ids map[int32]value.Value
	// withoutTransactions names the source whose graph has none.
	withoutTransactions string
	// reference marks what is measured for comparison alone: without gremlin-go, and
	// without row 18.
	reference bool
	// answers tells which queries the server can answer; nil stands for all.
	answers func(*query) bool
	// fixed marks answers that mean nothing and are not compared.
	fixed bool
	stop  func() error
	// restart ends the server and starts it anew on what it holds; nil where that is not done.
	restart func() error
	// within is the command that the server is started in, with its arguments; nil for none.
	within []string
}

func (t *target) id(v int32) value.Value {
	if id, ok := t.ids[v]; ok {
		return id
	}
	return value.Int(v)
}

// text sends one script and waits as long as it takes.
func (t *target) text(ctx context.Context, source, script string) ([]value.Value, error) {
	c, err := client.Dial(ctx, t.url)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	args := arguments(source, value.String(script), requestTimeout)
	args.PutString("language", value.String("gremlin-lang"))
	return c.Send(ctx, "", "eval", args)
}

// launch starts a command and returns how long it took until it answered a request.
func (t *target) launch(ctx context.Context, cmd *exec.Cmd, log string) (time.Duration, error) {
	f, err := os.Create(log)
	if err != nil {
		return 0, fmt.Errorf("create log: %w", err)
	}
	defer f.Close()
	cmd.Stdout, cmd.Stderr = f, f
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("start %s: %w", t.name, err)
	}
	t.pid = cmd.Process.Pid
	exited := make(chan struct{})
	go func() { cmd.Wait(); close(exited) }()
	t.stop = func() error {
		cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-exited:
		case <-time.After(20 * time.Second):
			cmd.Process.Kill()
			<-exited
		}
		return nil
	}
	if err := t.await(ctx, exited); err != nil {
		return 0, errors.Join(fmt.Errorf("%s: %w, see %s", t.name, err, log), t.stop())
	}
	return time.Since(begin), nil
}

// startLimit is how long a server may take until it answers.
const startLimit = 3 * time.Minute

func (t *target) await(ctx context.Context, exited <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		_, err := t.text(ctx, "g", "g.inject(1)")
		if err == nil {
			return nil
		}
		select {
		case <-exited:
			return errors.New("the server ended at once")
		case <-ctx.Done():
			return fmt.Errorf("no answer: %w", err)
		case <-tick.C:
		}
	}
}

// timed runs a step of the filling and adds its time.
func (t *target) timed(f func() error) error {
	begin := time.Now()
	err := f()
	t.load += time.Since(begin)
	return err
}
