//go:build drivers

package drivers

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	gremlin "github.com/apache/tinkerpop/gremlin-go/v3/driver"
	"github.com/google/uuid"
)

// goDriver is gremlin-go against the server under test.
type goDriver struct {
	*testing.T
	server *subject
}

func TestGo(t *testing.T) {
	d := goDriver{t, start(t)}
	for _, section := range []struct {
		name string
		run  func(goDriver)
	}{
		{"fill", goDriver.fill}, {"types", goDriver.types}, {"transactions", goDriver.transactions}, {"sessions", goDriver.sessions},
		{"errors", goDriver.errors}, {"many", goDriver.many}, {"restart", goDriver.restart},
	} {
		t.Run(section.name, func(t *testing.T) { section.run(goDriver{t, d.server}) })
	}
}

func (d goDriver) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// source opens a connection; it is closed with the test.
func (d goDriver) source(name string) *gremlin.GraphTraversalSource {
	d.Helper()
	c, err := gremlin.NewDriverRemoteConnection(d.server.url(), func(s *gremlin.DriverRemoteConnectionSettings) {
		s.TraversalSource, s.LogVerbosity = name, gremlin.Off
	})
	d.must(err)
	d.Cleanup(c.Close)
	return gremlin.Traversal_().WithRemote(c)
}

func (d goDriver) client(name string) *gremlin.Client {
	d.Helper()
	c, err := gremlin.NewClient(d.server.url(), func(s *gremlin.ClientSettings) {
		s.TraversalSource, s.LogVerbosity = name, gremlin.Off
	})
	d.must(err)
	d.Cleanup(c.Close)
	return c
}

// want compares the results of a traversal.
func (d goDriver) want(t *gremlin.GraphTraversal, want ...any) {
	d.Helper()
	results, err := t.ToList()
	d.must(err)
	got := make([]any, len(results))
	for i, r := range results {
		got[i] = r.GetInterface()
	}
	if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
		d.Errorf("got %#v, want %#v", got, want)
	}
}

func (d goDriver) iterate(t *gremlin.GraphTraversal) {
	d.Helper()
	d.must(<-t.Iterate())
}

func (d goDriver) fill() {
	g := d.source("g")
	d.iterate(g.V().Drop())
	id := func(name string, age int) any {
		r, err := g.AddV("person").Property("name", name).Property("age", age).Next()
		d.must(err)
		v, err := r.GetVertex()
		d.must(err)
		return v.Id
	}
	marko, josh := id("marko", 29), id("josh", 32)
	d.iterate(g.AddE("knows").From(gremlin.T__.V(marko)).To(gremlin.T__.V(josh)).Property("weight", 0.5))
	d.want(g.V().Count(), int64(2))
	d.want(g.V(marko).Out("knows").Values("name"), "josh")
	d.want(g.V().Order().By("age", gremlin.Order.Desc).Values("name"), "josh", "marko")
	d.want(g.V().Has("age", gremlin.P.Gt(30)).Values("name"), "josh")
	d.want(g.V().GroupCount().By(gremlin.T.Label), map[any]any{"person": int64(2)})
	d.want(g.E().Values("weight"), 0.5)
	r, err := g.V(marko).Out().Path().By("name").Next()
	d.must(err)
	path, err := r.GetPath()
	d.must(err)
	if !reflect.DeepEqual(path.Objects, []any{"marko", "josh"}) {
		d.Errorf("path %v", path.Objects)
	}
	r, err = g.V(marko).Next()
	d.must(err)
	v, err := r.GetVertex()
	d.must(err)
	if got := fmt.Sprint(v.Properties); got != "[vp[name->marko] vp[age->29]]" {
		d.Errorf("properties %s", got)
	}
}

func (d goDriver) types() {
	g := d.source("g")
	huge := new(big.Int).Lsh(big.NewInt(-1), 80)
	zone := time.FixedZone("", 2*3600)
	values := map[string]any{
		"byte": uint8(3), "short": int16(-12), "int": int32(1), "long": int64(1) << 40, "float": float32(0.3), "double": 1.5,
		"big integer": huge, "big decimal": &gremlin.BigDecimal{Scale: 3, UnscaledValue: big.NewInt(1250)}, "string": "\u00fc\U0001f600",
		"boolean": true, "uuid": uuid.MustParse("00000000-0000-0001-0000-000000000002"), "datetime": time.Date(2024, 2, 29, 12, 30, 15, 123456000, zone),
		"duration": 90500 * time.Millisecond, "bytes": &gremlin.ByteBuffer{Data: []byte{1, 2, 3}},
	}
	r, err := g.AddV("types").Next()
	d.must(err)
	v, err := r.GetVertex()
	d.must(err)
	for name, x := range values {
		d.Run(name, func(t *testing.T) {
			d := goDriver{t, d.server}
			d.same(g.Inject(x), x)
			d.iterate(g.V(v.Id).Property(name, x))
			d.same(g.V(v.Id).Values(name), x)
		})
	}
	d.want(g.Inject([]any{int32(1), "two", []any{1.5}}), []any{int32(1), "two", []any{1.5}})
	d.want(g.Inject(map[any]any{"a": int32(1)}), map[any]any{"a": int32(1)})
	d.want(g.Inject(nil), nil)
}

// same compares one result as its type prints: times by their instant and offset.
func (d goDriver) same(t *gremlin.GraphTraversal, want any) {
	d.Helper()
	r, err := t.Next()
	d.must(err)
	text := func(x any) string {
		switch x := x.(type) {
		case time.Time:
			return x.Format(time.RFC3339Nano)
		case *big.Int:
			return x.String()
		case *gremlin.BigDecimal:
			return fmt.Sprintf("%s scale %d", x.UnscaledValue, x.Scale)
		case *gremlin.ByteBuffer:
			return fmt.Sprintf("%x", x.Data)
		}
		return fmt.Sprintf("%T %v", x, x)
	}
	if got := r.GetInterface(); text(got) != text(want) {
		d.Errorf("got %T %s, want %s", got, text(got), text(want))
	}
}

func (d goDriver) transactions() {
	g := d.source("gtx")
	d.iterate(g.V().Drop())
	tx, other := g.Tx(), g.Tx()
	inside, err := tx.Begin()
	d.must(err)
	beside, err := other.Begin()
	d.must(err)
	d.iterate(inside.AddV("tx"))
	d.iterate(beside.AddV("tx"))
	d.want(inside.V().Count(), int64(1))
	d.want(beside.V().Count(), int64(1))
	d.want(g.V().Count(), int64(0))
	d.must(tx.Commit())
	d.want(g.V().Count(), int64(1))
	d.must(other.Commit())
	d.want(g.V().Count(), int64(2))
	tx = g.Tx()
	inside, err = tx.Begin()
	d.must(err)
	d.iterate(inside.AddV("tx"))
	d.must(tx.Rollback())
	d.want(g.V().Count(), int64(2))
	tx = d.source("gmodern").Tx()
	inside, err = tx.Begin()
	d.must(err)
	d.want(inside.V().Count(), int64(6))
	// gremlin-go keeps the low byte of a status code: 244 is 500.
	if err := tx.Commit(); err == nil || !strings.Contains(err.Error(), "code:244 message:Graph does not support transactions") {
		d.Errorf("commit on a graph without transactions: %v", err)
	}
}

func (d goDriver) sessions() {
	c, err := gremlin.NewDriverRemoteConnection(d.server.url(), func(s *gremlin.DriverRemoteConnectionSettings) {
		s.TraversalSource, s.LogVerbosity = "g", gremlin.Off
	})
	d.must(err)
	defer c.Close()
	session, err := c.CreateSession("go")
	d.must(err)
	defer session.Close()
	d.script(session.Submit, "x = 1+1", int32(2))
	d.script(session.Submit, "x+1", int32(3))
}

// script compares the results of a text.
func (d goDriver) script(submit func(string) (gremlin.ResultSet, error), text string, want ...any) {
	d.Helper()
	rs, err := submit(text)
	d.must(err)
	results, err := rs.All()
	d.must(err)
	got := make([]any, len(results))
	for i, r := range results {
		got[i] = r.GetInterface()
	}
	if !reflect.DeepEqual(got, want) {
		d.Errorf("%s: got %#v, want %#v", text, got, want)
	}
}

func (d goDriver) errors() {
	c := d.client("gmodern")
	submit := func(script string) (gremlin.ResultSet, error) { return c.Submit(script) }
	rs, err := c.SubmitWithOptions("g.inject(1).repeat(identity()).until(is(2))", new(gremlin.RequestOptionsBuilder).SetEvaluationTimeout(200).Create())
	d.must(err)
	// 598 by its low byte.
	if _, err := rs.All(); err == nil || !strings.Contains(err.Error(), "code:86") {
		d.Errorf("timeout: %v", err)
	}
	rs, err = c.Submit("1/0")
	d.must(err)
	if _, err := rs.All(); err == nil || !strings.Contains(err.Error(), "code:85") {
		d.Errorf("1/0: %v", err)
	}
	if err := <-d.source("gmodern").Inject(1).Fail("stop").Iterate(); err == nil || !strings.Contains(err.Error(), "code:83") {
		d.Errorf("fail(): %v", err)
	}
	d.script(submit, "g.V().count()", int64(6))
	d.script(submit, "2+2", int32(4))
	bound := func(script string) (gremlin.ResultSet, error) { return c.Submit(script, map[string]any{"x": 2}) }
	d.script(bound, "x + x", int64(4))
}

func (d goDriver) many() {
	var wg sync.WaitGroup
	for range 32 {
		g := d.source("gmodern")
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 10 {
				if r, err := g.V().Count().Next(); err != nil || r.GetInterface() != int64(6) {
					d.Errorf("got %v, %v", r, err)
				}
			}
		}()
	}
	wg.Wait()
}

func (d goDriver) restart() {
	if *target != "" {
		d.Log("a server that is not ours is not killed")
		return
	}
	g := d.source("g")
	for i := range 20 {
		d.iterate(g.AddV("kept").Property("n", i))
	}
	d.server.restart()
	d.want(d.source("g").V().HasLabel("kept").Values("n").Sum(), int64(190))
}
