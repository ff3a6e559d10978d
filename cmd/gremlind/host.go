package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// host is what io() and call() reach: files inside one folder, and the services.
type host struct {
	root    *os.Root // nil when io() is refused
	dir     string   // the folder of root, absolute
	sources map[string]string
	graphs  []string // of the configuration
	db      *blueprints.Database
	// requests are those of the server, which is made behind what evaluates them.
	requests traversal.Requests
	// users are the names of all users; nil where nobody is asked for one.
	users func() ([]string, error)
	// administered hears what the services did to graphs; nil: nobody wants to know.
	administered func(who *traversal.Identity, service, graph string, err error)
}

var _ traversal.Host = (*host)(nil)

var errNoIO = errors.New("io() is switched off: ioDir names the folder that it may reach")

func newHost(c *config, db *blueprints.Database) *host {
	h := &host{sources: c.Sources, graphs: c.graphNames(), db: db}
	if c.IODir != "" {
		// A folder that cannot be opened refuses io() with the same message.
		h.root, _ = os.OpenRoot(c.IODir)
		h.dir, _ = filepath.Abs(c.IODir) // without it only relative names are known
	}
	return h
}

// inside makes an absolute name that lies in the folder relative to it. Any other name
// stays as it is: root refuses what leads out.
func (h *host) inside(name string) string {
	if rel, err := filepath.Rel(h.dir, name); filepath.IsAbs(name) && err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return name
}

// OpenRead opens a file of the folder; symbolic links out of it are refused.
func (h *host) OpenRead(name string) (io.ReadCloser, error) {
	if h.root == nil {
		return nil, errNoIO
	}
	f, err := h.root.Open(h.inside(name))
	if err != nil {
		return nil, fmt.Errorf("io(%q) inside ioDir: %w", name, err)
	}
	return f, nil
}

// OpenWrite makes a file of the folder, or empties it.
func (h *host) OpenWrite(name string) (io.WriteCloser, error) {
	if h.root == nil {
		return nil, errNoIO
	}
	f, err := h.root.Create(h.inside(name))
	if err != nil {
		return nil, fmt.Errorf("io(%q) inside ioDir: %w", name, err)
	}
	return f, nil
}

// Service returns a service by name.
func (h *host) Service(name string) (traversal.Service, bool) {
	switch name {
	case sourcesService:
		return sources{h}, true
	case usersService:
		return otherUsers{h}, true
	}
	return nil, false
}

// Reserved says why nobody makes or drops a graph while the server runs, "" where one may.
func (h *host) Reserved(name string) string {
	if slices.Contains(h.graphs, name) {
		return "it is in the server's configuration: take it out there, and start the server again"
	}
	if graph, ok := h.sources[name]; ok {
		return "the server's configuration has a traversal source of that name, which leads to graph " + graph
	}
	return ""
}

// Requests are those of the server.
func (h *host) Requests() traversal.Requests { return h.requests }

// Administered passes on who did something to a graph by a service.
func (h *host) Administered(who *traversal.Identity, service, graph string, err error) {
	if h.administered != nil {
		h.administered(who, service, graph, err)
	}
}

// ServiceNames lists the services.
func (h *host) ServiceNames() []string { return []string{sourcesService, usersService} }

// sourcesService gives {source, graph} of each traversal source whose graph the user may
// read.
const sourcesService = "gremlind.sources"

// sources are graphs by the traversal source that reaches them: those of the configuration,
// and graphs that are their own since none of these leads there.
type sources struct{ h *host }

var _ traversal.Service = sources{}

// Name returns the name by which call() reaches it.
func (sources) Name() string { return sourcesService }

// Kinds says where in a traversal it may stand.
func (sources) Kinds() []traversal.ServiceKind {
	return []traversal.ServiceKind{traversal.StartService}
}

// Params lists the parameters: none.
func (sources) Params() []traversal.ServiceParam { return nil }

// Right is that of who reads.
func (sources) Right(*value.Map) traversal.Right { return traversal.ReadRight }

// Call lists them by name.
func (s sources) Call(c traversal.ServiceCall) (traversal.Cursor, error) {
	var out []value.Value
	all := s.all()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if id := c.Run.Identity; !id.MayRead(all[name]) || !id.Enters(name, all[name]) {
			continue
		}
		m := value.NewMapSize(2)
		m.PutString("source", value.String(name))
		m.PutString("graph", value.String(all[name]))
		out = append(out, m.Value())
	}
	return traversal.Values(out), nil
}

func (s sources) all() map[string]string {
	all := maps.Clone(s.h.sources)
	for _, graph := range s.h.db.GraphNames() {
		if s.h.Reserved(graph) == "" {
			all[graph] = graph
		}
	}
	return all
}
