package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/gremlind/gremlind/conformance/server"
)

// formsByName makes the forms of a comma-separated list; done ends what they hold.
func formsByName(names string) (forms []form, done func(), err error) {
	done = func() {}
	for _, n := range strings.Split(names, ",") {
		switch n {
		case "text":
			forms = append(forms, textForm)
		case "bytecode":
			forms = append(forms, bytecodeForm)
		case "driver":
			c, err := newCapture()
			if err != nil {
				return nil, done, err
			}
			done = c.close
			forms = append(forms, newDriverForm(c))
		default:
			return nil, done, fmt.Errorf("there is no form %q: text, bytecode or driver", n)
		}
	}
	return forms, done, nil
}

// suite runs scenarios in their forms and counts.
type suite struct {
	scenarios []*scenario
	skips     map[string]string
	forms     []form
	short     bool
	asOf      map[string]string // versions that sources are read as of; nil: as they are
}

type tally struct{ passed, failed, skipped int }

func (t *tally) add(u tally) {
	t.passed, t.failed, t.skipped = t.passed+u.passed, t.failed+u.failed, t.skipped+u.skipped
}

func (t tally) String() string {
	return fmt.Sprintf("%4d passed %4d failed %4d skipped", t.passed, t.failed, t.skipped)
}

// run prints a line per feature file and below it what failed. An error says that
// not everything passed.
func (s *suite) run(ctx context.Context, url string, w io.Writer) error {
	world, err := newWorld(ctx, url)
	if err != nil {
		return err
	}
	world.asOf = s.asOf
	defer func() { world.conn.Close() }()
	byFile := map[string][]*scenario{}
	var files []string
	for _, sc := range s.scenarios {
		if byFile[sc.file] == nil {
			files = append(files, sc.file)
		}
		byFile[sc.file] = append(byFile[sc.file], sc)
	}
	sort.Strings(files)
	var total tally
	for _, f := range files {
		t, messages, err := s.file(ctx, world, byFile[f])
		if err != nil {
			return err
		}
		total.add(t)
		if !s.short || t.failed > 0 {
			fmt.Fprintf(w, "%-44s %s\n", f, t)
		}
		for _, m := range messages {
			fmt.Fprintf(w, "    %s\n", m)
		}
	}
	fmt.Fprintf(w, "%d scenarios in %d forms: %s\n", len(s.scenarios), len(s.forms), total)
	if total.failed > 0 {
		return fmt.Errorf("%d of %d did not pass", total.failed, total.passed+total.failed)
	}
	return nil
}

func (s *suite) file(ctx context.Context, w *world, scenarios []*scenario) (tally, []string, error) {
	var t tally
	var messages []string
	for _, sc := range scenarios {
		for _, f := range s.forms {
			if s.skips[sc.key()+"\t"+f.name] != "" {
				t.skipped++
				continue
			}
			err := w.perform(ctx, sc, f)
			if errors.Is(err, errNotPast) {
				t.skipped++
				continue
			}
			if err == nil {
				t.passed++
				continue
			}
			t.failed++
			messages = append(messages, fmt.Sprintf("%s:%d %s [%s] %.400s", sc.file, sc.line, sc.name, f.name, err))
			if lost(err) {
				if err := w.reconnect(ctx); err != nil {
					return t, messages, fmt.Errorf("after %s: %w", sc.name, err)
				}
			}
		}
	}
	return t, messages, nil
}

// runPlain runs the scenarios on a server and nothing beside.
func (s *suite) runPlain(ctx context.Context, srv *server.Server, _ string, w io.Writer) error {
	return s.run(ctx, srv.URL, w)
}
