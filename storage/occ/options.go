package occ

import (
	"log/slog"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// Options configures a Store. The zero value has the defaults.
type Options struct {
	// Layout is what is known of the keys.
	Layout storage.Layout
	Limits Limits

	// GroupWait is how long the committer waits for one more writer of the last
	// group; default 100 µs. It never delays a single writer.
	GroupWait time.Duration
	// CommitWait bounds the wait for a commit under way after its context has ended;
	// then the outcome is unknown. Default 10 s.
	CommitWait time.Duration
	// AloneMax bounds how long a transaction that is alone holds up others; default 1 s.
	// One that takes longer may lose a conflict again.
	AloneMax time.Duration
	// CloseWait bounds how long End waits for open transactions; default 10 s.
	CloseWait time.Duration

	// Now is the clock that stamps of commits come from, see storage.Stamp; time.Now when
	// nil.
	Now func() time.Time

	// Logger receives what a person should know; slog.Default() when nil.
	Logger *slog.Logger
}

// Limits bounds what one transaction, and the committer, may hold. What is 0 has its
// default.
type Limits struct {
	WriteSetBytes  int64 // of one transaction, in memory (transactionBytes); default 256 MiB
	ReadSetRanges  int   // of one transaction (transactionReads); default 1,000,000
	ReadSetCoarsen int   // ranges above which points become rows; default 10,000
	RecentKeys     int   // written keys kept for validation; default 4,000,000
	RecentBytes    int64 // of those keys, about; default 256 MiB
	GroupBytes     int64 // of one group of several commits, which is in memory beside them; default 32 MiB
}

func defaultTo[T int | int64 | time.Duration](p *T, v T) {
	if *p == 0 {
		*p = v
	}
}

func (o *Options) setDefaults() {
	o.Layout = o.Layout.Or()
	defaultTo(&o.Limits.WriteSetBytes, 256<<20)
	defaultTo(&o.Limits.ReadSetRanges, 1_000_000)
	defaultTo(&o.Limits.ReadSetCoarsen, 10_000)
	defaultTo(&o.Limits.RecentKeys, 4_000_000)
	defaultTo(&o.Limits.RecentBytes, 256<<20)
	defaultTo(&o.Limits.GroupBytes, 32<<20)
	defaultTo(&o.GroupWait, 100*time.Microsecond)
	defaultTo(&o.CommitWait, 10*time.Second)
	defaultTo(&o.AloneMax, time.Second)
	defaultTo(&o.CloseWait, 10*time.Second)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
}
