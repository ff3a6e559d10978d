package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
	"github.com/gremlind/gremlind/protocol"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/traversal"
)

// topSample is what a server says of itself at a time.
type topSample struct {
	at       time.Time
	requests []traversal.Request
	memory   protocol.Memory
	metrics  series
}

// topPicture is what a server did between two samples, and has now.
type topPicture struct {
	At      time.Time `json:"at"`
	Seconds float64   `json:"seconds"` // that rates and times are of

	PerSecond    float64 `json:"requestsPerSecond"`
	FailedPer    float64 `json:"failedPerSecond"`
	P50          float64 `json:"p50ms"` // upper bounds; 0 for none, -1 above all bounds
	P95          float64 `json:"p95ms"`
	P99          float64 `json:"p99ms"`
	Under        float64 `json:"requestsUnderWay"`
	Connections  float64 `json:"connections"`
	Sessions     float64 `json:"sessions"`
	CommitsPer   float64 `json:"commitsPerSecond"`
	ConflictsPer float64 `json:"conflictsPerSecond"`
	SyncMS       float64 `json:"syncMs"`         // on average
	SyncMaxMS    float64 `json:"syncMaxMs"`      // since the server was started
	BlockHits    float64 `json:"blockCacheHits"` // of 1, -1 where no block was read
	RowBytes     float64 `json:"rowCacheBytes"`
	Resident     float64 `json:"residentBytes"` // of the process
	Heap         float64 `json:"heapBytes"`
	Disk         float64 `json:"diskBytes"`
	ReadOnly     bool    `json:"readOnly"` // the disk is nearly full

	Used     int64               `json:"clientBytes"`
	Most     int64               `json:"clientBytesMost"`
	Holders  []quota.Held        `json:"holders"`
	Requests []traversal.Request `json:"requests"`
}

func pictureOf(before, now *topSample) *topPicture {
	seconds := max(now.at.Sub(before.at).Seconds(), 1e-3)
	m := now.metrics
	grew := func(name string, fits func(string) bool) float64 {
		return max(m.sum(name, fits)-before.metrics.sum(name, fits), 0) // less after a new start
	}
	failed := func(labels string) bool {
		_, code, _ := strings.Cut(labels, `code="`)
		return code != "" && code[0] != '2'
	}
	p := &topPicture{
		At: now.at, Seconds: seconds, Requests: now.requests, Used: now.memory.Used, Most: now.memory.Most, Holders: now.memory.Holders,
		PerSecond: grew("gremlind_requests_total", nil) / seconds, FailedPer: grew("gremlind_requests_total", failed) / seconds,
		Under: m["gremlind_requests_in_flight"], Connections: m["gremlind_websocket_connections"], Sessions: m["gremlind_sessions"],
		CommitsPer: grew("gremlind_store_commits_total", nil) / seconds, ConflictsPer: grew("gremlind_store_commit_conflicts_total", nil) / seconds,
		SyncMaxMS: m["gremlind_store_commit_sync_seconds_max"] * 1e3, BlockHits: -1, RowBytes: m["gremlind_cache_bytes"],
		Resident: m["process_resident_memory_bytes"], Heap: m["go_memstats_heap_alloc_bytes"],
		Disk: m["gremlind_store_disk_bytes"], ReadOnly: m["gremlind_store_read_only"] > 0,
	}
	q := quantiles(before.metrics, m, 0.5, 0.95, 0.99)
	p.P50, p.P95, p.P99 = q[0], q[1], q[2]
	if groups := grew("gremlind_store_commit_groups_total", nil); groups > 0 {
		p.SyncMS = grew("gremlind_store_commit_sync_seconds_total", nil) * 1e3 / groups
	}
	hits, misses := grew("gremlind_store_block_cache_hits_total", nil), grew("gremlind_store_block_cache_misses_total", nil)
	if hits+misses > 0 {
		p.BlockHits = hits / (hits + misses)
	}
	return p
}

// text is the picture for a person, in so many columns and lines; 0 for any number.
func (p *topPicture) text(width, height int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  requests %.0f/s, failed %.0f/s, p50 %s p95 %s p99 %s, under way %.0f; connections %.0f, sessions %.0f\n",
		p.At.Format(time.TimeOnly), p.PerSecond, p.FailedPer, boundText(p.P50), boundText(p.P95), boundText(p.P99), p.Under, p.Connections, p.Sessions)
	fmt.Fprintf(&b, "commits %.0f/s, conflicts %.0f/s, sync %.1f ms (longest %.1f ms); disk %s%s\n",
		p.CommitsPer, p.ConflictsPer, p.SyncMS, p.SyncMaxMS, sizeText(p.Disk), map[bool]string{true: ", nearly full: writes are refused"}[p.ReadOnly])
	hits := "no block read"
	if p.BlockHits >= 0 {
		hits = fmt.Sprintf("%.0f %% of blocks were there", 100*p.BlockHits)
	}
	fmt.Fprintf(&b, "memory: process %s, heap %s, rows %s (%s), clients %s of %s\n", sizeText(p.Resident), sizeText(p.Heap), sizeText(p.RowBytes), hits,
		sizeText(float64(p.Used)), sizeText(float64(p.Most)))
	for _, h := range p.Holders[:min(len(p.Holders), holdersShown)] {
		fmt.Fprintf(&b, "  %s %s: %s\n", h.Kind, render.Clean(h.Name), sizeText(float64(h.Bytes)))
	}
	b.WriteByte('\n')
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tSTATE\tSECONDS\tMEMORY\tUSER\tSOURCE\tQUERY")
	for _, r := range p.Requests {
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%s\t%s\t%s\t%s\n", r.ID, r.State, r.Seconds, sizeText(float64(r.Bytes)), render.Clean(r.Who()), render.Clean(r.Source), render.Clean(r.Query))
	}
	_ = w.Flush() // to a Builder
	return cut(b.String(), width, height)
}

// holdersShown is how many of those who keep memory a picture names.
const holdersShown = 5

// cut is a text without what does not fit on the screen.
func cut(text string, width, height int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if height > 1 && len(lines) > height-1 {
		lines = lines[:height-1]
	}
	for i, line := range lines {
		if r := []rune(line); width > 0 && len(r) > width {
			lines[i] = string(r[:width])
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func boundText(ms float64) string {
	switch {
	case ms == 0:
		return "-"
	case ms < 0:
		return ">26 s"
	}
	return fmt.Sprintf("<%.3g ms", ms)
}

// sizeText is a number of bytes with a unit.
func sizeText(n float64) string {
	for _, unit := range []string{"B", "KiB", "MiB", "GiB"} {
		if n < 1024 {
			return fmt.Sprintf("%.4g %s", n, unit)
		}
		n /= 1024
	}
	return fmt.Sprintf("%.4g TiB", n)
}
