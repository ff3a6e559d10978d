package main

import (
	"log/slog"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage/pebble"
)

// storeOptions are those of the data directory's store, for every command alike.
func storeOptions(c *config, log *slog.Logger) pebble.Options {
	o := pebble.Options{Logger: log, CacheBytes: max(c.BlockCache, memoryBlockCache)}
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
