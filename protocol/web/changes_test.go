package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// fed is a feed whose commits have the numbers from 1 to last.
type fed struct {
	mu      sync.Mutex
	last    int
	news    chan struct{}
	size    int           // of the text in each commit, in bytes
	waiting chan struct{} // gets one for each call of News
	err     error         // of each call of Changes
}

func newFed() *fed { return &fed{news: make(chan struct{}), waiting: make(chan struct{}, 1000)} }

// commit adds n commits.
func (f *fed) commit(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last += n
	close(f.news)
	f.news = make(chan struct{})
}

func (f *fed) News(*traversal.Identity, string) (<-chan struct{}, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting <- struct{}{}
	return f.news, nil
}

func (f *fed) Changes(ctx context.Context, q *contract.FeedQuery, fn func(contract.Told) (bool, error)) (contract.Place, error) {
	f.mu.Lock()
	last, err := f.last, f.err
	f.mu.Unlock()
	n, _ := strconv.Atoi(strings.TrimPrefix(q.After, "c"))
	at := contract.Place{From: fmt.Sprint("c", n), Cursor: fmt.Sprint("c", n), End: true}
	if err != nil {
		return at, err
	}
	for n < last {
		if ctx.Err() != nil {
			return at, ctx.Err()
		}
		n++
		m := value.NewMap()
		m.PutString("n", value.Int(int32(n)))
		m.PutString("text", value.String(strings.Repeat("x", f.size)))
		at.Cursor = fmt.Sprint("c", n)
		more, err := fn(contract.Told{Cursor: at.Cursor, Commit: m})
		if at.End = n == last; err != nil || !more {
			return at, err
		}
	}
	return at, nil
}

func feeding(t *testing.T, change func(*request.Options)) (*fed, *Endpoint, string) {
	f := newFed()
	e, url := serve(t, false, func(o *request.Options) {
		o.Feed = f
		if change != nil {
			change(o)
		}
	})
	return f, e, url
}

// TestChanges_Lines: a poll has what there is, in order and each commit once, from the cursor
// on that it names, and no more than it wants.
func TestChanges_Lines(t *testing.T) {
	f, _, url := feeding(t, nil)
	f.commit(5)
	for query, want := range map[string]string{
		"source=g":                         "1 2 3 4 5 from c0",
		"source=g&after=c3":                "4 5 from c3",
		"source=g&after=c1&limit=2&wait=9": "2 3 from c1",
		"source=g&after=c5":                " from c5",
	} {
		resp, got := ask{method: "GET", path: changesPath + "?" + query}.of(t, url)
		var numbers []string
		for line := range strings.Lines(got) {
			numbers = append(numbers, strings.TrimSuffix(strings.TrimPrefix(line, `{"n":`), ",\"text\":\"\"}\n"))
		}
		if got := strings.Join(numbers, " ") + " from " + resp.Header.Get(cursorHeader); resp.StatusCode != 200 || got != want || resp.Header.Get("Content-Type") != mimeLines {
			t.Errorf("%s: %d %s %q, want %q", query, resp.StatusCode, resp.Header.Get("Content-Type"), got, want)
		}
	}
}

// TestChanges_Refuses: each wrong request is told what is wrong with it.
func TestChanges_Refuses(t *testing.T) {
	_, _, url := feeding(t, nil)
	for name, x := range map[string]struct {
		ask
		code int
		want string
	}{
		"method":          {ask{method: "POST", path: "?source=g"}, 405, "method not allowed"},
		"no source":       {ask{path: "?after=1"}, 400, "source is missing"},
		"unknown":         {ask{path: "?source=g&since=1"}, 400, "since: /changes takes source, after, limit and wait, each once"},
		"twice":           {ask{path: "?source=g&source=h"}, 400, "each once"},
		"limit":           {ask{path: "?source=g&limit=0"}, 400, "limit: want a whole number from 1 to 100000, not 0"},
		"wait":            {ask{path: "?source=g&wait=1h"}, 400, "wait: want a whole number from 0 to 300, not 1h"},
		"accept":          {ask{path: "?source=g", header: map[string]string{"Accept": "image/png"}}, 400, "not as image/png"},
		"limit of events": {ask{path: "?source=g&limit=5", header: map[string]string{"Accept": mimeEvents}}, 400, "leave out limit and wait"},
		"escape":          {ask{path: "?source=%zz"}, 400, "query string"},
	} {
		if x.method == "" {
			x.method = "GET"
		}
		x.path = changesPath + x.path
		if resp, got := x.of(t, url); resp.StatusCode != x.code || !strings.Contains(got, x.want) {
			t.Errorf("%s: %d %s, want %d %s", name, resp.StatusCode, got, x.code, x.want)
		}
	}
	_, none := serve(t, false, nil)
	if resp, got := (ask{method: "GET", path: changesPath + "?source=g"}).of(t, none); resp.StatusCode != 404 {
		t.Errorf("without a feed: %d %s", resp.StatusCode, got)
	}
}

// TestChanges_Wakes: a poll that waits has no slot and no place in the queue, and is answered when
// there is a commit.
func TestChanges_Wakes(t *testing.T) {
	f, e, url := feeding(t, func(o *request.Options) { o.Limits.Running, o.Limits.Queue = 1, 2 })
	answered := make(chan string, 2)
	for range 2 {
		go func() {
			resp, got := ask{method: "GET", path: changesPath + "?source=g&wait=300"}.of(t, url)
			answered <- fmt.Sprint(resp.StatusCode, " ", got)
		}()
	}
	for range 2 {
		<-f.waiting
	}
	e.await(t, 0)
	if used := e.desk.Memory.Used(); used < 2*waitedBytes {
		t.Errorf("who waits is charged %d bytes", used)
	}
	if resp, got := (ask{body: `{"gremlin":"g"}`}).of(t, url); resp.StatusCode != 200 {
		t.Errorf("beside who waits: %d %s", resp.StatusCode, got)
	}
	f.commit(1)
	for range 2 {
		if got := <-answered; got != "200 {\"n\":1,\"text\":\"\"}\n" {
			t.Error(got)
		}
	}
}

// await returns when so many requests run or wait in the queue.
func (s *Endpoint) await(t *testing.T, n int64) {
	t.Helper()
	for end := time.Now().Add(patience); s.desk.AdmittedNow() != n; {
		if time.Now().After(end) {
			t.Fatalf("%d run or wait, want %d", s.desk.AdmittedNow(), n)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// TestChanges_Beats: a stream says something while nothing happens, and where it is.
func TestChanges_Beats(t *testing.T) {
	f, e, url := feeding(t, func(o *request.Options) { o.Limits.FeedBeat = 20 * time.Millisecond })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+changesPath+"?source=g&after=c0", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", mimeEvents)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for i := range 4 {
		at := "id: c0\n"
		if i > 1 {
			at = "id: c1\n"
		}
		if i == 2 {
			f.commit(1)
			for line := ""; !strings.HasPrefix(line, "data"); { // behind the last beat
				if line, err = lines.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			_, _ = lines.ReadString('\n')
		}
		for _, want := range []string{":\n", at, "\n"} {
			if got, err := lines.ReadString('\n'); got != want {
				t.Fatalf("beat %d: %q, %v, want %q", i, got, err, want)
			}
		}
	}
	resp.Body.Close()
	e.await(t, 0)
}

// waitedBytes is what a request that waits is charged at least.
const waitedBytes = 16 << 10

// TestChanges_TimeIsOver: a poll for which nothing comes ends, and says where to go on.
func TestChanges_TimeIsOver(t *testing.T) {
	_, _, url := feeding(t, nil)
	resp, got := ask{method: "GET", path: changesPath + "?source=g&wait=1&after=c0"}.of(t, url)
	if resp.StatusCode != 200 || got != "" || resp.Header.Get(cursorHeader) != "c0" {
		t.Errorf("%d %q %s", resp.StatusCode, got, resp.Header.Get(cursorHeader))
	}
}

// TestChanges_Events: a stream tells what there is and what comes, and goes on where it was cut.
func TestChanges_Events(t *testing.T) {
	f, e, url := feeding(t, nil)
	f.commit(2)
	events := func(last string) (*http.Response, *bufio.Reader) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+changesPath+"?source=g&after=c0", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", mimeEvents)
		if last != "" {
			r.Header.Set("Last-Event-ID", last)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return resp, bufio.NewReader(resp.Body)
	}
	want := func(r *bufio.Reader, n int) {
		t.Helper()
		for _, want := range []string{fmt.Sprintf("id: c%d\n", n), fmt.Sprintf("data: {\"n\":%d,\"text\":\"\"}\n", n), "\n"} {
			if got, err := r.ReadString('\n'); got != want {
				t.Fatalf("%q, %v, want %q", got, err, want)
			}
		}
	}
	resp, r := events("")
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != mimeEvents {
		t.Fatal(resp.Status, resp.Header)
	}
	want(r, 1)
	want(r, 2)
	f.commit(1)
	want(r, 3)
	resp.Body.Close()

	resp, r = events("c1")
	want(r, 2)
	want(r, 3)
	e.EndWaits() // as when the server ends
	if rest, err := io.ReadAll(r); err != nil || len(rest) != 0 {
		t.Errorf("%q, %v", rest, err)
	}
	resp.Body.Close()
	if resp, got := (ask{method: "GET", path: changesPath + "?source=g&wait=300&after=c3"}).of(t, url); resp.StatusCode != 200 || got != "" {
		t.Errorf("a poll while the server ends: %d %q", resp.StatusCode, got)
	}
}

// TestChanges_SlowReader: who takes nothing is ended, and holds no slot meanwhile.
func TestChanges_SlowReader(t *testing.T) {
	f, e, url := feeding(t, func(o *request.Options) { o.Limits.Running, o.Limits.StallTimeout = 1, 100*time.Millisecond })
	f.size = 1 << 20
	f.commit(64)
	resp, err := http.Get(url + changesPath + "?source=g")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp, got := (ask{body: `{"gremlin":"g"}`}).of(t, url); resp.StatusCode != 200 {
		t.Errorf("beside a slow reader: %d %s", resp.StatusCode, got)
	}
	e.await(t, 0)
	if n, err := io.Copy(io.Discard, resp.Body); err == nil {
		t.Errorf("the answer is whole, %d bytes", n)
	}
}

// TestChanges_TooMuch: what does not fit into the memory of a request is its error.
func TestChanges_TooMuch(t *testing.T) {
	f, _, url := feeding(t, func(o *request.Options) { o.Limits.QueryBytes = 1 << 20 })
	f.size = 1 << 20
	f.commit(1)
	if resp, got := (ask{method: "GET", path: changesPath + "?source=g"}).of(t, url); resp.StatusCode != 500 || !strings.Contains(got, "queryMemory") {
		t.Errorf("%d %s", resp.StatusCode, got)
	}
}

// TestChanges_Fails: an error has its status, also while somebody waits.
func TestChanges_Fails(t *testing.T) {
	f, _, url := feeding(t, nil)
	answered := make(chan string, 1)
	go func() {
		resp, got := ask{method: "GET", path: changesPath + "?source=g&wait=300"}.of(t, url)
		answered <- fmt.Sprint(resp.StatusCode, " ", got)
	}()
	<-f.waiting
	f.mu.Lock()
	f.err = &message.StatusError{Code: http.StatusGone, Message: "no longer kept"}
	f.mu.Unlock()
	f.commit(0)
	if got := <-answered; !strings.HasPrefix(got, "410") || !strings.Contains(got, "no longer kept") {
		t.Error(got)
	}
}

// TestChanges_Stop ends who waits, as an administrator may.
func TestChanges_Stop(t *testing.T) {
	f, e, url := feeding(t, nil)
	answered := make(chan int, 1)
	go func() {
		resp, _ := ask{method: "GET", path: changesPath + "?source=g&wait=300"}.of(t, url)
		answered <- resp.StatusCode
	}()
	<-f.waiting
	e.Stop(context.Canceled)
	if got := <-answered; got == 200 {
		t.Error(got)
	}
}
