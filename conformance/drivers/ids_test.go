//go:build drivers

package drivers

import (
	"fmt"
	"math/big"
	"strings"
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
	for _, version := range consoleVersions {
		t.Run("Console "+version, func(t *testing.T) { s.of(t).consoleIDs(consoleClassPath(t, version)) })
	}
	t.Run("Java", func(t *testing.T) {
		s.of(t).drive(nil, "java", "-cp", driverClassPath(t), absolute(t, "testdata/Ids.java"), s.port())
	})
}

// consoleIDs types what makes, looks up, connects and compares elements into the console,
// which has a source of its own on the server and sends scripts too.
func (s *subject) consoleIDs(classPath string) {
	const ids = "[(byte) 7, (short) 77, 77, 77L, 77G, 1099511627776L, 1208925819614629174706176G, 'one', '77', 1.5d, 2.5f, 3.5G, UUID.fromString('00000000-0000-0007-0000-000000000007'), null]"
	// Each count, then what its id came back as.
	const one = "one = { v -> e = g.addE('self').from(v).to(v).next(); r = [g.V(v.id()).count().next(), g.V(v).count().next(), g.V().hasId(v.id()).count().next(), " +
		"g.V().is(v).count().next(), g.V().is(P.within(v)).count().next(), g.V(v).is(P.neq(v)).count().next(), g.V().fold().intersect([v]).unfold().count().next(), " +
		"g.mergeV([(T.id): v.id()]).count().next(), g.E(e.id()).count().next(), g.E(e).count().next(), g.V(v).outE().is(e).count().next(), g.V(v).out('self').is(v).count().next()]; " +
		"g.V(v).drop().iterate(); r << g.V(v.id()).count().next() }; null"
	commands := []string{
		"g = traversal().withRemote(org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection.using('localhost', PORT, 'g')); null",
		"g.V().drop().iterate(); g.addV('other').iterate(); null",
		one,
		ids + ".collect { id -> v = (id == null ? g.addV('x') : g.addV('x').property(T.id, id)).next(); [id == null ? 'none' : id.getClass().simpleName, id == null || id == v.id() && id.getClass() == v.id().getClass(), one(v)].toString() }",
		":remote connect tinkerpop.server remote.yaml session",
		":> " + ids + ".collect { id -> v = (id == null ? g.addV('x') : g.addV('x').property(T.id, id)).next(); [id == null || id == v.id(), g.V(v.id()).count().next(), g.V(v).count().next(), g.V(v).is(v).count().next(), g.V(v).drop().toList().size()].toString() }",
	}
	text := s.dialogue(s.t, classPath, commands)
	for _, class := range []string{"Byte", "Short", "Integer", "Long", "BigInteger", "Long", "BigInteger", "String", "String", "Double", "Float", "BigDecimal", "UUID", "none"} {
		if want := "==>[" + class + ", true, [1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0]]\n"; !strings.Contains(text, want) {
			s.t.Errorf("%s is not in what the console prints", want)
		}
	}
	if n := strings.Count(text, "==>[true, 1, 1, 1, 0]\n"); n != 14 {
		s.t.Errorf("%d ids of scripts are right", n)
	}
	if s.t.Failed() {
		s.t.Log(text)
	}
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
