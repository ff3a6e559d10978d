package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/gremlind/gremlind/conformance/server"
)

const gremlindConfig = `host: 127.0.0.1
evaluationTimeout: 600000
evaluationTimeoutMax: 3600000
graphs:
  graph: {vertexIdManager: INTEGER, edgeIdManager: INTEGER, vertexPropertyIdManager: LONG}
  grateful: {sample: grateful, vertexIdManager: INTEGER, edgeIdManager: INTEGER, vertexPropertyIdManager: LONG}
  air: {sample: airroutes, vertexIdManager: INTEGER, edgeIdManager: INTEGER, vertexPropertyIdManager: LONG}
traversalSources: {g: graph, ggrateful: grateful, gair: air}
`

// startGremlind imports the graph, starts the server on it and indexes the names.
func startGremlind(ctx context.Context, o options, d *dataset) (*target, error) {
	dir := filepath.Join(o.work, "gremlind")
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
	t := &target{name: "gremlind", durability: "fsync", url: fmt.Sprintf("ws://127.0.0.1:%d/gremlin", port)}
	serve := func(data string) error {
		return t.launch(ctx, exec.Command(o.binary, "serve", config, "--port", strconv.Itoa(port), "--data-dir", data), filepath.Join(dir, "log"))
	}
	if err := t.measureEmpty(serve, filepath.Join(dir, "empty")); err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	// A first start makes the graphs with their id managers; the import fills one.
	if err := serve(data); err != nil {
		return nil, err
	}
	if err := t.stop(); err != nil {
		return nil, err
	}
	if err := t.timed(func() error {
		cmd := exec.CommandContext(ctx, o.binary, "import", "--data-dir", data, "--graph", "graph", d.vertexFile, d.edgeFile)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("gremlind import: %w\n%s", err, out)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if err := serve(data); err != nil {
		return nil, err
	}
	if err := t.timed(func() error {
		_, err := t.text(ctx, "g", `g.call("gremlind.index.createKey", ["class": "vertex", "key": "name"])`)
		return err
	}); err != nil {
		return nil, errors.Join(fmt.Errorf("index names: %w", err), t.stop())
	}
	return t, nil
}

// measureEmpty notes time to start and memory of a server without data of its own.
func (t *target) measureEmpty(serve func(string) error, data string) error {
	// The first start lays out the store and loads the samples.
	if err := serve(data); err != nil {
		return err
	}
	if err := t.stop(); err != nil {
		return err
	}
	if err := serve(data); err != nil {
		return err
	}
	t.emptyMB = residentMB(t.pid)
	return t.stop()
}
