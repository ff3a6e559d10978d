// Package spool keeps lists of byte strings that are written once and then read: in
// memory up to a bound, beyond it in a temporary file. The file has no name once it is
// open, where the system allows that, so that a process that is killed leaves nothing.
package spool

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
)

// Memory is how many bytes a list keeps in memory unless it is told otherwise.
const Memory = 16 << 20

const chunkBytes = 1 << 20

// Options say where a list keeps its strings. The zero value has defaults.
type Options struct {
	Memory int64  // bytes that stay in memory; 0 means the constant of that name
	Dir    string // folder of the temporary file; "" means that of the system
}

// List is a list of byte strings: written, sealed, then read by any number of readers.
// The zero value is an empty one with default options.
type List struct {
	Options
	n      int
	chunks [][]byte
	held   int64 // bytes of memory
	file   *os.File
	named  bool // the file still has its name
	w      *bufio.Writer
	filed  int64 // bytes of the file
	buf    []byte
}

// Mark is a place between two strings of a list.
type Mark struct {
	chunk int // as many as there are: in the file
	at    int64
}

// Len returns how many strings there are.
func (s *List) Len() int { return s.n }

// Mark returns the place behind the last string.
func (s *List) Mark() Mark {
	switch n := len(s.chunks); {
	case s.w != nil:
		return Mark{n, s.filed}
	case n > 0:
		return Mark{n - 1, int64(len(s.chunks[n-1]))}
	}
	return Mark{}
}

// Write appends a string.
func (s *List) Write(b []byte) error {
	s.n++
	most := s.Memory
	if most == 0 {
		most = Memory
	}
	if s.w == nil && s.held < most {
		c := s.chunk(len(b) + binary.MaxVarintLen64)
		*c = append(binary.AppendUvarint(*c, uint64(len(b))), b...)
		return nil
	}
	if s.w == nil {
		if err := s.create(); err != nil {
			return err
		}
	}
	s.buf = append(binary.AppendUvarint(s.buf[:0], uint64(len(b))), b...)
	s.filed += int64(len(s.buf))
	_, err := s.w.Write(s.buf)
	return s.failed(err)
}

func (s *List) create() error {
	f, err := os.CreateTemp(s.Dir, "gremlind-spool-*")
	if err != nil {
		return s.failed(err)
	}
	s.file, s.w = f, bufio.NewWriterSize(f, chunkBytes)
	s.named = os.Remove(f.Name()) != nil
	return nil
}

// failed says of an error which setting moves the file.
func (s *List) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("temporary file (TMPDIR names another folder): %w", err)
}

// chunk returns the last chunk, or a new one when it has no room for n bytes.
func (s *List) chunk(n int) *[]byte {
	last := len(s.chunks) - 1
	if last < 0 || cap(s.chunks[last])-len(s.chunks[last]) < n {
		s.chunks = append(s.chunks, make([]byte, 0, max(chunkBytes, n)))
		last++
		s.held += int64(cap(s.chunks[last]))
	}
	return &s.chunks[last]
}

// Seal ends the writing.
func (s *List) Seal() error {
	if s.w == nil {
		return nil
	}
	return s.failed(s.w.Flush())
}

// Close gives memory and file back.
func (s *List) Close() {
	if s.file != nil {
		s.file.Close()
		if s.named {
			os.Remove(s.file.Name())
		}
	}
	*s = List{Options: s.Options}
}

// Reader reads a sealed list from a mark on.
type Reader struct {
	s   *List
	at  Mark
	r   *bufio.Reader
	buf []byte
}

// Reader returns a reader; the zero Mark is the beginning.
func (s *List) Reader(from Mark) *Reader { return &Reader{s: s, at: from} }

// Read returns the next string, valid until the next call, or io.EOF.
func (r *Reader) Read() ([]byte, error) {
	for r.at.chunk < len(r.s.chunks) {
		c := r.s.chunks[r.at.chunk][r.at.at:]
		if len(c) == 0 {
			r.at = Mark{r.at.chunk + 1, 0}
			continue
		}
		n, size := binary.Uvarint(c)
		r.at.at += int64(size) + int64(n)
		return c[size : size+int(n)], nil
	}
	if r.s.file == nil {
		return nil, io.EOF
	}
	if r.r == nil {
		r.r = bufio.NewReaderSize(io.NewSectionReader(r.s.file, r.at.at, math.MaxInt64-r.at.at), chunkBytes)
	}
	n, err := binary.ReadUvarint(r.r)
	if err != nil {
		return nil, err
	}
	if uint64(cap(r.buf)) < n {
		r.buf = make([]byte, n)
	}
	r.buf = r.buf[:n]
	if _, err = io.ReadFull(r.r, r.buf); err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return r.buf, err
}
