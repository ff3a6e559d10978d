package pebble

import (
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// metrics are the counters behind Store.Metrics.
type metrics struct {
	syncNanos, syncMaxNanos         atomic.Int64
	corruptions, backgroundErrors   atomic.Int64
	stalls, watermarkErrors         atomic.Int64
	diskFull, ingests, ingestedKeys atomic.Int64
}

func (m *metrics) sync(d time.Duration) {
	m.syncNanos.Add(int64(d))
	if int64(d) > m.syncMaxNanos.Load() { // the committer alone writes it
		m.syncMaxNanos.Store(int64(d))
	}
}

// Metrics is a picture of the store's health.
type Metrics struct {
	occ.Stats
	SyncTotal, SyncMax time.Duration // of the groups
	Seq, Watermark     uint64        // last commit, last one noted as durable
	ReadOnly           bool          // because the disk is nearly full
	Corruptions        int64         // alarm at 1
	BackgroundErrors   int64
	WatermarkErrors    int64
	Stalls             int64
	DiskFull           int64 // times the ballast was given up
	DiskBytes          uint64
	ZombieBytes        uint64 // deleted tables that old readers keep
	ReadAmplification  int

	CacheHits, CacheMisses int64 // of blocks
}

// Metrics returns the store's health. It is cheap enough to be asked every second.
func (s *Store) Metrics() Metrics {
	m := &s.metrics
	out := Metrics{
		Stats:     s.occ.Stats(),
		SyncTotal: time.Duration(m.syncNanos.Load()), SyncMax: time.Duration(m.syncMaxNanos.Load()),
		Seq: s.Seq(), Watermark: s.mark.noted.Load(), ReadOnly: s.disk.full.Load(),
		Corruptions: m.corruptions.Load(), BackgroundErrors: m.backgroundErrors.Load(),
		WatermarkErrors: m.watermarkErrors.Load(), Stalls: m.stalls.Load(), DiskFull: m.diskFull.Load(),
	}
	if s.enter() {
		p := s.db.Metrics()
		s.leave()
		out.DiskBytes, out.ZombieBytes, out.ReadAmplification = p.DiskSpaceUsage(), p.Table.ZombieSize, p.ReadAmp()
		out.CacheHits, out.CacheMisses = p.BlockCache.Hits, p.BlockCache.Misses
	}
	return out
}

// Measures implements storage.Measured.
func (s *Store) Measures() []storage.Measure {
	m := s.Metrics()
	counter := func(name, help string, n int64) storage.Measure {
		return storage.Measure{Name: name, Help: help, Counter: true, Value: float64(n)}
	}
	gauge := func(name, help string, value float64) storage.Measure {
		return storage.Measure{Name: name, Help: help, Value: value}
	}
	readOnly := 0.0
	if m.ReadOnly {
		readOnly = 1
	}
	return append(m.Stats.Measures(),
		storage.Measure{Name: "commit_sync_seconds_total", Help: "Time spent in syncs.", Counter: true, Value: m.SyncTotal.Seconds()},
		gauge("commit_sync_seconds_max", "The longest sync.", m.SyncMax.Seconds()),
		gauge("watermark_lag_commits", "Commits not yet noted as durable.", float64(m.Seq-min(m.Seq, m.Watermark))),
		gauge("read_only", "1 while writes are refused because the disk is nearly full.", readOnly),
		counter("disk_full_total", "Times that the disk was full.", m.DiskFull),
		counter("corruptions_total", "Damage found; alarm at 1.", m.Corruptions),
		counter("background_errors_total", "Errors of flushes and compactions.", m.BackgroundErrors),
		counter("watermark_errors_total", "Errors when noting what is durable.", m.WatermarkErrors),
		counter("write_stalls_total", "Times that writes waited for compactions.", m.Stalls),
		gauge("disk_bytes", "Bytes on disk.", float64(m.DiskBytes)),
		gauge("zombie_bytes", "Bytes on disk that only old readers need.", float64(m.ZombieBytes)),
		counter("block_cache_hits_total", "Blocks that were read and are kept in memory.", m.CacheHits),
		counter("block_cache_misses_total", "Blocks that were read from disk.", m.CacheMisses),
		gauge("read_amplification", "Levels that a look-up may touch.", float64(m.ReadAmplification)),
	)
}
