package occ

import (
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// counts are the counters behind Stats.
type counts struct {
	commits, conflicts, groups atomic.Int64
}

func (c *counts) group(accepted, refused int) {
	c.commits.Add(int64(accepted))
	c.conflicts.Add(int64(refused))
	if accepted > 0 {
		c.groups.Add(1)
	}
}

// Stats is a picture of the transactions of a Store.
type Stats struct {
	Commits, Conflicts, Groups int64         // since the start
	Queue                      int           // commits waiting
	OpenReaders                int           // snapshots and transactions
	OpenTransactions           int           // read-write ones
	OldestReader               time.Duration // age of the oldest state that is read
}

// Stats returns a picture of now. It is cheap enough to be asked every second.
func (s *Store) Stats() Stats {
	out := Stats{
		Commits: s.counts.commits.Load(), Conflicts: s.counts.conflicts.Load(), Groups: s.counts.groups.Load(),
		Queue: s.committer.queue.len(),
	}
	out.OpenReaders, out.OpenTransactions, out.OldestReader = s.lifetimes.openStates()
	return out
}

// Measures are the numbers of Stats for storage.Measured.
func (m Stats) Measures() []storage.Measure {
	return []storage.Measure{
		{Name: "commits_total", Help: "Transactions committed.", Counter: true, Value: float64(m.Commits)},
		{Name: "commit_conflicts_total", Help: "Transactions that lost a conflict.", Counter: true, Value: float64(m.Conflicts)},
		{Name: "commit_groups_total", Help: "Groups of commits, each synced once.", Counter: true, Value: float64(m.Groups)},
		{Name: "commit_queue", Help: "Commits waiting.", Value: float64(m.Queue)},
		{Name: "open_readers", Help: "Open snapshots and transactions.", Value: float64(m.OpenReaders)},
		{Name: "open_transactions", Help: "Open transactions that may write.", Value: float64(m.OpenTransactions)},
		{Name: "oldest_reader_seconds", Help: "Age of the oldest state that is read.", Value: m.OldestReader.Seconds()},
	}
}
