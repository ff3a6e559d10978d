package keyindex_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// elements is a Source of n elements with the numbers from 1, whose values are the number
// modulo 10 and a text.
type elements struct {
	n      int
	failed atomic.Int32 // that many calls of Values fail first
	read   atomic.Int32 // elements whose values were asked for
}

var errSource = errors.New("the source fails")

func (e *elements) Last(storage.Reader, table.Class) (uint64, error) { return uint64(e.n), nil }

func (e *elements) Elements(_ storage.Reader, _ table.Class, _ uint32, after []byte, highest uint64, max int) ([]uint64, []byte, error) {
	last := uint64(0)
	if len(after) == 8 {
		last = binary.BigEndian.Uint64(after)
	}
	var ids []uint64
	for id := last + 1; id <= min(uint64(e.n), highest) && len(ids) < max; id++ {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil, nil, nil
	}
	return ids, binary.BigEndian.AppendUint64(nil, ids[len(ids)-1]), nil
}

func (e *elements) Values(_ storage.Reader, _ table.Class, ids []uint64, _ uint32, fn func(uint64, value.Value) error) error {
	if e.failed.Add(-1) >= 0 {
		return errSource
	}
	e.read.Add(int32(len(ids)))
	for _, id := range ids {
		if err := errors.Join(fn(id, value.Int(int32(id%10))), fn(id, value.String("text"))); err != nil {
			return err
		}
	}
	return nil
}

func (e *elements) Reading(r storage.Reader) keyindex.Elements { return reading{e, r} }

func (e *elements) ReadingMany(tx storage.Tx, _ table.Class, _ []uint64, _ []uint32) (keyindex.Elements, error) {
	return reading{e, tx}, nil
}

func (e *elements) ReadingRows(tx storage.Tx, c table.Class, ids []uint64, symbols []uint32) (keyindex.Elements, error) {
	return e.ReadingMany(tx, c, ids, symbols)
}

func (e *elements) Rows(table.Class, uint64, uint64) (from, to []byte) {
	return []byte("rows"), []byte("rowt")
}

func (e *elements) UserID(_ storage.Reader, _ table.Class, id uint64) string {
	return strconv.FormatUint(id, 10)
}

type reading struct {
	*elements
	r storage.Reader
}

func (r reading) Element(c table.Class, id uint64) (keyindex.Element, bool, error) {
	return keyindex.Element{Class: c, ID: id, Label: 1}, true, nil
}

func (r reading) Values(dst []value.Value, c table.Class, id uint64, symbol uint32) ([]value.Value, error) {
	err := r.elements.Values(r.r, c, []uint64{id}, symbol, func(_ uint64, v value.Value) error {
		dst = append(dst, v)
		return nil
	})
	return dst, err
}

var quiet = slog.New(slog.DiscardHandler)

// define commits the definition of an index over elements, so that it has to be built.
func define(t *testing.T, s storage.Store, c table.Class, labels bool) {
	t.Helper()
	tx := begin(t, s)
	if labels {
		must(t, tx.Set(table.AppendLabel(nil, table.Label{Graph: graph, Class: c, Label: 1, Element: 1}), nil))
	}
	must(t, keyindex.Define(tx, graph, c, "name", symbol))
	commit(t, tx)
}

func load(t *testing.T, s storage.Store) *keyindex.Definitions {
	t.Helper()
	snap, err := s.Snapshot()
	must(t, err)
	defer snap.Close()
	d, err := keyindex.Load(snap, graph)
	must(t, err)
	return d
}

func inState(state keyindex.State) func(*keyindex.Definitions) bool {
	return func(d *keyindex.Definitions) bool {
		def, ok := d.Key(table.VertexClass, symbol)
		return ok && def.State == state
	}
}

func lookup(t *testing.T, s storage.Store, v value.Value) []uint64 {
	t.Helper()
	snap, err := s.Snapshot()
	must(t, err)
	defer snap.Close()
	h := &keyindex.Hits{}
	new(keyindex.Scratch).Lookup(h, snap, graph, table.VertexClass, symbol, keyindex.Range{Min: v, Max: v, HasMin: true, HasMax: true}, nil)
	return collect(t, h)
}

// The worker builds an index over more elements than one transaction takes, and removes it
// with everything that it wrote.
func TestWorker_BuildsAndRemoves(t *testing.T) {
	s := open(t)
	define(t, s, table.VertexClass, true)
	if def, ok := load(t, s).Key(table.VertexClass, symbol); !ok || def.State != keyindex.Building {
		t.Fatalf("an index over elements begins as %+v", def)
	}
	w := keyindex.StartWorker(s, graph, &elements{n: 1500}, quiet)
	defer w.Stop()
	must(t, w.Wait(ctx, inState(keyindex.Active)))
	var want []uint64
	for id := uint64(7); id <= 1500; id += 10 {
		want = append(want, id)
	}
	if got := lookup(t, s, value.Long(7)); !slices.Equal(sorted(got), want) {
		t.Errorf("%d elements, want %d", len(got), len(want))
	}
	if got := lookup(t, s, value.String("text")); len(got) != 1500 {
		t.Errorf("%d elements by text", len(got))
	}
	tx := begin(t, s)
	must(t, keyindex.Undefine(tx, graph, table.VertexClass, "name"))
	commit(t, tx)
	w.Wake()
	must(t, w.Wait(ctx, func(d *keyindex.Definitions) bool { return len(d.Keys(table.VertexClass)) == 0 }))
	snap, err := s.Snapshot()
	must(t, err)
	defer snap.Close()
	for _, c := range []table.Code{table.VertexKeyIndex, table.VertexKeyOwned, table.IndexMetadata} {
		if left := rows(t, snap, c); len(left) > 0 {
			t.Errorf("table %x: %d rows are left", c, len(left))
		}
	}
}

// An index over no elements is complete at once, by the class that it is for.
func TestDefine_OverNothing(t *testing.T) {
	for _, c := range []table.Class{table.VertexClass, table.EdgeClass} {
		s := open(t)
		other := table.VertexClass
		if c == table.VertexClass {
			other = table.EdgeClass
		}
		tx := begin(t, s)
		must(t, tx.Set(table.AppendLabel(nil, table.Label{Graph: graph, Class: other, Label: 1, Element: 1}), nil))
		must(t, keyindex.Define(tx, graph, c, "name", symbol))
		must(t, keyindex.Define(tx, graph, other, "name", symbol))
		commit(t, tx)
		d := load(t, s)
		if def, _ := d.Key(c, symbol); def.State != keyindex.Active {
			t.Errorf("%v: %+v", c, def)
		}
		if def, _ := d.Key(other, symbol); def.State != keyindex.Building {
			t.Errorf("%v: %+v", other, def)
		}
		if un := d.Unfinished(); len(un) != 1 || un[0].Class != other {
			t.Errorf("unfinished: %+v", un)
		}
		must(t, keyindex.Define(begin(t, s), graph, c, "name", symbol)) // a second time
	}
}

// What a worker leaves undone another goes on with, and what it has done stays.
func TestWorker_GoesOn(t *testing.T) {
	s := open(t)
	define(t, s, table.VertexClass, true)
	l := &limited{Store: s, commits: 1, first: make(chan struct{})}
	first := keyindex.StartWorker(l, graph, &elements{n: 20_000}, quiet)
	<-l.first
	first.Stop()
	begun := len(lookup(t, s, value.String("text")))
	if begun == 0 || begun == 20_000 {
		t.Fatalf("%d entries after the first step", begun)
	}
	if err := first.Wait(ctx, inState(keyindex.Active)); !errors.Is(err, storage.ErrClosed) {
		t.Error("waiting for one that has stopped:", err)
	}
	src := &elements{n: 20_000}
	second := keyindex.StartWorker(s, graph, src, quiet)
	defer second.Stop()
	must(t, second.Wait(ctx, inState(keyindex.Active)))
	if read := int(src.read.Load()); read != 20_000-begun {
		t.Errorf("%d elements were read again, %d were left", read, 20_000-begun)
	}
	if n := len(lookup(t, s, value.String("text"))); n != 20_000 {
		t.Errorf("%d entries", n)
	}
}

// limited is a Store that lets some transactions begin and then has everyone lose.
type limited struct {
	storage.Store
	commits int32
	lost    atomic.Int32
	first   chan struct{} // closed when the first one loses
}

func (l *limited) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	if atomic.AddInt32(&l.commits, -1) < 0 {
		if l.lost.Add(1) == 1 {
			close(l.first)
		}
		return nil, storage.ErrConflict
	}
	return l.Store.Begin(ctx, o)
}

// losing is a Store whose first transactions all lose.
type losing struct {
	storage.Store
	left atomic.Int32
}

func (l *losing) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	if l.left.Add(-1) >= 0 {
		return nil, storage.ErrConflict
	}
	return l.Store.Begin(ctx, o)
}

// sizes notes how many elements a builder asks for.
type sizes struct {
	elements
	asked []int
}

func (s *sizes) Elements(r storage.Reader, c table.Class, label uint32, after []byte, last uint64, max int) ([]uint64, []byte, error) {
	s.asked = append(s.asked, max)
	return s.elements.Elements(r, c, label, after, last, max)
}

// After lost conflicts the builder asks for less, down to one, and for more again when it
// gets through.
func TestWorker_AsksForLessAfterConflicts(t *testing.T) {
	s := open(t)
	define(t, s, table.VertexClass, true)
	l := &losing{Store: s}
	l.left.Store(15)
	src := &sizes{elements: elements{n: 9000}}
	w := keyindex.StartWorker(l, graph, src, quiet)
	must(t, w.Wait(ctx, inState(keyindex.Active)))
	w.Stop()
	want := []int{1, 2048, 2048, 2048, 2048, 2048, 2, 4, 8, 16, 32, 64, 128, 256, 512} // with 8192 by tables, and again too few for them
	if !slices.Equal(src.asked, want) {
		t.Error("asked for", src.asked)
	}
}

// growing is a Source that others add to whenever it is asked.
type growing struct{ elements }

func (g *growing) Elements(r storage.Reader, c table.Class, label uint32, after []byte, last uint64, max int) ([]uint64, []byte, error) {
	g.n += max
	return g.elements.Elements(r, c, label, after, last, max)
}

// A builder does not wait until nobody adds elements.
func TestWorker_EndsBesideOthers(t *testing.T) {
	s := open(t)
	define(t, s, table.VertexClass, true)
	w := keyindex.StartWorker(s, graph, &growing{elements{n: 3000}}, quiet)
	defer w.Stop()
	some, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	must(t, w.Wait(some, inState(keyindex.Active)))
}

// A source that fails is asked again after a pause, and the log says what happened. The
// pause is a real one: channels of a bubble would stay with the store's package for other tests.
func TestWorker_TriesAgain(t *testing.T) {
	s := open(t)
	define(t, s, table.VertexClass, true)
	src := &elements{n: 20}
	src.failed.Store(1)
	var log bytes.Buffer
	began := time.Now()
	w := keyindex.StartWorker(s, graph, src, slog.New(slog.NewTextHandler(&log, nil)))
	must(t, w.Wait(ctx, inState(keyindex.Active)))
	w.Stop()
	if took := time.Since(began); took < time.Second {
		t.Error("again after", took)
	}
	if !bytes.Contains(log.Bytes(), []byte(errSource.Error())) || !bytes.Contains(log.Bytes(), []byte("name")) {
		t.Errorf("the log says %q", log.Bytes())
	}
	if n := len(lookup(t, s, value.String("text"))); n != 20 {
		t.Errorf("%d entries", n)
	}
}

// Waiting ends with its context.
func TestWorker_WaitEnds(t *testing.T) {
	s := open(t)
	w := keyindex.StartWorker(s, graph, &elements{}, quiet)
	defer w.Stop()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := w.Wait(ended, func(*keyindex.Definitions) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
