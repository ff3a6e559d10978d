package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/conformance/client"
)

// BenchmarkChanges has one reader alone read all that a graph keeps, from the built server: commits of
// one change each, and of a hundred. changes/s is the figure, by the clock. Bar: 50,000.
func BenchmarkChanges(b *testing.B) {
	for _, size := range []int{1, 100} {
		b.Run(fmt.Sprint("changes in a commit/", size), func(b *testing.B) {
			p := serve(b, "--data-dir", b.TempDir(), writeFile(b, "g.yaml", changesConfig))
			fillChanges(b, p, 20_000, size)
			b.ResetTimer()
			told, after := 0, ""
			for told < b.N {
				n := 0
				if n, after = countChanges(b, p, after); n == 0 {
					after = ""
				}
				told += n * size
			}
			b.ReportMetric(float64(told)/b.Elapsed().Seconds(), "changes/s")
		})
	}
}

// fillChanges has clients set properties of one vertex each, so many in a commit.
func fillChanges(b *testing.B, p *process, changes, size int) {
	b.Helper()
	const clients = 16
	set := "g.V(%d)"
	for k := range size {
		set += fmt.Sprintf(".property(Cardinality.single, 'k%d', %%[2]d)", k)
	}
	var wg sync.WaitGroup
	for i := range clients {
		c, err := client.Dial(b.Context(), "ws://"+p.addr+"/gremlin")
		if err != nil {
			b.Fatal(err)
		}
		ask := func(text string) {
			if _, err := c.Text(context.Background(), "g", "gremlin-lang", text, nil); err != nil {
				b.Error(err)
			}
		}
		wg.Go(func() {
			defer func() { _ = c.Close() }()
			ask(fmt.Sprintf("g.addV('x').property(T.id, %d)", i))
			for n := range changes / size / clients {
				ask(fmt.Sprintf(set+".iterate()", i, n))
			}
		})
	}
	wg.Wait()
}

// countChanges asks once, and returns how many lines came, and behind what to go on.
func countChanges(b *testing.B, p *process, after string) (lines int, next string) {
	b.Helper()
	resp, err := http.Get("http://" + p.addr + "/changes?source=g&limit=100000&after=" + after)
	if err != nil || resp.StatusCode != http.StatusOK {
		b.Fatal(resp, err)
	}
	defer resp.Body.Close()
	var last []byte
	all := bufio.NewScanner(resp.Body)
	for all.Buffer(nil, 1<<20); all.Scan(); lines++ {
		last = append(last[:0], all.Bytes()...)
	}
	if all.Err() != nil {
		b.Fatal(all.Err())
	}
	return lines, cursorOf(last)
}

// cursorOf reads the cursor at the end of a line, "" for no line.
func cursorOf(line []byte) string {
	const field = `"cursor":"`
	at := len(line) - len(`"}`)
	if at < 0 {
		return ""
	}
	for from := at; from >= len(field); from-- {
		if string(line[from-len(field):from]) == field {
			return string(line[from:at])
		}
	}
	return ""
}
