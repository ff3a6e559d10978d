package pebble_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/conformance/smalldisk"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

// TestFullDisk_Past: a disk that fills up while what is overwritten is kept loses nothing of it:
// a commit has its rows of the past or is refused, and each acknowledged one is read as of its
// stamp, where the disk has room again as well as after a crash at that moment.
func TestFullDisk_Past(t *testing.T) {
	mem := vfs.NewCrashableMem()
	disk := smalldisk.New(mem, 64<<20)
	o := quiet(disk)
	o.DiskReserve, o.BallastBytes = 1<<20, 8<<20
	p := &pastWrites{T: t, s: open(t, dataDir, o)}
	p.write(20)
	empty := disk.Fill(0)
	p.write(1) // in the ballast's place
	if err := p.set("refused"); !errors.Is(err, storage.ErrReadOnly) {
		t.Errorf("a write on a full disk: %v", err)
	}
	if _, _, err := past.Shorten(t.Context(), p.s, pastGraph, past.Place{}, p.at[3]); !errors.Is(err, storage.ErrReadOnly) {
		t.Errorf("forgetting on a full disk: %v", err)
	}
	p.look(p.s)
	crashed := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: storagetest.Rand(1)})
	again := open(t, dataDir, quiet(crashed))
	p.look(again)
	closeStore(t, again)

	empty()
	p.s.Tick()
	p.write(20)
	closeStore(t, p.s)
	p.s = open(t, dataDir, o)
	p.look(p.s)
	closeStore(t, p.s)
}

const pastGraph = 7

// pastWrites overwrites two cells in each commit, and knows the stamps of those.
type pastWrites struct {
	*testing.T
	s  *pebble.Store
	at []storage.Stamp
}

func pastCell(v uint64) []byte {
	return table.AppendVertexProperty(nil, table.VertexProperty{Graph: pastGraph, Vertex: v, Key: 3})
}

func (p *pastWrites) set(val string) error {
	tx, err := p.s.Begin(p.Context(), storage.TxOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close() }()
	for v := range uint64(2) {
		if err := tx.Set(pastCell(v), []byte(val)); err != nil {
			return err
		}
	}
	if err := past.Keep(tx, pastGraph, nil, nil); err != nil {
		return err
	}
	if len(p.at) == 0 {
		floor := table.FloorKey(pastGraph)
		if err := tx.SetStamped(floor, make([]byte, storage.StampSize), len(floor)); err != nil {
			return err
		}
	}
	_, err = tx.Commit(p.Context())
	return err
}

// write makes n commits, of which each has its number as the value.
func (p *pastWrites) write(n int) {
	p.Helper()
	for range n {
		if err := p.set(fmt.Sprint(len(p.at))); err != nil {
			p.Fatal(err)
		}
		snap, err := p.s.Snapshot()
		if err != nil {
			p.Fatal(err)
		}
		b, err := snap.Get(table.Layout.Stamp)
		last, ok := storage.Count(b)
		if cerr := snap.Close(); err != nil || !ok || cerr != nil {
			p.Fatal(err, ok, cerr)
		}
		p.at = append(p.at, storage.Stamp(last))
	}
}

// look reads both cells as of each commit.
func (p *pastWrites) look(s *pebble.Store) {
	p.Helper()
	tx, err := s.Begin(p.Context(), storage.TxOptions{ReadOnly: true})
	if err != nil {
		p.Fatal(err)
	}
	defer func() { _ = tx.Close() }()
	for i, at := range p.at {
		for v := range uint64(2) {
			got, err := past.At(tx, pastGraph, at).Get(pastCell(v))
			if want := fmt.Sprint(i); err != nil || string(got) != want {
				p.Errorf("as of commit %d: cell %d is %q, %v", i, v, got, err)
			}
		}
	}
}
