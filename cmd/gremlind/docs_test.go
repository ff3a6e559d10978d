package main

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
)

var rewriteDocs = flag.Bool("rewrite", false, "write docs/configuration.md")

const configurationPage = "../../docs/configuration.md"

// TestConfigurationPage keeps docs/configuration.md equal to the settings.
func TestConfigurationPage(t *testing.T) {
	want := configurationText()
	if *rewriteDocs {
		if err := os.WriteFile(configurationPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(configurationPage)
	if err != nil || string(got) != want {
		t.Error("docs/configuration.md is not up to date; run go test ./cmd/gremlind -run TestConfigurationPage -rewrite")
	}
}

func configurationText() string {
	var b strings.Builder
	b.WriteString(`# Configuration

gremlind serve takes a YAML file with the keys of gremlin-server.yaml. A flag wins over the environment, the environment
over the file, the file over the default. The environment variable of a key is GREMLIND_ and the key in capitals
(GREMLIND_PORT; nested keys with two underscores, GREMLIND_SSL__ENABLED). GREMLIN_YAML names the file. ` + "`gremlind config`" + `
prints each value with its origin, ` + "`gremlind config --check`" + ` only validates. An unknown key is named with its line.

Generated from the settings themselves.

| key | default | flag | meaning |
|---|---|---|---|
`)
	c := defaultConfig()
	flags := map[string]string{}
	for name, key := range flagKeys {
		flags[key] = "--" + name
	}
	for i := range settings {
		s := &settings[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", s.key, s.get(c), flags[s.key], s.doc)
	}
	b.WriteString(`
## Graphs and sources

` + "```yaml" + `
graphs:
  social:
    vertexIdManager: LONG             # ANY, INTEGER, LONG, UUID or STRING
    edgeIdManager: LONG
    vertexPropertyIdManager: LONG
    idsByValue: true                  # with ANY, 1 is the same id in every width
    defaultVertexPropertyCardinality: single   # single, list or set
    allowNullPropertyValues: false
    transactional: true               # clients may commit and roll back
    isolation: strict                 # strict, snapshot or committed
    inMemory: false
    sample: modern                    # filled when it is empty: ` + strings.Join(sampleNames, ", ") + `
traversalSources:
  g: social
` + "```" + `

A graph keeps the options it was made with, by serve or by import: an entry that names another value is answered with a
warning. Only transactional follows the entry. With idsByValue: false the directory of a new graph is readable for every gremlind
([formats](formats.md#on-disk)). Keys of gremlin-server.yaml that have no meaning here are accepted with a
line in the log; keys that would weaken security if they were ignored (an authenticator or authorizer class that gremlind
does not have) are refused.

## Users, functions and other lists

` + "```yaml" + `
auth: true
users:                                # besides those of gremlind user; gremlind user hash makes a hash
  stephen: $argon2id$v=19$...         # role write
  analyst:
    hash: $2a$10$...                  # bcrypt is read too
    role: read                        # read, write (the default) or admin; each includes those before it
    graphs: [social]                  # the only graphs that this user reaches; all without
functions:                            # that every script can call and none can define again
  - "def addItUp(x, y) { x + y }"
allowedHosts: [graph.example]
allowedOrigins: ['https://app.example']
` + "```" + `

` + "`--set key=value`" + ` gives any setting of the table, lists with commas: ` + "`--set allowedHosts=a.example,b.example`" + `.
` + "`--memory`" + ` keeps everything in memory, also beside a dataDir. security.md says who can do what with which setting.
`)
	names := make([]string, 0, len(flags))
	for _, f := range flags {
		names = append(names, f)
	}
	sort.Strings(names)
	b.WriteString("\nFlags: " + strings.Join(names, ", ") + ".\n")
	return b.String()
}
