package keyindex

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// Worker builds and removes the key indexes of one graph in the background: one
// goroutine, small transactions that give way to others. What a crash interrupts goes
// on when the next Worker starts.
type Worker struct {
	store  storage.Store
	graph  uint32
	source Source
	logger *slog.Logger

	cancel context.CancelFunc
	wake   chan struct{} // holds one request to look again
	gone   sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when an index is finished
	stopped bool
	failed  map[uint32]error // why indexes were not made, by number, until somebody asks
}

// StartWorker starts the work on the unfinished indexes of a graph.
func StartWorker(s storage.Store, graph uint32, src Source, logger *slog.Logger) *Worker {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Worker{
		store: s, graph: graph, source: src, logger: logger, cancel: cancel,
		wake: make(chan struct{}, 1), changed: make(chan struct{}),
	}
	w.gone.Add(1)
	go func() {
		defer w.gone.Done()
		w.run(ctx)
	}()
	return w
}

// Wake tells the Worker that a definition has changed.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Stop ends the work; it goes on when the graph is opened again.
func (w *Worker) Stop() {
	w.cancel()
	w.gone.Wait()
	w.mu.Lock()
	w.stopped = true
	w.mu.Unlock()
	w.announce()
}

// Wait returns once done says so about the current definitions, or with an error when
// ctx or the Worker ends first.
func (w *Worker) Wait(ctx context.Context, done func(*Definitions) bool) error {
	for {
		w.mu.Lock()
		changed, stopped := w.changed, w.stopped
		w.mu.Unlock()
		if stopped {
			return storage.ErrClosed
		}
		d, err := w.load()
		if err != nil {
			return err
		}
		if done(d) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// Failure returns why the index of a number was not made, once; nil when it was dropped.
func (w *Worker) Failure(number uint32) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.failed[number]
	delete(w.failed, number)
	return err
}

// failedKept is how many failures are kept that nobody has asked about.
const failedKept = 64

func (w *Worker) fail(d *Definition, f *failure) error {
	snap, err := w.store.Snapshot()
	if err != nil {
		return err
	}
	defer snap.Close()
	err = f.report(d, func(id uint64) string { return w.source.UserID(snap, d.Class, id) })
	w.logger.Warn("index not made", "graph", w.graph, "index", d.Name, "err", err)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil || len(w.failed) >= failedKept {
		w.failed = map[uint32]error{}
	}
	w.failed[d.Number] = err
	return nil
}

func (w *Worker) load() (*Definitions, error) {
	snap, err := w.store.Snapshot()
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	return Load(snap, w.graph)
}

func (w *Worker) announce() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.changed)
	w.changed = make(chan struct{})
}

func (w *Worker) run(ctx context.Context) {
	for {
		err := w.pass(ctx)
		if errors.Is(err, storage.ErrClosed) || ctx.Err() != nil {
			return
		}
		var again <-chan time.Time
		if err != nil {
			w.logger.Warn("index work stopped; trying again", "graph", w.graph, "err", err)
			again = time.After(retryAfter)
		}
		select {
		case <-ctx.Done():
			return
		case <-w.wake:
		case <-again:
		}
	}
}

// retryAfter is the pause after an error that is not a lost conflict.
const retryAfter = time.Second

// pass finishes all unfinished indexes.
func (w *Worker) pass(ctx context.Context) error {
	d, err := w.load()
	if err != nil {
		return err
	}
	for _, def := range d.Unfinished() {
		if err := w.finish(ctx, def); err != nil {
			return fmt.Errorf("%s index %q: %w", def.Class, def.Name, err)
		}
		w.announce()
	}
	return nil
}

// finish works on one index until it is done. After a lost conflict it waits a little
// and asks for less.
func (w *Worker) finish(ctx context.Context, d Definition) error {
	b := &builder{store: w.store, graph: w.graph, src: w.source, pace: newPacer(w.store)}
	n, f := newSize(&d), &b.fails
	reported := false
	for {
		elements := b.size(&n, &d)
		done, err := b.step(ctx, d, elements)
		if f.complete && !reported {
			reported = true
			if err := w.fail(&d, f); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, errFew):
			n.small = tablesMin
		case errors.Is(err, errNoTables):
			n.full(elements)
		case errors.Is(err, errOneByOne):
			n.small = elements
		case errors.Is(err, storage.ErrConflict):
			n.lost(elements)
			if err := sleep(ctx, n.pause); err != nil {
				return err
			}
		case err != nil:
			return err
		case done:
			return nil
		default:
			n.won(elements)
		}
	}
}
