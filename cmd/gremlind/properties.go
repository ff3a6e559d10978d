package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// property is one line of a graph's properties file.
type property struct{ key, value, at string }

// properties reads the properties file of a graph of Gremlin Server or JanusGraph.
func (f *configFile) properties(g *graphConfig, n *yaml.Node) error {
	if n.Value == "" {
		return nil
	}
	f.c.properties = true
	path, err := f.find(n)
	if err != nil {
		return usage("%s: graph %s: %s", f.at(n), g.Name, err)
	}
	lines, err := readProperties(path)
	if err != nil {
		return usageError{fmt.Errorf("%s: graph %s: %w", f.at(n), g.Name, err)}
	}
	class := property{value: "TinkerGraph"}
	for _, p := range lines {
		if p.key == "gremlin.graph" {
			class = p
		}
	}
	switch class.value[strings.LastIndex(class.value, ".")+1:] {
	case "TinkerGraph":
		g.Transactional = false
		g.given = append(g.given, "transactional")
	case "TinkerTransactionGraph":
		g.given = append(g.given, "transactional")
	case "JanusGraphFactory":
		return f.janusGraph(g, filepath.Dir(path), lines)
	default:
		return elsewhere(class, g.Name, class.value)
	}
	for _, p := range lines {
		if err := f.tinkerProperty(g, p); err != nil {
			return err
		}
	}
	return nil
}

// elsewhere refuses a graph whose data would not be there.
func elsewhere(at property, graph, what string) error {
	return usage("%s: graph %s: the data of %s is kept elsewhere and would not be there: export it, bring it in with gremlind import, and name TinkerGraph, TinkerTransactionGraph or settings of the graph instead", at.at, graph, what)
}

func (f *configFile) tinkerProperty(g *graphConfig, p property) error {
	key, ours := strings.CutPrefix(p.key, "gremlin.tinkergraph.")
	switch {
	case p.key == "gremlin.graph" || key == "service":
		return nil
	case key == "graphLocation" && p.value != "":
		return usage("%s: graph %s: graphLocation is not followed: bring the file in once with gremlind import %s --graph %s, and take the line out", p.at, g.Name, p.value, g.Name)
	case key == "graphFormat" || key == "graphLocation":
		return nil
	case ours:
		return g.set(key, p.value, p.at)
	}
	f.c.unknown = append(f.c.unknown, fmt.Sprintf("%s: unknown key %s", p.at, p.key))
	return nil
}

// otherDataDir is where data goes when Gremlin Server's own home has a folder data with its
// samples, and no dataDir is set.
const otherDataDir = "gremlind-data"

// leaveSamples keeps out of a folder that holds files and none of a store. One that has any
// of a store's is opened, or refused as damaged.
func (c *config) leaveSamples() {
	if !c.properties || c.origin["dataDir"] != "" {
		return
	}
	entries, _ := os.ReadDir(c.DataDir) // a folder that is not there is made
	for _, e := range entries {
		switch e.Name() {
		case "FORMAT", "WATERMARK", "BALLAST", "db":
			return
		}
	}
	if len(entries) > 0 {
		c.notes = append(c.notes, fmt.Sprintf("dataDir is %s, because the folder %s holds files of something else", otherDataDir, c.DataDir))
		c.DataDir = otherDataDir
	}
}

func readProperties(path string) ([]property, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []property
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' || text[0] == '!' {
			continue
		}
		key, val, ok := strings.Cut(text, "=")
		if !ok {
			key, val, _ = strings.Cut(text, ":")
		}
		list = append(list, property{strings.TrimSpace(key), strings.TrimSpace(val), fmt.Sprintf("%s:%d", path, n)})
	}
	return list, lines.Err()
}
