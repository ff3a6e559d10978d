package main

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
)

// storeCollector shows the store and the row cache to Prometheus; one picture of the
// store serves all its series.
type storeCollector struct {
	db    *blueprints.Database
	store *pebble.Store
}

// series are the numbers of a store, by name.
var series = []struct {
	name, help string
	counter    bool
	get        func(m *pebble.Metrics) float64
}{
	{"commits_total", "Transactions committed.", true, func(m *pebble.Metrics) float64 { return float64(m.Commits) }},
	{"commit_conflicts_total", "Transactions that lost a conflict.", true, func(m *pebble.Metrics) float64 { return float64(m.Conflicts) }},
	{"commit_groups_total", "Groups of commits, each synced once.", true, func(m *pebble.Metrics) float64 { return float64(m.Groups) }},
	{"commit_sync_seconds_total", "Time spent in syncs.", true, func(m *pebble.Metrics) float64 { return m.SyncTotal.Seconds() }},
	{"commit_sync_seconds_max", "The longest sync.", false, func(m *pebble.Metrics) float64 { return m.SyncMax.Seconds() }},
	{"commit_queue", "Commits waiting.", false, func(m *pebble.Metrics) float64 { return float64(m.Queue) }},
	{"watermark_lag_commits", "Commits not yet noted as durable.", false, func(m *pebble.Metrics) float64 { return float64(m.Seq - min(m.Seq, m.Watermark)) }},
	{"open_readers", "Open snapshots and transactions.", false, func(m *pebble.Metrics) float64 { return float64(m.OpenReaders) }},
	{"open_transactions", "Open transactions that may write.", false, func(m *pebble.Metrics) float64 { return float64(m.OpenTransactions) }},
	{"oldest_reader_seconds", "Age of the oldest state that is read.", false, func(m *pebble.Metrics) float64 { return m.OldestReader.Seconds() }},
	{"read_only", "1 while writes are refused because the disk is nearly full.", false, func(m *pebble.Metrics) float64 { return truth(m.ReadOnly) }},
	{"disk_full_total", "Times that the disk was full.", true, func(m *pebble.Metrics) float64 { return float64(m.DiskFull) }},
	{"corruptions_total", "Damage found; alarm at 1.", true, func(m *pebble.Metrics) float64 { return float64(m.Corruptions) }},
	{"background_errors_total", "Errors of flushes and compactions.", true, func(m *pebble.Metrics) float64 { return float64(m.BackgroundErrors) }},
	{"watermark_errors_total", "Errors when noting what is durable.", true, func(m *pebble.Metrics) float64 { return float64(m.WatermarkErrors) }},
	{"write_stalls_total", "Times that writes waited for compactions.", true, func(m *pebble.Metrics) float64 { return float64(m.Stalls) }},
	{"disk_bytes", "Bytes on disk.", false, func(m *pebble.Metrics) float64 { return float64(m.DiskBytes) }},
	{"zombie_bytes", "Bytes on disk that only old readers need.", false, func(m *pebble.Metrics) float64 { return float64(m.ZombieBytes) }},
	{"read_amplification", "Levels that a look-up may touch.", false, func(m *pebble.Metrics) float64 { return float64(m.ReadAmplification) }},
}

var (
	cacheBytes   = prometheus.NewDesc("gremlind_cache_bytes", "Bytes of decoded elements.", nil, nil)
	cacheRows    = prometheus.NewDesc("gremlind_cache_rows", "Decoded elements.", nil, nil)
	cacheEvicted = prometheus.NewDesc("gremlind_cache_evicted_total", "Decoded elements given up for others.", nil, nil)
)

var (
	graphVertices = prometheus.NewDesc("gremlind_graph_vertices", "Vertices of a graph.", []string{"graph"}, nil)
	graphBytes    = prometheus.NewDesc("gremlind_graph_disk_bytes", "Bytes of a graph on disk, with its indexes, without what only the log has yet.", []string{"graph"}, nil)
	graphEdges    = prometheus.NewDesc("gremlind_graph_edges", "Edges of a graph.", []string{"graph"}, nil)
)

// registerMetrics adds what the process, the build, the store and the graphs tell.
func registerMetrics(r *prometheus.Registry, db *blueprints.Database) error {
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "gremlind_build_info", Help: "Always 1; the labels say what runs.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH},
	})
	build.Set(1)
	all := []prometheus.Collector{
		build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), graphCollector{db},
	}
	if store, ok := db.Store().(*pebble.Store); ok {
		all = append(all, storeCollector{db, store})
	}
	for _, c := range all {
		if err := r.Register(c); err != nil {
			return err
		}
	}
	return nil
}

// graphCollector shows how large the graphs are, from their counters.
type graphCollector struct{ db *blueprints.Database }

// Describe sends the two series.
func (graphCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- graphVertices
	ch <- graphEdges
	ch <- graphBytes
}

// sizesTimeout bounds what a scrape waits for the counters of a graph.
const sizesTimeout = 5 * time.Second

// Collect reads each graph's counters; a graph that is going away is left out.
func (c graphCollector) Collect(ch chan<- prometheus.Metric) {
	for _, name := range c.db.GraphNames() {
		vertices, edges, err := graphSize(c.db, name)
		if err != nil {
			continue
		}
		ch <- prometheus.MustNewConstMetric(graphVertices, prometheus.GaugeValue, float64(vertices), name)
		ch <- prometheus.MustNewConstMetric(graphEdges, prometheus.GaugeValue, float64(edges), name)
		if bytes, err := graphDiskBytes(c.db, name); err == nil {
			ch <- prometheus.MustNewConstMetric(graphBytes, prometheus.GaugeValue, float64(bytes), name)
		}
	}
}

func graphDiskBytes(db *blueprints.Database, name string) (int64, error) {
	g, err := db.Graph(name)
	if err != nil {
		return 0, err
	}
	return g.DiskBytes()
}

func graphSize(db *blueprints.Database, name string) (vertices, edges int64, err error) {
	g, err := db.Graph(name)
	if err != nil {
		return 0, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), sizesTimeout)
	defer cancel()
	err = g.View(ctx, func(tx *blueprints.Tx) error {
		if vertices, err = tx.VertexCount(); err != nil {
			return err
		}
		edges, err = tx.EdgeCount()
		return err
	})
	return vertices, edges, err
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Describe sends nothing: the series are fixed, but listed in Collect alone.
func (storeCollector) Describe(chan<- *prometheus.Desc) {}

// Collect sends one picture.
func (c storeCollector) Collect(ch chan<- prometheus.Metric) {
	m := c.store.Metrics()
	for _, s := range series {
		kind := prometheus.GaugeValue
		if s.counter {
			kind = prometheus.CounterValue
		}
		ch <- prometheus.MustNewConstMetric(prometheus.NewDesc("gremlind_store_"+s.name, s.help, nil, nil), kind, s.get(&m))
	}
	stats := c.db.CacheStats()
	ch <- prometheus.MustNewConstMetric(cacheBytes, prometheus.GaugeValue, float64(stats.Bytes))
	ch <- prometheus.MustNewConstMetric(cacheRows, prometheus.GaugeValue, float64(stats.Rows))
	ch <- prometheus.MustNewConstMetric(cacheEvicted, prometheus.CounterValue, float64(stats.Evicted))
}

var errReadOnly = errors.New("the store is read-only: the disk is nearly full")

// ready reports why the store is not fit to serve writes.
func ready(s storage.Store) error {
	if p, ok := s.(*pebble.Store); ok && p.Metrics().ReadOnly {
		return errReadOnly
	}
	return nil
}
