package main

import (
	"context"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
)

// storeCollector shows the store and the row cache to Prometheus; one picture of the
// store serves all its series.
type storeCollector struct {
	db    *blueprints.Database
	store storage.Measured
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
	if store, ok := db.Store().(storage.Measured); ok {
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

// Collect reads the counters of each graph that is in use; one that is going away is left
// out.
func (c graphCollector) Collect(ch chan<- prometheus.Metric) {
	for _, g := range c.db.OpenGraphs() {
		name := g.Name()
		vertices, edges, err := graphSize(g)
		if err != nil {
			continue
		}
		ch <- prometheus.MustNewConstMetric(graphVertices, prometheus.GaugeValue, float64(vertices), name)
		ch <- prometheus.MustNewConstMetric(graphEdges, prometheus.GaugeValue, float64(edges), name)
		if bytes, err := g.DiskBytes(); err == nil {
			ch <- prometheus.MustNewConstMetric(graphBytes, prometheus.GaugeValue, float64(bytes), name)
		}
	}
}

func graphSize(g *blueprints.Graph) (vertices, edges int64, err error) {
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

// Describe sends nothing: the series are fixed, but listed in Collect alone.
func (storeCollector) Describe(chan<- *prometheus.Desc) {}

// Collect sends one picture.
func (c storeCollector) Collect(ch chan<- prometheus.Metric) {
	for _, m := range c.store.Measures() {
		kind := prometheus.GaugeValue
		if m.Counter {
			kind = prometheus.CounterValue
		}
		ch <- prometheus.MustNewConstMetric(prometheus.NewDesc("gremlind_store_"+m.Name, m.Help, nil, nil), kind, m.Value)
	}
	stats := c.db.CacheStats()
	ch <- prometheus.MustNewConstMetric(cacheBytes, prometheus.GaugeValue, float64(stats.Bytes))
	ch <- prometheus.MustNewConstMetric(cacheRows, prometheus.GaugeValue, float64(stats.Rows))
	ch <- prometheus.MustNewConstMetric(cacheEvicted, prometheus.CounterValue, float64(stats.Evicted))
}

// ready reports why the store is not fit to serve writes.
func ready(s storage.Store) error {
	if r, ok := s.(storage.Ready); ok {
		return r.Ready()
	}
	return nil
}
