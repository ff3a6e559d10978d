package differential_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/steps/services"
	"github.com/gremlind/gremlind/traversal"
)

// host has TinkerPop's services, and files in memory.
type host struct{ files map[string]*bytes.Buffer }

// shared are the files that a traversal finds.
var shared = map[string][]byte{}

func newHost() *host { return &host{map[string]*bytes.Buffer{}} }

func (h *host) OpenRead(name string) (io.ReadCloser, error) {
	b, ok := shared[name]
	if !ok {
		return nil, fmt.Errorf("%s does not exist", name)
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

func (h *host) OpenWrite(name string) (io.WriteCloser, error) {
	b := &bytes.Buffer{}
	h.files[name] = b
	return file{b}, nil
}

type file struct{ *bytes.Buffer }

func (file) Close() error { return nil }

func (h *host) Service(name string) (traversal.Service, bool) { return services.Lookup(name) }

func (h *host) ServiceNames() []string {
	return []string{"tinker.search", "tinker.degree.centrality"}
}

// written tells the files apart, whatever the order of their lines is.
func (h *host) written() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(h.files)) {
		lines := strings.Split(h.files[name].String(), "\n")
		slices.Sort(lines)
		sum := fnv.New64a()
		_, _ = sum.Write([]byte(strings.Join(lines, "\n")))
		list = append(list, fmt.Sprintf("%s: %d bytes, %x", name, h.files[name].Len(), sum.Sum64()))
	}
	return list
}
