package conformance

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// storageRooms are the packages around a store, with what else of storage each may
// import. Transactions know no engine, and neither they nor an engine know the tables.
var storageRooms = map[string][]string{
	"storage":        {"storage/account"},
	"storage/table":  {"storage"},
	"storage/past":   {"storage", "storage/table"},
	"storage/occ":    {"storage", "storage/account"},
	"storage/pebble": {"storage", "storage/occ"},
}

// openers are the files that choose the engine.
var openers = []string{"cmd/gremlind/store.go"}

// TestStyle_StorageRooms holds the engine apart: it can be replaced by one file in cmd and
// one package in storage.
func TestStyle_StorageRooms(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() || layerOf(s.path) < 0 {
			continue
		}
		allowed, room := storageRooms[path.Dir(s.path)]
		for _, i := range s.file.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			own, ours := strings.CutPrefix(name, module)
			switch {
			case ours && room && !slices.Contains(allowed, own):
				t.Errorf("%s: %s may not import %s", s.at(i.Pos()), path.Dir(s.path), own)
			case own == "storage/pebble" && !room && !slices.Contains(openers, s.path),
				strings.HasPrefix(name, "github.com/cockroachdb/pebble") && path.Dir(s.path) != "storage/pebble":
				t.Errorf("%s: only %v open a store of Pebble", s.at(i.Pos()), openers)
			}
		}
	}
}
