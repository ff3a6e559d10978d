package pebble

import (
	"sync/atomic"
	"time"
)

// metrics are the counters behind Store.Metrics.
type metrics struct {
	commits, conflicts, groups      atomic.Int64
	syncNanos, syncMaxNanos         atomic.Int64
	corruptions, backgroundErrors   atomic.Int64
	stalls, watermarkErrors         atomic.Int64
	diskFull, ingests, ingestedKeys atomic.Int64
}

func (m *metrics) group(accepted, refused int) {
	m.commits.Add(int64(accepted))
	m.conflicts.Add(int64(refused))
	if accepted > 0 {
		m.groups.Add(1)
	}
}

func (m *metrics) sync(d time.Duration) {
	m.syncNanos.Add(int64(d))
	if int64(d) > m.syncMaxNanos.Load() { // the committer alone writes it
		m.syncMaxNanos.Store(int64(d))
	}
}

// Metrics is a picture of the store's health.
type Metrics struct {
	Commits, Conflicts, Groups int64         // since the start
	SyncTotal, SyncMax         time.Duration // of the groups
	Seq, Watermark             uint64        // last commit, last one noted as durable
	OpenReaders                int           // snapshots and transactions
	OpenTransactions           int           // read-write ones
	OldestReader               time.Duration // age of the oldest state that is read
	ReadOnly                   bool          // because the disk is nearly full
	Corruptions                int64         // alarm at 1
	BackgroundErrors           int64
	WatermarkErrors            int64
	Stalls                     int64
	DiskFull                   int64 // times the ballast was given up
	DiskBytes                  uint64
	ZombieBytes                uint64 // deleted tables that old readers keep
	ReadAmplification          int
	Queue                      int // commits waiting
}

// Metrics returns the store's health. It is cheap enough to be asked every second.
func (s *Store) Metrics() Metrics {
	m := &s.metrics
	out := Metrics{
		Commits: m.commits.Load(), Conflicts: m.conflicts.Load(), Groups: m.groups.Load(),
		SyncTotal: time.Duration(m.syncNanos.Load()), SyncMax: time.Duration(m.syncMaxNanos.Load()),
		Seq: s.Seq(), Watermark: s.mark.noted.Load(), ReadOnly: s.disk.full.Load(),
		Corruptions: m.corruptions.Load(), BackgroundErrors: m.backgroundErrors.Load(),
		WatermarkErrors: m.watermarkErrors.Load(), Stalls: m.stalls.Load(), DiskFull: m.diskFull.Load(),
		Queue: s.committer.queue.len(),
	}
	out.OpenReaders, out.OpenTransactions, out.OldestReader = s.lifetimes.openStates()
	if s.enter() {
		p := s.db.Metrics()
		s.leave()
		out.DiskBytes, out.ZombieBytes, out.ReadAmplification = p.DiskSpaceUsage(), p.Table.ZombieSize, p.ReadAmp()
	}
	return out
}
