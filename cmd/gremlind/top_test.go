package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/traversal"
)

const metricsBefore = `# HELP gremlind_requests_total Requests answered.
gremlind_requests_total{code="200",op="eval"} 10
gremlind_request_seconds_bucket{op="eval",le="0.001"} 10
gremlind_request_seconds_bucket{op="eval",le="0.1"} 10
gremlind_request_seconds_bucket{op="eval",le="+Inf"} 10
gremlind_store_commit_groups_total 5
gremlind_store_commit_sync_seconds_total 1

no series
`

const metricsNow = `gremlind_requests_total{code="200",op="eval"} 100
gremlind_requests_total{code="500",op="eval"} 10
gremlind_request_seconds_bucket{op="eval",le="0.001"} 70
gremlind_request_seconds_bucket{op="eval",le="0.1"} 108
gremlind_request_seconds_bucket{op="eval",le="+Inf"} 110
gremlind_store_commit_groups_total 15
gremlind_store_commit_sync_seconds_total 1.02
gremlind_store_block_cache_hits_total 3
gremlind_store_block_cache_misses_total 1
gremlind_store_read_only 1
`

// TestTop_Picture: rates and times are those between two samples, and nothing that a client
// says reaches the terminal as it is.
func TestTop_Picture(t *testing.T) {
	at := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	before := &topSample{at: at, metrics: readMetrics(metricsBefore)}
	now := &topSample{at: at.Add(2 * time.Second), metrics: readMetrics(metricsNow),
		memory:   protocol.Memory{Used: 3 << 20, Most: 1 << 30, Holders: []quota.Held{{Kind: "user", Name: "ann\x1b[2J", Bytes: 2 << 20}}},
		requests: []traversal.Request{{ID: "1234", State: "running", Seconds: 1.25, Bytes: 2048, User: "ann", Source: "g", Query: "g.V()\n\x1b[31m" + strings.Repeat("x", 100)}}}
	p := pictureOf(before, now)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"requests", p.PerSecond, 50}, {"failed", p.FailedPer, 5}, {"p50", p.P50, 1}, {"p95", p.P95, 100}, {"p99", p.P99, -1},
		{"sync", p.SyncMS, 2}, {"hits", p.BlockHits, 0.75},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	text := p.text(0, 0)
	for _, want := range []string{"12:00:02  requests 50/s, failed 5/s, p50 <1 ms p95 <100 ms p99 >26 s", "nearly full: writes are refused",
		"75 % of blocks", "clients 3 MiB of 1 GiB", "user ann\\u", ": 2 MiB", "1234  running  1.2      2 KiB   ann   g       g.V()\\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	now.requests = append(now.requests, traversal.Request{ID: "5", State: "waiting", Seconds: 0.1, User: "<b>&amp;", Source: "g", Query: "g.E()"})
	if text := pictureOf(before, now).text(0, 0); !strings.Contains(text, "ann       g ") || !strings.Contains(text, "<b>&amp;  g ") {
		t.Errorf("columns of names that look like HTML:\n%s", text)
	}
	if strings.Contains(text, "\x1b") {
		t.Errorf("control characters: %q", text)
	}
	for _, line := range strings.Split(p.text(40, 6), "\n") {
		if len([]rune(line)) > 40 {
			t.Errorf("too wide: %s", line)
		}
	}
	if n := strings.Count(p.text(40, 6), "\n"); n != 5 {
		t.Errorf("%d lines on 6", n)
	}
	if again := pictureOf(now, before); again.PerSecond != 0 || again.P50 != 0 || again.BlockHits != -1 {
		t.Errorf("after a new start: %+v", again)
	}
}

// TestTop: of a server, by its socket, for scripts; graphs on disk, and merged.
func TestTop(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--sample", "modern", "--admin", "127.0.0.1:0")
	run := func(code int, args ...string) string {
		t.Helper()
		out, got := pipe(t, "", append(args, "--data-dir", dir)...)
		if got != code {
			t.Fatalf("%v: %d %s", args, got, out)
		}
		return out
	}
	go p.post(t, "g.inject(1).repeat(__.identity()).until(__.is(2))")
	waitFor(t, "it runs", func() bool { return strings.Contains(run(exitDone, "status"), "running") })
	var picture topPicture
	if err := json.Unmarshal([]byte(run(exitDone, "top", "--once", "--format", "json", "--every", "100ms")), &picture); err != nil {
		t.Fatal(err)
	}
	if len(picture.Requests) != 1 || picture.Requests[0].State != "running" || picture.Requests[0].Source != "g" || len(picture.Holders) == 0 ||
		picture.Resident == 0 || picture.Heap == 0 || picture.Under != 1 || picture.Most == 0 {
		t.Errorf("%+v", picture)
	}
	id := picture.Requests[0].ID
	if text := run(exitDone, "top", "--every", "100ms"); !strings.Contains(text, id) || strings.Contains(text, "\x1b") {
		t.Errorf("not on a terminal: %q", text)
	}
	run(exitDone, "kill", id[:8])
	for _, bad := range [][]string{{"top", "--every", "1"}, {"top", "--format", "xml"}, {"top", "x"}} {
		run(exitUsage, bad...)
	}
	for range 20 {
		p.post(t, "g.inject(1).repeat(__.addV('x').property('k', 'a value').constant(1)).times(50)")
	}
	p.post(t, "g.V().hasLabel('x').drop()")
	if out := run(exitDone, "compact", "graph"); !strings.Contains(out, " graph\n") {
		t.Errorf("compact: %s", out)
	}
	var list []graphUse
	if err := json.Unmarshal([]byte(run(exitDone, "du", "--json")), &list); err != nil || len(list) != 1 || list[0].Bytes == 0 || len(list[0].Tables) == 0 {
		t.Errorf("du: %v %+v", err, list)
	}
	if out := run(exitDone, "du", "--tables"); !strings.Contains(out, "   vertex\n") {
		t.Errorf("du --tables: %s", out)
	}
	run(exitFailed, "du", "grph")
	p.kill()
	if out := run(exitDone, "compact"); !strings.Contains(out, " graph\n") {
		t.Errorf("without a server: %s", out)
	}
	if out := run(exitDone, "du", "graph"); !strings.Contains(out, " graph\n") {
		t.Errorf("without a server: %s", out)
	}
	if _, code := pipe(t, "", "top", "--once", "--data-dir", dir, "--admin", "127.0.0.1:1"); code == exitDone {
		t.Error("of no server")
	}
}
