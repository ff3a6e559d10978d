package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/gremlind/gremlind/conformance/server"
)

const gremlindConfig = `host: 127.0.0.1
evaluationTimeout: 600000
evaluationTimeoutMax: 3600000
graphs:
  graph: {vertexIdManager: INTEGER, edgeIdManager: INTEGER, vertexPropertyIdManager: LONG}
  grateful: {sample: grateful, vertexIdManager: INTEGER, edgeIdManager: INTEGER, vertexPropertyIdManager: LONG}
  air: {sample: airroutes, vertexIdManager: INTEGER, edgeIdManager: INTEGER, vertexPropertyIdManager: LONG}
  tx: {vertexIdManager: INTEGER, edgeIdManager: INTEGER, vertexPropertyIdManager: LONG}
traversalSources: {g: graph, ggrateful: grateful, gair: air, gtx: tx}
`

// startGremlind imports the graph with a binary and starts it as a server on it.
func startGremlind(ctx context.Context, o options, d *dataset, name, binary string) (*target, error) {
	dir := filepath.Join(o.work, name)
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("clear data: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	config := filepath.Join(dir, "bench.yaml")
	if err := os.WriteFile(config, []byte(gremlindConfig), 0o644); err != nil {
		return nil, fmt.Errorf("write configuration: %w", err)
	}
	port, err := server.FreePort()
	if err != nil {
		return nil, err
	}
	t := &target{name: name, binary: binary, durability: "fsync", url: fmt.Sprintf("ws://127.0.0.1:%d/gremlin", port)}
	serve := func(data string, args ...string) (time.Duration, error) {
		args = append([]string{"serve", "--port", strconv.Itoa(port), "--data-dir", filepath.Join(dir, data)}, args...)
		command := append(slices.Clone(t.within), append([]string{binary}, args...)...)
		return t.launch(ctx, exec.Command(command[0], command[1:]...), filepath.Join(dir, "log"))
	}
	if err := t.measureEmpty(func() (time.Duration, error) { return serve("empty") }); err != nil {
		return nil, err
	}
	loaded := func() (time.Duration, error) { return serve("data", config) }
	t.restart = func() error {
		if err := t.stop(); err != nil {
			return err
		}
		_, err := loaded()
		return err
	}
	if err := t.fill(ctx, d, loaded, filepath.Join(dir, "data")); err != nil {
		return nil, err
	}
	if t.startLoaded, err = loaded(); err != nil {
		return nil, err
	}
	return t, nil
}

// measureEmpty notes time to start and memory of a server that stores nothing; its
// first start, which lays out the store, does not count.
func (t *target) measureEmpty(serve func() (time.Duration, error)) error {
	if _, err := serve(); err != nil {
		return err
	}
	if err := t.stop(); err != nil {
		return err
	}
	var err error
	if t.startEmpty, err = serve(); err != nil {
		return err
	}
	t.emptyMB = residentMB(t.pid)
	return t.stop()
}

// fill imports the graph with an index of the names.
func (t *target) fill(ctx context.Context, d *dataset, serve func() (time.Duration, error), data string) error {
	// A first start makes the graphs with their id managers; the import fills one.
	if _, err := serve(); err != nil {
		return err
	}
	if err := t.stop(); err != nil {
		return err
	}
	return t.timed(func() error {
		cmd := exec.CommandContext(ctx, t.binary, "import", "--data-dir", data, "--graph", "graph", "--index", "vertex:name", d.vertexFile, d.edgeFile)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("gremlind import: %w\n%s", err, out)
		}
		return nil
	})
}
