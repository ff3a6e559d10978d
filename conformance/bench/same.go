package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
)

const (
	sameClients = 16
	sameNames   = 1000
)

// sameText adds one of the addresses that all clients add.
const sameText = `g.addV("person").property("email", n).count()`

// addSame has many clients add the same addresses under a unique index: each is there once
// afterwards, and nobody hears of more than that.
func addSame(ctx context.Context, t *target, w io.Writer) (floorBar, error) {
	s := side{source: "same", setup: compared[0].with.setup}
	if err := s.prepare(ctx, t); err != nil {
		return floorBar{}, err
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	added, refused, others := 0, 0, 0
	begin := time.Now()
	for range sameClients {
		wg.Go(func() {
			c, err := client.Dial(ctx, t.url)
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = errors.Join(failed, err)
				return
			}
			defer c.Close()
			for i := range sameNames {
				names := value.NewMap()
				names.PutString("n", value.String(fmt.Sprintf("%d@x", i)))
				_, err := c.Text(ctx, s.source, "gremlin-lang", sameText, names)
				mu.Lock()
				switch {
				case err == nil:
					added++
				case strings.Contains(err.Error(), "Index email: another vertex of label person has"):
					refused++
				default:
					others++
					failed = errors.Join(failed, err)
				}
				mu.Unlock()
				if others > 0 {
					return
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(begin)
	found, err := t.text(ctx, s.source, `g.V().hasLabel("person").count()`)
	if failed = errors.Join(failed, err); failed != nil {
		return floorBar{}, failed
	}
	b := floorBar{
		what:     fmt.Sprintf("%d clients add the same %d addresses", sameClients, sameNames),
		measured: fmt.Sprintf("%s vertices, %d refused, no other error", found[0].JavaString(), refused), bar: fmt.Sprint(sameNames),
		met: found[0].Int64() == sameNames && added == sameNames,
	}
	fmt.Fprintf(w, "\n%s: %s, in %s\n", b.what, b.measured, short(float64(took)))
	return b, nil
}
