package conformance

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms are folders whose packages have an order: each may import those before it and none
// behind it, nor one that is not in the list, which they know by interfaces alone.
// docs/architecture.md draws them.
var rooms = map[string][]string{
	"protocol":         {"message", "quota", "metrics", "audit", "tracing", "contract", "answer", "request", "session", "connection", "web", "listening", "explorer", ""},
	"steps":            {"step", "walk", "computer", "services", "text", "lists", "find", "write", "merge", "match", ""},
	"blueprints":       {"ids", "rowcache", "spool", "schema", "", "sample", "graphio", "check"},
	"storage":          {"account", "keyed", "value", "", "table", "past", "occ", "pebble", "storagetest"},
	"traversal/script": {"host", "machine", "methods", "graphs", "classes", "syntax", ""},
}

func TestStyle_RoomsGoOneWay(t *testing.T) {
	for folder, order := range rooms {
		met := map[string]bool{}
		for _, s := range sources(t) {
			from, ok := roomOf(folder, s.path[:strings.LastIndexByte(s.path, '/')+1])
			at := slices.Index(order, from)
			if !ok || at < 0 || s.isTest() {
				continue
			}
			met[from] = true
			for _, i := range s.file.Imports {
				path, _ := strconv.Unquote(i.Path.Value)
				own, _ := strings.CutPrefix(path, module)
				to, ok := roomOf(folder, own+"/")
				if n := slices.Index(order, to); ok && (n < 0 || n > at) {
					t.Errorf("%s: %s/%s may not import %s: it is not among the rooms before it (conformance/rooms_test.go)", s.at(i.Pos()), folder, from, own)
				}
			}
		}
		if len(met) != len(order) {
			t.Errorf("%s: %d of the rooms %q have files: bring the list up to date", folder, len(met), order)
		}
	}
}

// roomOf is the room of a folder that a package is, "" for the folder's own; the path ends
// in a slash.
func roomOf(folder, path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, folder+"/")
	room, _, _ := strings.Cut(rest, "/")
	return room, ok
}
