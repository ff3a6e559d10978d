package graphbinary_test

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
	"github.com/gremlind/gremlind/traversal"
)

// sendable leaves out what the wire loses on purpose: the name of a zone, the class
// Map.Entry.
func sendable(v value.Value) bool {
	switch v.Kind() {
	case value.KindZonedDateTime, value.KindMapEntry:
		return false
	case value.KindList:
		return all(v.Elems())
	case value.KindSet:
		return all(v.Set().Elems())
	case value.KindMap:
		return all(v.Map().Keys()) && all(v.Map().Values())
	case value.KindBulkSet:
		return all(v.BulkSet().Expand())
	}
	return true
}

func all(list []value.Value) bool {
	for _, e := range list {
		if !sendable(e) {
			return false
		}
	}
	return true
}

func TestValue_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Storable(3).Filter(sendable).Draw(t, "v")
		b, err := graphbinary.AppendValue([]byte("x"), v, nil)
		if err != nil {
			t.Fatal(err)
		}
		w, rest, err := graphbinary.ReadValue(append(b[1:], "rest"...))
		if err != nil || !value.Identical(v, w) || string(rest) != "rest" {
			t.Fatalf("%#v came back as %#v, %q, %v", v, w, rest, err)
		}
	})
}

// store resolves two vertices and an edge between them.
type store struct{}

func (store) ResolveVertex(id uint64, withProperties bool, _ *value.Element) (*value.Element, error) {
	e := &value.Element{ID: value.Int(int32(id)), Label: "person"}
	if withProperties {
		e.Properties = []value.Value{value.OfVertexProperty(&value.VertexProperty{
			ID: value.Long(9), Key: "name", Value: value.String("marko"), Vertex: value.VertexRef(id)})}
	}
	return e, nil
}

func (store) ResolveEdge(id uint64, withProperties bool) (*value.Element, error) {
	e := &value.Element{ID: value.Int(int32(id)), Label: "knows", Out: value.VertexRef(1), In: value.VertexRef(2)}
	if withProperties {
		e.Properties = []value.Value{value.OfProperty(&value.Property{Key: "weight", Value: value.Double(0.5)})}
	}
	return e, nil
}

func TestEncoder_StoredElements(t *testing.T) {
	path := &value.Path{Labels: [][]string{{"a"}, {}}, Objects: []value.Value{value.VertexRef(1), value.EdgeRef(7)}}
	nested := value.List([]value.Value{path.Value(), value.NewSet(value.VertexRef(2)).Value()})
	b, err := graphbinary.AppendValue(nil, nested, store{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := graphbinary.DecodeValue(b)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := v.JavaString(), "[path[v[1], e[7][1-knows->2]], [v[2]]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	edge := v.Elems()[0].Path().Objects[1].Detached()
	if p := edge.Properties[0].Property(); p.Key != "weight" || edge.In.Detached().Label != "person" {
		t.Errorf("edge came as %+v", edge)
	}
	tokens := graphbinary.Encoder{Resolver: store{}, Tokens: true}
	if b, err = tokens.Append(nil, nested); err != nil {
		t.Fatal(err)
	}
	if v, err = graphbinary.DecodeValue(b); err != nil {
		t.Fatal(err)
	}
	for _, o := range v.Elems()[0].Path().Objects {
		if o.Detached().Properties != nil {
			t.Errorf("%v has properties under tokens", o)
		}
	}
}

func request() *message.Request {
	code := &traversal.Bytecode{Steps: []traversal.Instruction{
		{Name: "V"},
		{Name: "has", Args: []value.Value{value.String("person"), value.String("name"), value.String("marko")}},
		{Name: "out", Args: []value.Value{value.String("knows")}},
		{Name: "where", Args: []value.Value{(&traversal.Bytecode{Steps: []traversal.Instruction{
			{Name: "has", Args: []value.Value{value.String("age"), (&traversal.P{Name: "gt", Args: []value.Value{value.Int(30)}}).Value()}},
		}}).Value()}},
		{Name: "values", Args: []value.Value{value.String("name")}},
	}}
	aliases := value.NewMap()
	aliases.PutString("g", value.String("gmodern"))
	args := value.NewMap()
	args.PutString("gremlin", code.Value())
	args.PutString("aliases", aliases.Value())
	return &message.Request{ID: uuid.MustParse("41d2e28a-20a4-4ab0-b379-d810dede3786"), HasID: true,
		Op: "bytecode", Processor: "traversal", Args: args}
}

func TestCodec_Request(t *testing.T) {
	q := request()
	b, err := graphbinary.AppendRequest(nil, q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := graphbinary.Codec{}.DecodeRequest(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != q.ID || !got.HasID || got.Op != q.Op || got.Processor != q.Processor ||
		got.Args.Value().JavaString() != q.Args.Value().JavaString() {
		t.Errorf("got %+v with %v", got, got.Args.Value())
	}
	again, err := graphbinary.AppendRequest(nil, got)
	if err != nil || !bytes.Equal(again, b) {
		t.Errorf("written again as %x, %v", again, err)
	}
}

// A cut request keeps its id once it was read, and always has arguments.
func TestCodec_BrokenRequestKeepsItsID(t *testing.T) {
	b, err := graphbinary.AppendRequest(nil, request())
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		q, err := graphbinary.Codec{}.DecodeRequest(b[:i], nil)
		if err == nil || q == nil || q.Args == nil || q.HasID != (i >= 17) {
			t.Fatalf("%d bytes: %+v, %v", i, q, err)
		}
	}
	b[0] = 0x84
	if q, err := (graphbinary.Codec{}).DecodeRequest(b, nil); err == nil || q.HasID {
		t.Errorf("version 0x84 gives %+v, %v", q, err)
	}
}

func TestCodec_Response(t *testing.T) {
	c := graphbinary.Codec{}
	var items []byte
	var err error
	for i := range 3 {
		o := message.ItemOptions{Resolver: store{}}
		v := value.OfTraverser(&value.Bulked{Bulk: int64(i + 1), Value: value.VertexRef(uint64(i))})
		if items, err = c.AppendItem(items, i, v, o); err != nil {
			t.Fatal(err)
		}
	}
	r := &message.Response{ID: request().ID, HasID: true, Code: 206, Message: "partial",
		Attributes: []message.Attribute{{Key: "host", Value: value.String("/127.0.0.1:1")}}}
	b, err := c.AppendResponse(nil, r, items, 3)
	if err != nil {
		t.Fatal(err)
	}
	got, data, err := graphbinary.DecodeResponse(b)
	if err != nil || got.Code != 206 || got.ID != r.ID || got.Message != "partial" || len(got.Attributes) != 1 {
		t.Fatalf("got %+v, %v", got, err)
	}
	if s := data.JavaString(); s != "[v[0], v[1], v[2]]" || data.Elems()[2].Traverser().Bulk != 3 {
		t.Errorf("data is %s", s)
	}
	b, err = c.AppendResponse(nil, &message.Response{Code: 499, NoData: true}, nil, 0)
	want := []byte{0x81, 1, 0, 0, 1, 0xf3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfe, 1}
	if err != nil || !bytes.Equal(b, want) {
		t.Errorf("empty response is %x, %v", b, err)
	}
}

func TestCodec_Stringd(t *testing.T) {
	c := graphbinary.Codec{Stringd: true}
	b, err := c.AppendItem(nil, 0, value.EdgeRef(7), message.ItemOptions{Resolver: store{}})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := graphbinary.DecodeValue(b); err != nil || v.Str() != "e[7][1-knows->2]" {
		t.Errorf("got %#v, %v", v, err)
	}
}

func FuzzDecodeValue(f *testing.F) {
	for _, g := range goldenValues(f) {
		f.Add(g.bytes)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := graphbinary.DecodeValue(b)
		if err != nil {
			return
		}
		_, _ = v.JavaString(), value.Hash(v)
		if _, err := graphbinary.AppendValue(nil, v, nil); err != nil {
			t.Fatalf("%#v cannot be written: %v", v, err)
		}
	})
}

func FuzzDecodeRequest(f *testing.F) {
	b, err := graphbinary.AppendRequest(nil, request())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if q, err := (graphbinary.Codec{}).DecodeRequest(b, nil); err == nil {
			if _, err := graphbinary.AppendRequest(nil, q); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzDecodeResponse(f *testing.F) {
	b, err := graphbinary.Codec{}.AppendResponse(nil, &message.Response{Code: 200}, nil, 0)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, _, err := graphbinary.DecodeResponse(b); err == nil && p == nil {
			t.Fatal("neither response nor error")
		}
	})
}

func BenchmarkDecodeRequest(b *testing.B) {
	msg, err := graphbinary.AppendRequest(nil, request())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (graphbinary.Codec{}).DecodeRequest(msg, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendItem_Vertex5Properties(b *testing.B) {
	e := &value.Element{ID: value.Int(1), Label: "person"}
	for _, k := range []string{"name", "age", "city", "email", "since"} {
		e.Properties = append(e.Properties, value.OfVertexProperty(&value.VertexProperty{
			ID: value.Long(1), Key: k, Value: value.String("value of " + k)}))
	}
	v := value.DetachedVertex(e)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buf, err = (graphbinary.Codec{}).AppendItem(buf[:0], 0, v, message.ItemOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
