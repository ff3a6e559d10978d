package main

import (
	"fmt"
	"io"
	"time"

	"github.com/gremlind/gremlind/traversal/lang"
)

const (
	idleConnections = 64
	quietRound      = 2 * time.Second
	// hogLimit ends the expensive request on servers that do not notice that nobody
	// waits for it any more.
	hogLimit = 3 * quietRound
)

// hogQuery keeps a server busy for longer than a round.
const hogQuery = `g.V().both().both().both().simplePath().count()`

// measureHog tells what one expensive request does to the point reads of others
// while many connections stand idle (row 18).
func measureHog(d *dataset, targets []*target, w io.Writer) error {
	fmt.Fprint(w, "\nRow 18, p99 of a point read beside 64 idle connections:\n\n| server | quiet | beside one hog | ratio |\n|---|---|---|---|\n")
	point := &query{name: "point read", text: `g.V(v).values("age")`}
	for _, t := range targets {
		if t.reference {
			continue
		}
		quiet, busy, err := hogged(t, point, d)
		if err != nil {
			return fmt.Errorf("row 18 on %s: %w", t.name, err)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %.1f |\n", t.name, short(float64(quiet)), short(float64(busy)), float64(busy)/float64(max(quiet, 1)))
	}
	return nil
}

func hogged(t *target, point *query, d *dataset) (quiet, busy time.Duration, err error) {
	for range idleConnections {
		c, err := dialRaw(t.url)
		if err != nil {
			return 0, 0, err
		}
		defer c.close()
	}
	l, err := point.build(t, d)
	if err != nil {
		return 0, 0, err
	}
	c, err := connect(t, l, rawClient, 1)
	if err != nil {
		return 0, 0, err
	}
	defer c.close()
	if _, err := round(t, c, quietRound/2); err != nil {
		return 0, 0, err
	}
	s, err := round(t, c, quietRound)
	if err != nil {
		return 0, 0, err
	}
	quiet = s.percentile(.99)
	stop, err := startHog(t)
	if err != nil {
		return 0, 0, err
	}
	defer stop()
	s, err = round(t, c, quietRound)
	return quiet, s.percentile(.99), err
}

// startHog sends the expensive request; stop closes its connection.
func startHog(t *target) (stop func(), err error) {
	parsed, err := lang.Parse(hogQuery, lang.Options{})
	if err != nil {
		return nil, fmt.Errorf("parse the hog: %w", err)
	}
	frame, err := encode("g", parsed.Last().Bytecode, hogLimit)
	if err != nil {
		return nil, err
	}
	c, err := dialRaw(t.url)
	if err != nil {
		return nil, err
	}
	return c.close, c.send(frame)
}
