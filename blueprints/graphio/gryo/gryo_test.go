package gryo

import (
	"bytes"
	"context"
	"encoding/hex"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// graph is a graph in memory.
type graph struct {
	vs []blueprints.VertexRecord
	es []blueprints.EdgeRecord
}

func (g *graph) Vertex(v *blueprints.VertexRecord) error { g.vs = append(g.vs, *v); return nil }
func (g *graph) Edge(e *blueprints.EdgeRecord) error     { g.es = append(g.es, *e); return nil }

func (g *graph) EachVertex(fn func(*blueprints.VertexRecord) error) error {
	for i := range g.vs {
		if err := fn(&g.vs[i]); err != nil {
			return err
		}
	}
	return nil
}

func (g *graph) EachEdge(fn func(*blueprints.EdgeRecord) error) error {
	for i := range g.es {
		if err := fn(&g.es[i]); err != nil {
			return err
		}
	}
	return nil
}

func (g *graph) EachLoose(fn func(*blueprints.EdgeRecord) error) error { return g.EachEdge(fn) }

func (g *graph) EachStar(fn func(*blueprints.Star) error) error {
	for i := range g.vs {
		v := &g.vs[i]
		star := &blueprints.Star{Vertex: v, Edges: func(dir blueprints.Direction, fn func(*blueprints.EdgeRecord) error) error {
			var of []blueprints.EdgeRecord
			for _, e := range g.es {
				if dir == blueprints.Out && value.Identical(e.Out, v.ID) || dir == blueprints.In && value.Identical(e.In, v.ID) {
					of = append(of, e)
				}
			}
			slices.SortStableFunc(of, func(a, b blueprints.EdgeRecord) int { return strings.Compare(a.Label, b.Label) })
			for i := range of {
				if err := fn(&of[i]); err != nil {
					return err
				}
			}
			return nil
		}}
		if err := fn(star); err != nil {
			return err
		}
	}
	return nil
}

// lop is a vertex as Kryo writes it: string references, incoming edges, two keys.
const lop = "67696f00000000000000000000000000018001030212" +
	"0d01010301776569" + "6768f40a3fd999999999999a02160d010103050a3fd999999999999a02180d010103050a3fc999999999999a" +
	"00020601736f667477617" + "2e5010201637265617465e40602120202021602080218020c0001" +
	"04016e616de50209080301" + "6c6ff0016c616ee702090a03016a6176e10f0101093a158a11709b9996"

func TestReadKryo(t *testing.T) {
	raw, err := hex.DecodeString(lop)
	if err != nil {
		t.Fatal(err)
	}
	var g graph
	if err := Read(context.Background(), bytes.NewReader(raw), &g); err != nil {
		t.Fatal(err)
	}
	if len(g.vs) != 1 || g.vs[0].Label != "software" || len(g.vs[0].Properties) != 2 || g.vs[0].Properties[1].Value.Str() != "java" {
		t.Errorf("vertex = %+v", g.vs)
	}
	if len(g.es) != 3 || g.es[1].Label != "created" || g.es[1].Out.Int64() != 4 || g.es[1].Properties[0].Key != "weight" || g.es[1].Properties[0].Value.Float64() != 0.4 {
		t.Errorf("edges = %+v", g.es)
	}
}

func TestReadDamaged(t *testing.T) {
	raw, _ := hex.DecodeString(lop)
	for n := 1; n < len(raw); n++ {
		if err := Read(context.Background(), bytes.NewReader(raw[:n]), &graph{}); err == nil {
			t.Fatalf("a file cut after %d bytes was accepted", n)
		}
	}
	err := Read(context.Background(), strings.NewReader("not gryo, but long enough"), &graph{})
	if err == nil || !strings.Contains(err.Error(), "no Gryo file") {
		t.Errorf("err = %v", err)
	}
}

// A file of which a byte is another one is read or refused, and takes nothing along; the first
// object refers to none before it.
func TestReadDamaged_Byte(t *testing.T) {
	raw, _ := hex.DecodeString(lop)
	for i := range raw {
		for _, b := range []byte{0, 2, 0xff, raw[i] + 1} {
			damaged := bytes.Clone(raw)
			damaged[i] = b
			var g graph
			if err := Read(context.Background(), bytes.NewReader(damaged), &g); err != nil && !strings.Contains(err.Error(), "gryo") {
				t.Errorf("byte %d is %#x: %v", i, b, err)
			}
		}
	}
	dangling := bytes.Clone(raw)
	dangling[len(header)] = 5
	if err := Read(context.Background(), bytes.NewReader(dangling), &graph{}); err == nil || !strings.Contains(err.Error(), "reference to object 3 of 0") {
		t.Error(err)
	}
}

func TestRoundTrip(t *testing.T) {
	values := []value.Value{
		value.Int(-5), value.Long(1 << 40), value.Double(0.1), value.Float(2.5), value.Bool(true), value.Byte(-1), value.Short(300),
		value.Char('x'), value.String(""), value.String("a"), value.String("größer 𝒳 " + strings.Repeat("long ", 50)),
		value.UUID(uuid.MustParse("41d2e28a-20a4-4ab0-b379-d810dede3786")),
		value.BigInt(big.NewInt(-12345678901)), value.BigDecimal(value.Decimal{Unscaled: big.NewInt(-128), Scale: 2}),
		value.List([]value.Value{value.Int(1), value.String("x"), value.Null}), value.NewSet(value.Int(1)).Value(),
		value.Binary([]byte{1, 2, 3}),
		value.Object(value.KindOffsetDateTime, time.Date(2024, 1, 2, 3, 4, 5, 6000, time.FixedZone("", 7200))),
	}
	var g graph
	v := blueprints.VertexRecord{ID: value.Int(1), Label: "all"}
	for i, x := range values {
		v.Properties = append(v.Properties, blueprints.PropertyRecord{Key: string(rune('a' + i)), ID: value.Long(int64(i)), Value: x,
			Meta: []value.Property{{Key: "since", Value: value.Int(int32(i))}}})
	}
	g.vs = []blueprints.VertexRecord{v, {ID: value.Int(2), Label: "other"}}
	g.es = []blueprints.EdgeRecord{{ID: value.Int(3), Label: "knows", Out: value.Int(1), In: value.Int(2),
		Properties: []blueprints.PropertyRecord{{Key: "weight", Value: value.Double(0.5)}}}}
	var file bytes.Buffer
	if err := Write(context.Background(), &file, &g); err != nil {
		t.Fatal(err)
	}
	var back graph
	if err := Read(context.Background(), &file, &back); err != nil {
		t.Fatal(err)
	}
	for i, p := range back.vs[0].Properties {
		if !value.Identical(p.Value, values[i]) || len(p.Meta) != 1 || p.Meta[0].Value.Int64() != int64(i) {
			t.Errorf("value %d: %v (%v), want %v", i, p.Value, p.Meta, values[i])
		}
	}
	if len(back.es) != 1 || back.es[0].Properties[0].Value.Float64() != 0.5 || back.es[0].Out.Int64() != 1 {
		t.Errorf("edges = %+v", back.es)
	}
}

func FuzzRead(f *testing.F) {
	raw, _ := hex.DecodeString(lop)
	f.Add(raw)
	f.Fuzz(func(_ *testing.T, b []byte) { _ = Read(context.Background(), bytes.NewReader(b), &graph{}) })
}
