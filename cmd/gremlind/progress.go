package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"golang.org/x/term"
)

// progress reports on standard error how many records a command has handled: in place
// on a terminal, a line every ten seconds elsewhere.
type progress struct {
	w        io.Writer
	terminal bool
	begun    time.Time
	shown    time.Time
	vertices int64
	edges    int64
	rejected int64
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	now := time.Now()
	return &progress{w: w, terminal: ok && term.IsTerminal(int(f.Fd())), begun: now, shown: now}
}

// tick shows the counts when it is time to.
func (p *progress) tick() {
	if (p.vertices+p.edges)%1024 != 0 {
		return
	}
	every := 10 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	if now := time.Now(); now.Sub(p.shown) >= every {
		p.shown = now
		p.print()
	}
}

func (p *progress) print() {
	end := "\n"
	if p.terminal {
		end = "\r"
	}
	seconds := time.Since(p.begun).Seconds()
	fmt.Fprintf(p.w, "%d vertices, %d edges, %d rejected, %.1f s, %.0f records/s%s",
		p.vertices, p.edges, p.rejected, seconds, float64(p.vertices+p.edges)/max(seconds, 0.001), end)
}

// quiet is a log for commands that only want to hear of errors.
func quiet() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
}

// done shows the final counts.
func (p *progress) done() {
	p.terminal = false
	p.print()
}
