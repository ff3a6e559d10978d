package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
)

const tinyGraph = `<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph id="G" edgedefault="directed"><node id="1"/></graph></graphml>`

// TestImportedGraph: import makes the graph that serve would have made.
func TestImportedGraph(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "tiny.xml")
	if err := os.WriteFile(file, []byte(tinyGraph), 0o600); err != nil {
		t.Fatal(err)
	}
	c := defaultConfig()
	c.DataDir = filepath.Join(dir, "data")
	if err := runImport(context.Background(), c, importOptions{graph: "air", batch: 10, spool: spoolDefault, files: []string{file}}, nil, io.Discard); err != nil {
		t.Fatal(err)
	}
	g := newGraphConfig("air")
	if have, want, log := openedWith(t, c, g); have != want || log != "" {
		t.Errorf("%+v, want %+v\n%s", have, want, log)
	}
}

// openedWith serves a graph of the directory by an entry, and returns what it has, what
// the entry says, and what was logged.
func openedWith(t *testing.T, c *config, g graphConfig) (have, want blueprints.Options, logged string) {
	t.Helper()
	var out strings.Builder
	log := slog.New(slog.NewTextHandler(&out, nil))
	c.Graphs = []graphConfig{g}
	db, err := openDatabase(c, quiet())
	if err != nil {
		t.Fatal(err)
	}
	if err := openGraphs(context.Background(), c, db, log); err != nil {
		t.Fatal(err)
	}
	opened, err := db.Graph(g.Name)
	if err != nil {
		t.Fatal(err)
	}
	have = opened.Options()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return have, g.options(false), out.String()
}

// TestAdoptedGraph: what an entry says of a graph that exists is followed where that is
// safe; what it does not name is not complained of.
func TestAdoptedGraph(t *testing.T) {
	c := defaultConfig()
	c.DataDir = t.TempDir()
	older := newGraphConfig("air") // as an older import made it
	older.Transactional, older.IDsByValue = false, false
	made, _, log := openedWith(t, c, older)
	if log != "" || made.Transactional {
		t.Fatalf("%+v\n%s", made, log)
	}
	entry := func(keys ...string) graphConfig {
		g := newGraphConfig("air")
		for i := 0; i < len(keys); i += 2 {
			if err := g.set(keys[i], keys[i+1], "test"); err != nil {
				t.Fatal(err)
			}
		}
		return g
	}
	changed := made
	for _, step := range []struct {
		entry         graphConfig
		transactional bool
		log           string // one line with this, none when empty
	}{
		{entry(), false, "level=INFO msg=\"the graph was made without transactions; transactional: true in its entry offers them\" graph=air"},
		{entry("transactional", "false"), false, ""},
		{entry("transactional", "true"), true, "level=INFO msg=\"whether clients are offered transactions was changed\" graph=air transactional=true"},
		{entry(), true, ""},
		{entry("vertexIdManager", "LONG"), true, "level=WARN msg=\"the graph keeps the option that it was made with\" graph=air option=vertexIdManager has=ANY configured=LONG"},
		{entry("idsByValue", "true"), true, "option=idsByValue has=false configured=true"},
		{entry("transactional", "false", "isolation", "strict"), false, "transactional=false"},
	} {
		changed.Transactional = step.transactional
		have, _, log := openedWith(t, c, step.entry)
		if have != changed {
			t.Errorf("entry %v: %+v, want %+v", step.entry.given, have, changed)
		}
		if !strings.Contains(log, step.log) || step.log == "" && log != "" || strings.Count(log, "\n") > 1 {
			t.Errorf("entry %v: logged\n%swant %s", step.entry.given, log, step.log)
		}
	}
}
