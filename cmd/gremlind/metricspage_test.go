package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/golden"
)

// seldomCounted are metrics that /metrics has only once something was counted.
var seldomCounted = map[string][2]string{
	"gremlind_rejected_total":     {"counter", "What a limit refused, by limit."},
	"gremlind_user_changes_total": {"counter", "Changes of users, by what was changed and whether it was."},
}

// TestMetricsPage keeps docs/metrics.md equal to what /metrics has of gremlind's own.
// -rewrite writes the page.
func TestMetricsPage(t *testing.T) {
	p := serve(t, "--data-dir", t.TempDir(), "--sample", "modern", "--admin", "127.0.0.1:0")
	p.post(t, "g.V().count()")
	var text strings.Builder
	if err := askHTTP(t.Context(), "GET", "http://"+p.admin()+"/metrics", &text); err != nil {
		t.Fatal(err)
	}
	rows := map[string][2]string{}
	for name, row := range seldomCounted {
		rows[name] = row
	}
	others := false
	for _, line := range strings.Split(text.String(), "\n") {
		f := strings.SplitN(line, " ", 4)
		if len(f) < 4 || f[0] != "#" {
			continue
		}
		others = others || f[2] == "process_resident_memory_bytes" || f[2] == "go_goroutines"
		row := rows[f[2]]
		if f[1] == "HELP" {
			row[1] = f[3]
		} else {
			row[0] = f[3]
		}
		if strings.HasPrefix(f[2], "gremlind_") {
			rows[f[2]] = row
		}
	}
	if !others {
		t.Error("nothing of the process and of Go")
	}
	var b strings.Builder
	b.WriteString(`# Metrics

What ` + "`/metrics`" + ` of the [admin address](operation.md#watching) tells Prometheus of the server, beside what its library tells of the process
(` + "`process_resident_memory_bytes`, `process_open_fds`, `process_cpu_seconds_total`" + ` and so on) and of Go (` + "`go_goroutines`" + `, ` + "`go_memstats_heap_alloc_bytes`" + `,
` + "`go_gc_duration_seconds`" + `). Worth an alarm: ` + "`gremlind_store_corruptions_total`, `gremlind_store_background_errors_total`, `gremlind_panics_recovered_total`" + `
and ` + "`gremlind_audit_lost_total`" + ` above 0, ` + "`gremlind_store_read_only`" + ` of 1. Generated from the metrics themselves.

| metric | type | |
|---|---|---|
`)
	names := []string{}
	for name := range rows {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, rows[name][0], rows[name][1])
	}
	golden.Check(t, "../../docs/metrics.md", b.String())
}
