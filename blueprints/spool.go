package blueprints

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
)

// spoolMemory is how much a spool keeps in memory before it goes to a file.
const spoolMemory = 64 << 20

// spool is a queue of byte strings: written once, then read once in order.
type spool struct {
	mem  []byte
	file *os.File
	w    *bufio.Writer
	r    *bufio.Reader
	at   int
	buf  []byte
}

func (s *spool) write(b []byte) error {
	if s.w == nil && len(s.mem)+len(b) < spoolMemory {
		s.mem = append(binary.AppendUvarint(s.mem, uint64(len(b))), b...)
		return nil
	}
	if s.w == nil {
		f, err := os.CreateTemp("", "gremlind-load-*")
		if err != nil {
			return err
		}
		s.file, s.w = f, bufio.NewWriterSize(f, 1<<20)
	}
	s.buf = binary.AppendUvarint(s.buf[:0], uint64(len(b)))
	if _, err := s.w.Write(s.buf); err != nil {
		return err
	}
	_, err := s.w.Write(b)
	return err
}

// read returns the next string, valid until the next call.
func (s *spool) read() ([]byte, error) {
	if s.at < len(s.mem) {
		n, size := binary.Uvarint(s.mem[s.at:])
		b := s.mem[s.at+size : s.at+size+int(n)]
		s.at += size + int(n)
		return b, nil
	}
	if s.w == nil {
		return nil, io.ErrUnexpectedEOF
	}
	if s.r == nil {
		if err := s.w.Flush(); err != nil {
			return nil, err
		}
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		s.r = bufio.NewReaderSize(s.file, 1<<20)
	}
	n, err := binary.ReadUvarint(s.r)
	if err != nil {
		return nil, err
	}
	if uint64(cap(s.buf)) < n {
		s.buf = make([]byte, n)
	}
	s.buf = s.buf[:n]
	_, err = io.ReadFull(s.r, s.buf)
	return s.buf, err
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
	*s = spool{}
}
