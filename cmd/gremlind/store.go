package main

import (
	"log/slog"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// openDir opens the store of a data directory. This file alone knows which one that is.
func openDir(dir string, o pebble.Options) (storage.Store, error) {
	s, err := pebble.Open(dir, o)
	if err != nil {
		return nil, err // not s, which would be a Store that is no nil
	}
	return s, nil
}

// openStore opens the store of the configured data directory.
func openStore(c *config, log *slog.Logger) (storage.Store, error) {
	return openDir(c.DataDir, storeOptions(c, log))
}

// openMemory opens a store that is gone with the process, with the configured limits, or
// the usual ones when c is nil.
func openMemory(c *config, log *slog.Logger) (storage.Store, error) {
	o := pebble.Options{Layout: table.Layout, InMemory: true, Logger: log, CacheBytes: memoryBlockCache}
	if c != nil {
		o.Limits = storeLimits(c)
	}
	return openDir("", o)
}

// openCopy opens a data directory of which nothing is known but that it lies in dir.
func openCopy(dir string, log *slog.Logger) (storage.Store, error) {
	return openDir(dir, pebble.Options{Layout: table.Layout, Logger: log})
}

// memoryBlockCache is small: the blocks of a database in memory are there already.
const memoryBlockCache = 1 << 20

// storeOptions are those of the data directory's store, for every command alike.
func storeOptions(c *config, log *slog.Logger) pebble.Options {
	o := pebble.Options{Layout: table.Layout, Logger: log, CacheBytes: max(c.BlockCache, memoryBlockCache)}
	o.Limits = storeLimits(c)
	o.DiskReserve, o.DiskReservePercent, _ = c.diskReserve() // finish has looked
	return o
}

// transactionBytesMax is what the store can commit at once, with what it adds to writes.
const transactionBytesMax = 2 << 30

// storeLimits are those of every store, on disk or in memory.
func storeLimits(c *config) pebble.Limits {
	return pebble.Limits{
		RecentBytes:   max(c.ConflictMemory, 1),
		WriteSetBytes: max(c.TransactionBytes, 1),
		ReadSetRanges: max(c.TransactionReads, 1),
	}
}

// diskReserve reads the setting of that name as the store wants it.
func (c *config) diskReserve() (bytes int64, percent float64, err error) {
	text := c.DiskReserve
	if text == "" {
		return 0, 0, nil
	}
	if number, ok := strings.CutSuffix(text, "%"); ok {
		percent, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(percent >= 0 && percent < 100) {
			return 0, 0, usage("diskReserve: %q is not a percentage from 0%% to below 100%%", text)
		}
	} else if bytes, err = readSize(text, 1<<60); err != nil {
		return 0, 0, usage("diskReserve: %q is neither bytes, as 512MiB, nor a percentage like 5%%", text)
	}
	if bytes == 0 && percent == 0 {
		bytes = -1
	}
	return bytes, percent, nil
}
