package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// clearScreen puts what follows at the beginning of an empty terminal.
const clearScreen = "\x1b[H\x1b[2J"

func newTop() *cobra.Command {
	var once bool
	var format, every string
	cmd := &cobra.Command{
		Use: "top", Short: "Show what a server is doing: requests, rates, times, memory",
		Long: `Show what a server is doing, again and again on a terminal until it is interrupted: the requests that run or wait, how many were
answered and how long they took since the picture before, commits and syncs, caches, and who makes it keep how much memory.
gremlind kill ID, or the beginning of an id, stops a request.`,
		Args: cobra.NoArgs,
	}
	configFlags(cmd.Flags())
	var a administration
	a.flags(cmd.Flags())
	cmd.Flags().BoolVar(&once, "once", false, "one picture; so it is too where the output is no terminal")
	cmd.Flags().StringVar(&format, "format", "text", "text or json, a line for each picture")
	cmd.Flags().StringVar(&every, "every", "2s", "time between pictures")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := a.settle(cmd.Flags()); err != nil {
			return err
		}
		period, err := readDuration(every)
		if err != nil || period < 100*time.Millisecond {
			return usage("--every %s: want a time of 100ms or more", every)
		}
		if format != "text" && format != "json" {
			return usage("--format %s: want text or json", format)
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
		defer stop()
		file, _ := cmd.OutOrStdout().(*os.File)
		t := top{server: &a, out: cmd.OutOrStdout(), json: format == "json", every: period, terminal: file != nil && isTerminal(file)}
		t.once = once || !t.terminal && !t.json
		return t.run(ctx)
	}
	return cmd
}

// top shows pictures of a server.
type top struct {
	server         *administration
	out            io.Writer
	json, terminal bool
	once           bool
	every          time.Duration
}

// run shows pictures until ctx ends, or one; each is of the time since the one before.
func (t *top) run(ctx context.Context) error {
	before, err := t.look(ctx)
	for err == nil {
		select {
		case <-time.After(t.every):
		case <-ctx.Done():
			return nil
		}
		var now *topSample
		if now, err = t.look(ctx); err != nil {
			break
		}
		if err = t.show(pictureOf(before, now)); err != nil || t.once {
			return err
		}
		before = now
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// look asks the server.
func (t *top) look(ctx context.Context) (*topSample, error) {
	s := &topSample{at: time.Now()}
	if err := t.server.ask(ctx, http.MethodGet, "/status", &s.requests); err != nil {
		return nil, err
	}
	if err := t.server.ask(ctx, http.MethodGet, "/memory", &s.memory); err != nil {
		return nil, err
	}
	var text strings.Builder
	err := t.server.ask(ctx, http.MethodGet, "/metrics", &text)
	s.metrics = readMetrics(text.String())
	return s, err
}

func (t *top) show(p *topPicture) error {
	if t.json {
		return json.NewEncoder(t.out).Encode(p)
	}
	width, height := 0, 0
	if t.terminal && !t.once {
		if file, ok := t.out.(*os.File); ok {
			width, height, _ = term.GetSize(int(file.Fd())) // 0 where it is not known
		}
		if _, err := io.WriteString(t.out, clearScreen); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(t.out, p.text(width, height))
	return err
}
