package graphio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
)

// TestInOrder makes batches that take their time, and looks at the order in which they come.
func TestInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 2000), 1, 40).Draw(t, "sizes")
		stopAt := rapid.IntRange(-1, len(sizes)).Draw(t, "stop at")
		broken := rapid.Bool().Draw(t, "broken")
		stop, end := errors.New("enough"), errors.New("the file is broken")
		type batch struct{ number, size, sum int }
		got := 0
		err := inOrder(context.Background(), func(b *batch, next func() *batch) error {
			for i, size := range sizes {
				*b = batch{number: i, size: size}
				if i == len(sizes)-1 {
					break
				}
				if b = next(); b == nil {
					return context.Canceled
				}
			}
			if broken {
				return end
			}
			return nil
		}, func(b *batch) {
			for i := range b.size {
				b.sum += i
			}
		}, func(b *batch) error {
			if b.number != got || b.size != sizes[got] || b.sum != b.size*(b.size-1)/2 {
				t.Fatalf("batch %d is %+v", got, b)
			}
			if got++; got-1 == stopAt {
				return stop
			}
			return nil
		})
		switch {
		case stopAt >= 0 && stopAt < len(sizes):
			if err != stop || got != stopAt+1 {
				t.Fatalf("stopped at %d, after %d: %v", stopAt, got, err)
			}
		case broken && err != end, !broken && err != nil, got != len(sizes):
			t.Fatalf("%d of %d: %v", got, len(sizes), err)
		}
	})
}

// TestInOrder_Panic has a fault elsewhere come to whoever called.
func TestInOrder_Panic(t *testing.T) {
	for _, where := range []string{"fill", "work"} {
		fault := faultOf(func() {
			_ = inOrder(context.Background(), func(b *int, next func() *int) error {
				if where == "fill" {
					panic("a fault")
				}
				return nil
			}, func(*int) { panic("a fault") }, func(*int) error { return nil })
		})
		if fault == nil || !strings.Contains(fault.(string), "a fault") {
			t.Errorf("%s: %v", where, fault)
		}
	}
}

// places takes records and counts them; it refuses every seventh vertex, and from stop on
// all is over.
type places struct{ vertices, edges, stop int }

func (p *places) Vertex(*blueprints.VertexRecord) error {
	if p.vertices++; p.stop > 0 && p.vertices >= p.stop {
		return &Stop{errors.New("the disk is full")}
	}
	if p.vertices%7 == 0 {
		return errors.New("seven")
	}
	return nil
}

func (p *places) Edge(*blueprints.EdgeRecord) error { p.edges++; return nil }

// watched notes when it is read.
type watched struct {
	r     io.Reader
	reads atomic.Int64
}

func (w *watched) Read(b []byte) (int, error) { w.reads.Add(1); return w.r.Read(b) }

// TestReadAhead reads files of many batches with bad records among them: they are told in
// the order of the file, and whoever stops is not read for any more.
func TestReadAhead(t *testing.T) {
	const n = 5000
	files := map[Format]string{GraphML: "", GraphSON: ""}
	var ml, son strings.Builder
	ml.WriteString(`<graphml><key id="k" for="node" attr.name="k" attr.type="int"/><graph edgedefault="directed">` + "\n")
	text := strings.Repeat("x", 300)
	for i := 1; i <= n; i++ {
		k := fmt.Sprint(i)
		if i%1000 == 0 {
			k = "no number"
		}
		fmt.Fprintf(&ml, `<node id="%d"><data key="k">%s</data><data key="t">%s</data></node><edge source="%d" target="1"/>`+"\n", i, k, text, i)
		son.WriteString(`{"id":{"@type":"g:Int32","@value":` + k + `},"label":"a","outE":{"e":[{"id":` + fmt.Sprint(i) +
			`,"inV":1}]},"properties":{"t":[{"value":"` + text + `"}]}}` + "\n")
	}
	ml.WriteString("</graph></graphml>")
	files[GraphML], files[GraphSON] = ml.String(), son.String()
	for f, file := range files {
		rejected, last := 0, 0
		h := Handler{Reject: func(place int, _ []string, _ error) error {
			if rejected++; place <= last {
				t.Errorf("%s: place %d behind %d", f, place, last)
			}
			last = place
			return nil
		}}
		p := &places{}
		if err := ReadRecords(context.Background(), f, strings.NewReader(file), p, h); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if vertices := n - n/1000; p.vertices != vertices || rejected != n/1000+vertices/7 {
			t.Errorf("%s: %d vertices, %d edges, %d rejected", f, p.vertices, p.edges, rejected)
		}
		last = 0
		p, w := &places{stop: 100}, &watched{r: strings.NewReader(file)}
		if err := ReadRecords(context.Background(), f, w, p, h); err == nil || !strings.Contains(err.Error(), "disk is full") {
			t.Errorf("%s: %v", f, err)
		}
		reads := w.reads.Load()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		last = 0
		if err := ReadRecords(ctx, f, strings.NewReader(file), &places{}, h); !errors.Is(err, context.Canceled) {
			t.Errorf("%s cancelled: %v", f, err)
		}
		if w.reads.Load() != reads {
			t.Errorf("%s is read after the end", f)
		}
	}
}
