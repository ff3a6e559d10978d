package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// janusGraph makes a graph of the properties of one of JanusGraph's, a file in dir. What JanusGraph keeps
// on its own machine becomes a graph of ours, as long as there is nothing yet that would
// be missed in it.
func (f *configFile) janusGraph(g *graphConfig, dir string, lines []property) error {
	var backend, folder property
	for _, p := range lines {
		switch p.key {
		case "gremlin.graph":
		case "storage.backend":
			backend = p
		case "storage.directory":
			folder = p
		case "storage.read-only":
			if strings.EqualFold(p.value, "true") {
				return usage("%s: graph %s: storage.read-only is not followed for a graph: make a source with withStrategies(ReadOnlyStrategy) in an init script", p.at, g.Name)
			}
		default:
			f.c.notes = append(f.c.notes, fmt.Sprintf("%s: %s is ignored: %s", p.at, p.key, janusKey(p.key)))
		}
	}
	// The ids that JanusGraph gives to vertices are Longs.
	g.VertexIDs = "LONG"
	g.given = append(g.given, "vertexIdManager")
	switch janusBackend(backend.value) {
	case "inmemory":
		g.InMemory = true
		g.given = append(g.given, "inMemory")
		return nil
	case "berkeleyje":
		if !filepath.IsAbs(folder.value) { // JanusGraph looks from where the file is
			folder.value = filepath.Join(dir, folder.value)
		}
		return f.janusFolder(g, backend, folder)
	case "":
		return usage("%s: graph %s: a JanusGraph without storage.backend: name one, or settings of the graph instead of the file", lines[0].at, g.Name)
	}
	return elsewhere(backend, g.Name, "JanusGraph with storage.backend "+backend.value)
}

// janusBackend is the short name of a backend that may be given by its class.
func janusBackend(name string) string {
	switch {
	case strings.HasSuffix(name, ".InMemoryStoreManager"):
		return "inmemory"
	case strings.HasSuffix(name, ".BerkeleyJEStoreManager"):
		return "berkeleyje"
	}
	return name
}

// janusFolder sees that a folder of BerkeleyDB holds nothing: the graph is kept in dataDir.
func (f *configFile) janusFolder(g *graphConfig, backend, folder property) error {
	if folder.at == "" {
		return nil
	}
	entries, err := os.ReadDir(folder.value)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return usage("%s: graph %s: storage.directory: %w: see that it holds no graph, or take the line out", folder.at, g.Name, err)
	case len(entries) > 0:
		return elsewhere(folder, g.Name, "JanusGraph in the folder "+folder.value)
	}
	f.c.notes = append(f.c.notes, fmt.Sprintf("%s: storage.backend %s is followed by a durable graph in dataDir, and storage.directory is not used", backend.at, backend.value))
	return nil
}

// janusKey says why a key means nothing here.
func janusKey(key string) string {
	if strings.HasPrefix(key, "index.") {
		return "the graph has indexes of its own, which gremlind index administers"
	}
	return "it is JanusGraph's own"
}
