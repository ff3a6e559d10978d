package pebble

import (
	"log/slog"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// Options configures a Store. The zero value is good for a server on disk.
type Options struct {
	// FS is the file system, the operating system's when nil.
	FS vfs.FS
	// InMemory keeps everything in memory: no log, no sync, no watermark. FS and the
	// directory are ignored.
	InMemory bool
	// Layout is what is known of the keys. A data directory is opened with the one that
	// it was made with.
	Layout storage.Layout
	Limits Limits

	CacheBytes    int64 // block cache; default 128 MiB
	MemTableBytes int64 // of writes before a flush, allocated as they come; default 16 MiB

	// What the transactions wait for at most, see occ.Options.
	GroupWait, CommitWait, AloneMax, CloseWait time.Duration
	// Tick is the keeper's period; default 1 s. It bounds the watermark's lag.
	Tick time.Duration

	// DiskReserve is the free space below which the store is read-only, in bytes.
	// Negative: never; 0: DiskReservePercent of the disk, and when that is 0 too 5 % of
	// it, at least 32 MiB and at most 1 GiB.
	DiskReserve        int64
	DiskReservePercent float64
	// BallastBytes is the space given back to the log when the disk is full; default
	// 64 MiB. Negative: no ballast.
	BallastBytes int64

	// Now is the clock of stamps, see occ.Options; time.Now when nil.
	Now func() time.Time

	// Logger receives what a person should know; slog.Default() when nil.
	Logger *slog.Logger
	// Exit ends the process when the log cannot be written; os.Exit when nil. Tests
	// replace it; it must not return.
	Exit func(code int)
}

// Limits are those of the transactions. Pebble itself refuses a group of 4 GiB.
type Limits = occ.Limits

// bytesPerSync is how much is written to a file between two syncs, which keeps the tail of the
// times of other syncs flat.
const bytesPerSync = 512 << 10

func defaultTo[T int64 | time.Duration](p *T, v T) {
	if *p == 0 {
		*p = v
	}
}

func (o *Options) setDefaults() {
	o.Layout = o.Layout.Or()
	if o.InMemory {
		o.FS = vfs.NewMem()
		o.DiskReserve, o.BallastBytes = -1, -1
	}
	if o.FS == nil {
		o.FS = vfs.Default
	}
	defaultTo(&o.CacheBytes, 128<<20)
	defaultTo(&o.MemTableBytes, 16<<20)
	defaultTo(&o.Tick, time.Second)
	defaultTo(&o.BallastBytes, 64<<20)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Exit == nil {
		o.Exit = os.Exit
	}
}

// transactions are the options of the transactions over the store.
func (o *Options) transactions() occ.Options {
	return occ.Options{
		Layout: o.Layout, Limits: o.Limits, Logger: o.Logger, Now: o.Now,
		GroupWait: o.GroupWait, CommitWait: o.CommitWait, AloneMax: o.AloneMax, CloseWait: o.CloseWait,
	}
}

// formatMajorVersion pins Pebble's own format: from 20 on the log tells damage from its
// end, 21 adds checksums of table footers. Never FormatNewest: opening moves a store
// up and there is no way back.
const formatMajorVersion = pebble.FormatTableFormatV6

// tableBytes bounds a table on disk. Pebble reads the filter of a table as one block, which
// for tables of its own choice (128 MiB at the bottom, of keys of a few bytes) is too long
// to stay in the cache.
const tableBytes = 8 << 20

// pebbleOptions are measured choices; see the comments that give a number.
func (s *Store) pebbleOptions() *pebble.Options {
	o := &pebble.Options{
		FS:                          s.fs,
		Comparer:                    comparerOf(s.opts.Layout, &turns{beside: &s.beside}),
		FormatMajorVersion:          formatMajorVersion,
		Cache:                       s.blocks.cache,
		MemTableSize:                uint64(s.opts.MemTableBytes),
		MemTableStopWritesThreshold: 3,
		L0CompactionThreshold:       8, // at 4 the tables below are rewritten twice as often
		L0StopWritesThreshold:       24,
		LBaseMaxBytes:               64 << 20,
		BytesPerSync:                bytesPerSync,
		CompactionConcurrencyRange:  func() (int, int) { return 1, 2 },
		DisableWAL:                  s.opts.InMemory,
		Logger:                      logger{s},
	}
	for i := range o.TargetFileSizes {
		o.TargetFileSizes[i] = min(int64(2<<20)<<i, tableBytes)
	}
	for i := range o.Levels {
		o.Levels[i].BlockSize = 32 << 10 // seeks at 4 KiB cost twice as much
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	// Else a table of a few keys around the range keeps an ingestion from the lowest level,
	// and all of it is written again by the compaction that follows.
	o.Experimental.IngestSplit = func() bool { return true }
	o.Experimental.SpanPolicyFunc = s.tableByTable
	o.EventListener = s.eventListener()
	o.EnsureDefaults()
	return o
}

// tableByTable has each file on disk hold keys of one table alone. What grows writes to
// the ends of a few tables; one file of all that would lie across everything between
// them, and a compaction would have to write all of it again.
func (s *Store) tableByTable(first []byte) (policy pebble.SpanPolicy, end []byte, err error) {
	return policy, storage.PrefixEnd(nil, s.opts.Layout.Table(first)), nil
}
