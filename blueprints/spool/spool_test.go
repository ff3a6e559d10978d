package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"testing"
)

// TestList writes more than stays in memory and reads it from the beginning and from
// marks, by several readers.
func TestList(t *testing.T) {
	for _, memory := range []int64{1, 2 << 20, 0} {
		dir := t.TempDir()
		s := &List{Options: Options{Memory: memory, Dir: dir}}
		var marks []Mark
		text := func(i int) []byte { return bytes.Repeat([]byte(fmt.Sprint(i, " ")), i%2000) }
		const n = 1500
		for i := range n {
			marks = append(marks, s.Mark())
			if err := s.Write(text(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Seal(); err != nil {
			t.Fatal(err)
		}
		if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) > 0 && runtime.GOOS != "windows" {
			t.Errorf("a process that is killed would leave %v", names)
		}
		if s.Len() != n {
			t.Errorf("%d strings, want %d", s.Len(), n)
		}
		for _, from := range []int{0, 1, 700, n - 1} {
			r := s.Reader(marks[from])
			for i := from; i < n; i++ {
				got, err := r.Read()
				if err != nil || !bytes.Equal(got, text(i)) {
					t.Fatalf("memory %d, from %d: string %d has %d bytes, error %v", memory, from, i, len(got), err)
				}
			}
			if _, err := r.Read(); !errors.Is(err, io.EOF) {
				t.Errorf("behind the end: %v", err)
			}
		}
		s.Close()
		if s.Len() != 0 {
			t.Error("a closed list has strings")
		}
	}
}

// TestList_NoRoom says where the file would be.
func TestList_NoRoom(t *testing.T) {
	s := &List{Options: Options{Memory: 1, Dir: filepath.Join(t.TempDir(), "none")}}
	defer s.Close()
	_ = s.Write([]byte("in memory"))
	if err := s.Write([]byte("in the file")); err == nil || !bytes.Contains([]byte(err.Error()), []byte("TMPDIR")) {
		t.Errorf("error %v", err)
	}
}

// TestList_Memory: what stays in memory is as much as was said, and goes to the file from there on.
func TestList_Memory(t *testing.T) {
	for chunks := range int64(3) {
		s := &List{Options: Options{Memory: max(chunks*chunkBytes, 1), Dir: t.TempDir()}}
		defer s.Close()
		for range 4 * 4 {
			if err := s.Write(make([]byte, chunkBytes/4-100)); err != nil {
				t.Fatal(err)
			}
		}
		if want := max(chunks, 1) * chunkBytes; s.held != want || s.filed == 0 {
			t.Errorf("of %d bytes %d are in memory, %d in the file", s.Memory, s.held, s.filed)
		}
	}
}
