package graphio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/storage/value"
)

// openIn counts the files in a folder that this process has open, those without a name too.
func openIn(dir string) (n int) {
	const fds = "/proc/self/fd"
	all, _ := os.ReadDir(fds)
	for _, fd := range all {
		if name, err := os.Readlink(filepath.Join(fds, fd.Name())); err == nil && strings.HasPrefix(name, dir+"/") {
			n++
		}
	}
	return n
}

// edgeSink asks at each edge.
type edgeSink struct {
	memory
	edge func() error
}

func (s *edgeSink) Edge(*blueprints.EdgeRecord) error { return s.edge() }

// TestRead_HeldFile: the file in which edges wait is closed in the end, also when it all fails.
func TestRead_HeldFile(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const edges = `{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1}, {"source": 1, "target": 1}, {"source": 1, "target": 1}]}`
	files := map[Format]string{Network: edges}
	for _, f := range []Format{GraphML, GraphSON} {
		var b bytes.Buffer
		if err := Write(context.Background(), f, &b, sample()); err != nil {
			t.Fatal(err)
		}
		files[f] = b.String()
	}
	for f, file := range files {
		for _, failed := range []error{nil, errors.New("no more")} {
			most := 0
			sink := &edgeSink{edge: func() error { most = max(most, openIn(dir)); return failed }}
			h := Handler{Held: spool.Options{Memory: 1, Dir: dir}}
			if err := ReadRecords(context.Background(), f, strings.NewReader(file), sink, h); !errors.Is(err, failed) {
				t.Errorf("%s: %v", f, err)
			}
			if n := openIn(dir); n != 0 {
				t.Errorf("%s, which ends with %v: %d files are open, %d meanwhile", f, failed, n, most)
			}
		}
	}
}

// TestWriteGraphML_Meta: what GraphML has no place for is refused by its name.
func TestWriteGraphML_Meta(t *testing.T) {
	g := sample()
	g.vs[0].Properties[0].Meta = []value.Property{{Key: "since", Value: value.Int(1)}}
	err := Write(context.Background(), GraphML, io.Discard, g)
	if err == nil || err.Error() != `vertex 1: GraphML cannot hold the properties of the property "name"` {
		t.Error(err)
	}
}
