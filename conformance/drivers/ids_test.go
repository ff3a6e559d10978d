//go:build drivers

package drivers

import (
	"fmt"
	"math/big"
	"testing"

	gremlin "github.com/apache/tinkerpop/gremlin-go/v3/driver"
	"github.com/google/uuid"

	"github.com/gremlind/gremlind/conformance/server"
)

// TestIDs: on the graph that a plain gremlind serve makes, an element that a driver was
// given is found again, by its id and by itself, and equals the one that is stored.
func TestIDs(t *testing.T) {
	need(t, "python3", "node", "npm", "java", "mvn")
	s := startPlain(t)
	t.Run("Go", func(t *testing.T) { goIDs(goDriver{t, s.of(t)}) })
	for _, version := range driverVersions {
		t.Run("Python "+version, func(t *testing.T) {
			s.of(t).drive(nil, installPython(t, version), absolute(t, "testdata/ids.py"), s.url())
		})
		t.Run("JavaScript "+version, func(t *testing.T) {
			s.of(t).drive([]string{"NODE_PATH=" + installNode(t, version)}, "node", absolute(t, "testdata/ids.js"), s.url())
		})
	}
	t.Run("Java", func(t *testing.T) {
		s.of(t).drive(nil, "java", "-cp", driverClassPath(t), absolute(t, "testdata/Ids.java"), s.port())
	})
}

// of is the subject as a part of the test sees it.
func (s *subject) of(t *testing.T) *subject {
	part := *s
	part.t = t
	return &part
}

// startPlain starts a server without a configuration file.
func startPlain(t *testing.T) *subject {
	t.Helper()
	s := &subject{t: t}
	if *target != "" {
		return s
	}
	s.options = server.Options{Root: root, Binary: *binary, DataDir: t.TempDir()}
	s.start()
	t.Cleanup(func() {
		if err := s.running.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func goIDs(d goDriver) {
	g := d.source("g")
	d.iterate(g.V().Drop())
	d.iterate(g.AddV("other"))
	vertex := func(t *gremlin.GraphTraversal) *gremlin.Vertex {
		d.Helper()
		r, err := t.Next()
		d.must(err)
		v, err := r.GetVertex()
		d.must(err)
		return v
	}
	d.element(g, vertex(g.AddV("x")))
	for _, id := range []any{
		int32(77), int64(77), int16(77), big.NewInt(77), int64(1) << 40, new(big.Int).Lsh(big.NewInt(1), 80), "one", "77", uuid.UUID{7}, 1.5,
	} {
		v := vertex(g.AddV("x").Property(gremlin.T.Id, id))
		if fmt.Sprint(v.Id) != fmt.Sprint(id) {
			d.Errorf("%T %v came back as %T %v", id, id, v.Id, v.Id)
		}
		d.element(g, v)
	}
}

// element looks one vertex up in every way, connects it with itself and drops it.
func (d goDriver) element(g *gremlin.GraphTraversalSource, v *gremlin.Vertex) {
	d.Helper()
	one := int64(1)
	d.want(g.V(v.Id).Count(), one)
	d.want(g.V(v).Count(), one)
	d.want(g.V().HasId(v.Id).Count(), one)
	d.want(g.V().Is(v).Count(), one)
	d.want(g.V().Is(gremlin.P.Within(v)).Count(), one)
	d.want(g.V(v).Is(gremlin.P.Neq(v)).Count(), int64(0))
	d.want(g.V().Fold().Intersect([]any{v}).Unfold().Count(), one)
	d.want(g.MergeV(map[any]any{gremlin.T.Id: v.Id}).Count(), one)
	r, err := g.AddE("self").From(v).To(v).Next()
	d.must(err)
	e, err := r.GetEdge()
	d.must(err)
	d.want(g.E(e.Id).Count(), one)
	d.want(g.E(e).Count(), one)
	d.want(g.V(v).OutE().Is(e).Count(), one)
	d.want(g.V(v).Out("self").Is(v).Count(), one)
	d.iterate(g.V(v).Drop())
	d.want(g.V(v.Id).Count(), int64(0))
}
