package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress reports on standard error how many records a command has handled: in place
// on a terminal, a line every ten seconds elsewhere, also while none comes.
type progress struct {
	w        io.Writer
	terminal bool
	begun    time.Time
	// The counts belong to the goroutine that reads or writes the records.
	vertices int64
	edges    int64
	rejected int64

	mu    sync.Mutex // of what is shown
	shown [3]int64
	phase string
	ended chan struct{}
	over  sync.WaitGroup
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	p := &progress{w: w, terminal: ok && term.IsTerminal(int(f.Fd())), begun: time.Now(), ended: make(chan struct{})}
	every := 10 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	p.over.Go(func() { p.run(every) })
	return p
}

// run shows the counts until the command is done.
func (p *progress) run(every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.print()
		case <-p.ended:
			return
		}
	}
}

// tick makes the counts known now and then.
func (p *progress) tick() {
	if (p.vertices+p.edges)%1024 == 0 {
		p.publish()
	}
}

// publish makes the counts known.
func (p *progress) publish() {
	p.mu.Lock()
	p.shown = [3]int64{p.vertices, p.edges, p.rejected}
	p.mu.Unlock()
}

// enter says what goes on when no more records come.
func (p *progress) enter(phase string) {
	p.publish()
	p.mu.Lock()
	p.phase = phase
	p.mu.Unlock()
}

func (p *progress) print() {
	end := "\n"
	if p.terminal {
		end = "\r"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	seconds := time.Since(p.begun).Seconds()
	fmt.Fprintf(p.w, "%d vertices, %d edges, %d rejected, %.1f s, %.0f records/s%s%s",
		p.shown[0], p.shown[1], p.shown[2], seconds, float64(p.shown[0]+p.shown[1])/max(seconds, 0.001), p.phase, end)
}

// quiet is a log for commands that only want to hear of errors.
func quiet() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
}

// done shows the final counts.
func (p *progress) done() {
	close(p.ended)
	p.over.Wait()
	p.terminal = false
	p.enter("")
	p.print()
}
