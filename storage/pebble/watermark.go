package pebble

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	iofs "io/fs"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
)

// watermark is a file that holds the number of a commit known to be durable, and how
// far the MANIFEST is. Pebble cannot tell damage in the last block of its log or of
// its MANIFEST from their ends, and silently recovers less; a store that recovers less
// than the watermark is refused.
//
//	+--------+----------------+--------+-------------+---------+--------+------------+
//	| slot 0 | "gremmark" 8B  | seq 8B | MANIFEST 8B | size 8B | CRC 4B | CRC-32C 4B |  at 0
//	+--------+----------------+--------+-------------+---------+--------+------------+
//	| slot 1 | the same                                                              |  at 4096
//	+--------+-----------------------------------------------------------------------+
//
// The slots are written in turn, so that a torn write leaves the other one. It lags
// behind by at most one tick of the keeper and is exact after a clean stop.
type watermark struct {
	noted atomic.Uint64 // seq, for anyone to read
	mu    sync.Mutex
	last  mark
	file  vfs.File
	slot  int64 // to be written next
}

// mark is what is known to be durable.
type mark struct {
	seq      uint64
	manifest manifestMark
}

const (
	watermarkName   = "WATERMARK"
	watermarkMagic  = "gremmark"
	slotOffset      = 4096
	slotLen         = 8 + 8 + 8 + 8 + 4 + 4
	watermarkLength = slotOffset + slotLen
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// open reads the watermark; a fresh store makes one.
func (w *watermark) open(fs vfs.FS, name string, fresh bool) error {
	if fresh {
		if err := createWatermark(fs, name, mark{}); err != nil {
			return fmt.Errorf("make %s: %w", name, openError(err))
		}
	}
	f, err := fs.OpenReadWrite(name, vfs.WriteCategoryUnspecified)
	if errors.Is(err, iofs.ErrNotExist) {
		return fmt.Errorf("%w: %s is missing", storage.ErrCorrupt, name)
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", name, openError(err))
	}
	st, err := f.Stat()
	if err == nil && st.Size() != watermarkLength {
		err = fmt.Errorf("%w: %s has %d bytes instead of %d", storage.ErrCorrupt, name, st.Size(), watermarkLength)
	}
	if err == nil {
		err = w.read(f, name)
	}
	if err != nil {
		_ = f.Close() // the first error counts
		return err
	}
	w.file = f
	return nil
}

// read takes the greater of the two slots; one may be torn.
func (w *watermark) read(f vfs.File, name string) error {
	valid := 0
	for slot := range int64(2) {
		b := make([]byte, slotLen)
		if _, err := f.ReadAt(b, slot*slotOffset); err != nil && err != io.EOF {
			return fmt.Errorf("read %s: %w", name, err)
		}
		m, ok := decodeSlot(b)
		if !ok {
			continue
		}
		if valid++; valid == 1 || m.newer(w.last) {
			w.last, w.slot = m, 1-slot
			w.noted.Store(m.seq)
		}
	}
	if valid == 0 {
		return fmt.Errorf("%w: %s has no valid slot", storage.ErrCorrupt, name)
	}
	return nil
}

// newer orders marks; MANIFESTs have ascending numbers.
func (m mark) newer(than mark) bool {
	return cmp.Or(cmp.Compare(m.seq, than.seq), cmp.Compare(m.manifest.number, than.manifest.number),
		cmp.Compare(m.manifest.size, than.manifest.size)) > 0
}

// note makes m, which must be durable, the watermark.
func (w *watermark) note(m mark) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !m.newer(w.last) || w.file == nil {
		return nil
	}
	if _, err := w.file.WriteAt(appendSlot(nil, m), w.slot*slotOffset); err != nil {
		return fmt.Errorf("write the watermark: %w", err)
	}
	if err := w.file.SyncData(); err != nil {
		return fmt.Errorf("sync the watermark: %w", err)
	}
	w.last = m
	w.noted.Store(m.seq)
	w.slot = 1 - w.slot
	return nil
}

// get returns the last mark.
func (w *watermark) get() mark {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

func (w *watermark) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	f := w.file
	w.file = nil
	return f.Close()
}

func appendSlot(b []byte, m mark) []byte {
	n := len(b)
	b = append(b, watermarkMagic...)
	b = binary.BigEndian.AppendUint64(b, m.seq)
	b = binary.BigEndian.AppendUint64(b, m.manifest.number)
	b = binary.BigEndian.AppendUint64(b, uint64(m.manifest.size))
	b = binary.BigEndian.AppendUint32(b, m.manifest.crc)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b[n:], castagnoli))
}

func decodeSlot(b []byte) (m mark, ok bool) {
	end := slotLen - 4
	if string(b[:8]) != watermarkMagic || binary.BigEndian.Uint32(b[end:]) != crc32.Checksum(b[:end], castagnoli) {
		return mark{}, false
	}
	m.seq = binary.BigEndian.Uint64(b[8:])
	m.manifest.number = binary.BigEndian.Uint64(b[16:])
	m.manifest.size = int64(binary.BigEndian.Uint64(b[24:]))
	m.manifest.crc = binary.BigEndian.Uint32(b[32:])
	return m, true
}

// createWatermark writes a whole file, both slots alike.
func createWatermark(fs vfs.FS, name string, m mark) error {
	b := appendSlot(make([]byte, 0, watermarkLength), m)
	b = append(b, make([]byte, slotOffset-len(b))...)
	return writeFile(fs, name, appendSlot(b, m))
}

// writeFile writes a file whole: a crash leaves the old one or the new one.
func writeFile(fs vfs.FS, name string, data []byte) error {
	tmp := name + ".tmp"
	f, err := fs.Create(tmp, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = fs.Rename(tmp, name)
	}
	if err != nil {
		return err
	}
	return syncDir(fs, fs.PathDir(name))
}

func readFile(fs vfs.FS, name string) ([]byte, error) {
	f, err := fs.Open(name)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return b, err
}
