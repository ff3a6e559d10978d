package blueprints

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"os"
)

const (
	// spoolMemory is how much a spool keeps in memory before it goes to a file.
	spoolMemory = 64 << 20
	spoolChunk  = 1 << 20
)

// spool is a list of byte strings: written once, then read by several readers.
type spool struct {
	chunks [][]byte
	held   int // bytes of memory
	file   *os.File
	w      *bufio.Writer
	filed  int64 // bytes of the file
	buf    []byte
}

// spoolMark is a place between two strings of a spool.
type spoolMark struct {
	chunk int // as many as there are: in the file
	at    int64
}

// mark returns the place behind the last string.
func (s *spool) mark() spoolMark {
	switch n := len(s.chunks); {
	case s.w != nil:
		return spoolMark{n, s.filed}
	case n > 0:
		return spoolMark{n - 1, int64(len(s.chunks[n-1]))}
	}
	return spoolMark{}
}

func (s *spool) write(b []byte) error {
	if s.w == nil && s.held < spoolMemory {
		c := s.chunk(len(b) + binary.MaxVarintLen64)
		*c = append(binary.AppendUvarint(*c, uint64(len(b))), b...)
		return nil
	}
	if s.w == nil {
		f, err := os.CreateTemp("", "gremlind-load-*")
		if err != nil {
			return err
		}
		s.file, s.w = f, bufio.NewWriterSize(f, spoolChunk)
	}
	s.buf = append(binary.AppendUvarint(s.buf[:0], uint64(len(b))), b...)
	s.filed += int64(len(s.buf))
	_, err := s.w.Write(s.buf)
	return err
}

// chunk returns the last chunk, or a new one when it has no room for n bytes.
func (s *spool) chunk(n int) *[]byte {
	last := len(s.chunks) - 1
	if last < 0 || cap(s.chunks[last])-len(s.chunks[last]) < n {
		s.chunks = append(s.chunks, make([]byte, 0, max(spoolChunk, n)))
		last++
		s.held += cap(s.chunks[last])
	}
	return &s.chunks[last]
}

// seal ends the writing.
func (s *spool) seal() error {
	if s.w == nil {
		return nil
	}
	return s.w.Flush()
}

// spoolReader reads a sealed spool from a mark on.
type spoolReader struct {
	s   *spool
	at  spoolMark
	r   *bufio.Reader
	buf []byte
}

func (s *spool) reader(from spoolMark) *spoolReader { return &spoolReader{s: s, at: from} }

// read returns the next string, valid until the next call.
func (r *spoolReader) read() ([]byte, error) {
	for r.at.chunk < len(r.s.chunks) {
		c := r.s.chunks[r.at.chunk][r.at.at:]
		if len(c) == 0 {
			r.at = spoolMark{r.at.chunk + 1, 0}
			continue
		}
		n, size := binary.Uvarint(c)
		r.at.at += int64(size) + int64(n)
		return c[size : size+int(n)], nil
	}
	if r.s.file == nil {
		return nil, io.ErrUnexpectedEOF
	}
	if r.r == nil {
		r.r = bufio.NewReaderSize(io.NewSectionReader(r.s.file, r.at.at, math.MaxInt64-r.at.at), spoolChunk)
	}
	n, err := binary.ReadUvarint(r.r)
	if err != nil {
		return nil, err
	}
	if uint64(cap(r.buf)) < n {
		r.buf = make([]byte, n)
	}
	r.buf = r.buf[:n]
	_, err = io.ReadFull(r.r, r.buf)
	return r.buf, err
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
	*s = spool{}
}
