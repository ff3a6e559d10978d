package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
)

// printFloors measures in this process what no server on this machine can beat.
func printFloors(w io.Writer, o options, d *dataset, targets []*target, sync time.Duration) error {
	fmt.Fprint(w, "Floors, in one process without a server:\n\n| what | cost |\n|---|---|\n")
	fmt.Fprintf(w, "| memory copied | %.1f GB/s |\n", copySpeed()/1e9)
	fmt.Fprintf(w, "| 4 KiB appended to a preallocated file, and fdatasync | %s |\n", measured(sync))
	fmt.Fprintf(w, "| an edge of all out-edges, read from CSR | %.1f ns |\n", scanCSR(d))
	get, seek, next, err := storeFloors(filepath.Join(o.work, "floor.pebble"), d)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "| Pebble, %d keys: Get | %.0f ns |\n| SeekGE with one iterator | %.0f ns |\n| Next | %.0f ns |\n", d.edges, get, seek, next)
	for _, t := range targets {
		if t.name != cannedName {
			continue
		}
		own, err := clientCost(t, d)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| processor time of the raw client itself, a request | %s |\n", short(float64(own)))
	}
	_, err = fmt.Fprintln(w)
	return err
}

const copyBytes = 64 << 20

// copySpeed returns bytes per second.
func copySpeed() float64 {
	from, to := make([]byte, copyBytes), make([]byte, copyBytes)
	copy(to, from) // the pages exist from here on
	const times = 8
	begin := time.Now()
	for range times {
		copy(to, from)
	}
	return times * copyBytes / time.Since(begin).Seconds()
}

// syncBytes is what is written for each sync, syncTimes how often.
const (
	syncBytes = 4 << 10
	syncTimes = 400
)

// syncTime returns the median time of appending to a file whose blocks were written
// before, as those of a log are, and of the sync behind it.
func syncTime(path string) (_ time.Duration, err error) {
	f, err := vfs.Default.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return 0, fmt.Errorf("create file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(path)) }()
	if _, err := f.Write(make([]byte, syncTimes*syncBytes)); err != nil {
		return 0, fmt.Errorf("fill file: %w", err)
	}
	if err := f.Sync(); err != nil {
		return 0, fmt.Errorf("sync: %w", err)
	}
	took := make([]time.Duration, syncTimes)
	block := bytes.Repeat([]byte{1}, syncBytes)
	for i := range took {
		begin := time.Now()
		if _, err := f.WriteAt(block, int64(i)*syncBytes); err != nil {
			return 0, fmt.Errorf("write: %w", err)
		}
		if err := f.SyncData(); err != nil {
			return 0, fmt.Errorf("sync: %w", err)
		}
		took[i] = time.Since(begin)
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}

// scanCSR returns nanoseconds per edge for adding up all neighbours of all vertices
// from one array.
func scanCSR(d *dataset) float64 {
	offsets := make([]uint32, 1, len(d.out)+1)
	var neighbours []uint32
	for _, out := range d.out {
		for _, v := range out {
			neighbours = append(neighbours, uint32(v))
		}
		offsets = append(offsets, uint32(len(neighbours)))
	}
	const times = 5
	sum := uint64(0)
	begin := time.Now()
	for range times {
		for v := range d.out {
			for _, n := range neighbours[offsets[v]:offsets[v+1]] {
				sum += uint64(n)
			}
		}
	}
	took := time.Since(begin)
	if sum == 0 {
		return 0
	}
	return float64(took.Nanoseconds()) / float64(times*max(len(neighbours), 1))
}

// storeFloors fills a store with one small key per edge and returns nanoseconds per
// Get, SeekGE and Next.
func storeFloors(dir string, d *dataset) (get, seek, next float64, err error) {
	if err := os.RemoveAll(dir); err != nil {
		return 0, 0, 0, fmt.Errorf("clear store: %w", err)
	}
	defer os.RemoveAll(dir)
	db, err := pebble.Open(dir, &pebble.Options{CacheSize: 256 << 20, FormatMajorVersion: pebble.FormatNewest, Logger: quiet{}})
	if err != nil {
		return 0, 0, 0, fmt.Errorf("open store: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	b := db.NewBatch()
	key := make([]byte, 12)
	for v, out := range d.out {
		for i, u := range out {
			b.Set(edgeKey(key, uint32(v), uint32(u), uint32(i)), key[:4], nil)
		}
	}
	if err := errors.Join(b.Commit(pebble.NoSync), db.Flush()); err != nil {
		return 0, 0, 0, fmt.Errorf("fill store: %w", err)
	}
	it, err := db.NewIter(nil)
	if err != nil {
		return 0, 0, 0, fmt.Errorf("read store: %w", err)
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	count := 0
	begin := time.Now()
	for ok := it.First(); ok; ok = it.Next() {
		count++
	}
	next = float64(time.Since(begin).Nanoseconds()) / float64(max(count, 1))
	const times = 100_000
	state := generatorSeed
	begin = time.Now()
	for range times {
		it.SeekGE(edgeKey(key, uint32(splitMix(&state)%uint64(d.vertices)), 0, 0))
	}
	seek = float64(time.Since(begin).Nanoseconds()) / times
	begin = time.Now()
	for i := range times {
		v := d.seeds[i%len(d.seeds)]
		_, closer, err := db.Get(edgeKey(key, uint32(v), uint32(d.out[v][0]), 0))
		if err == nil {
			closer.Close()
		}
	}
	return float64(time.Since(begin).Nanoseconds()) / times, seek, next, nil
}

// edgeKey tells parallel edges apart by their place among the out-edges.
func edgeKey(dst []byte, from, to, place uint32) []byte {
	binary.BigEndian.PutUint32(dst, from)
	binary.BigEndian.PutUint32(dst[4:], to)
	binary.BigEndian.PutUint32(dst[8:], place)
	return dst
}

// quiet keeps the store from telling what it does.
type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(string, ...any) {}

// clientCost is the processor time that this process takes for a request on sixteen
// raw connections.
func clientCost(t *target, d *dataset) (time.Duration, error) {
	l, err := queries[0].build(t, d)
	if err != nil {
		return 0, err
	}
	c, err := connect(t, l, rawClient, 16)
	if err != nil {
		return 0, err
	}
	defer c.close()
	before := cputime.Own()
	s, err := round(t, c, time.Second)
	return (cputime.Own() - before) / time.Duration(max(s.requests, 1)), err
}
