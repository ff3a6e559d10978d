package main

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// TestOwnMemory: what a file is behind, what cannot be written to, stacks and parts of less than a huge
// page stay as they are.
func TestOwnMemory(t *testing.T) {
	const maps = `00400000-00c00000 r-xp 00000000 fe:00 7 /opt/gremlind
00c00000-01000000 rw-p 00800000 fe:00 7 /opt/gremlind
01000000-01200000 rw-p 00000000 00:00 0
01300000-01900000 rw-p 00000000 00:00 0
02000000-02400000 ---p 00000000 00:00 0
02400000-02800000 rw-s 00000000 00:00 0
03100000-03300000 rw-p 00000000 00:00 0
04000000-04400000 rw-p 00000000 00:00 0 [anon: Go: heap]
7ffc0000000-7ffc0400000 rw-p 00000000 00:00 0 [stack]
`
	got, err := ownMemory(strings.NewReader(maps), 2<<20)
	want := []mapped{{0x1000000, 0x1200000}, {0x1400000, 0x1800000}, {0x4000000, 0x4400000}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%x, %v; want %x", got, err, want)
	}
}

// TestGatherHuge: of 16 huge pages the first is half in use, the second all but 16 kB, the third not at
// all, and the others whole.
func TestGatherHuge(t *testing.T) {
	size := hugePageSize()
	if size == 0 {
		t.Skip("the system makes no huge pages")
	}
	const pages = 16
	memory, err := syscall.Mmap(-1, 0, int(size)*(pages+1), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	advise := func(what int) {
		t.Helper()
		if err := syscall.Madvise(memory, what); err != nil {
			t.Fatal(err)
		}
	}
	advise(syscall.MADV_NOHUGEPAGE) // where the system is set to "always" the first byte would make one
	first := (uintptr(unsafe.Pointer(&memory[0])) + size - 1) / size * size
	own := memory[first-uintptr(unsafe.Pointer(&memory[0])):]
	n := int(size)
	for i := 0; i < pages*n; i += os.Getpagesize() {
		if i < n/2 || i >= n && i < 2*n-16<<10 || i >= 3*n {
			own[i] = byte(i / n)
		}
	}
	parts := usedPages([]mapped{{first, first + pages*size}}, size)
	want := []uintptr{first + size}
	for i := uintptr(3); i < pages; i++ {
		want = append(want, first+i*size)
	}
	if !slices.Equal(parts, want) {
		t.Fatalf("%x, want %x", parts, want)
	}
	advise(syscall.MADV_HUGEPAGE)
	moved := map[uintptr]bool{}
	if err := gatherHuge(context.Background(), size, moved); err != nil {
		t.Fatal(err)
	}
	if got, want := hugeOf(t, first), 14*n>>10; got < want {
		t.Errorf("%d kB are in huge pages, want at least %d", got, want)
	}
	for _, at := range want {
		if !moved[at] {
			t.Errorf("%x is not known to be moved", at)
		}
	}
	if own[n] != 1 || own[2*n-1] != 0 || own[15*n] != 15 {
		t.Error("what was stored has changed")
	}
}

// TestNewPages: behind a call passes more time where memory is touched for the first time.
func TestNewPages(t *testing.T) {
	const took = time.Second
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		pages int64 // in ten seconds
		want  time.Duration
	}{{0, hugeIdle}, {5 * hugeFaults, hugeIdle}, {20 * hugeFaults, hugeBusy}} {
		p := newPages{at: time.Now().Add(-10 * time.Second), n: used.Minflt - test.pages}
		if got := p.rest(took); got != test.want*took {
			t.Errorf("%d new pages: %v behind a second, want %v", test.pages, got, test.want*took)
		}
		if p.n < used.Minflt || time.Since(p.at) > time.Minute/2 {
			t.Errorf("the next time is compared with %+v", p)
		}
	}
}

// hugeOf is how much of the mapping with an address is in huge pages, in kB.
func hugeOf(t *testing.T, at uintptr) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	ours := false
	for line := range strings.Lines(string(b)) {
		if from, to, _, ok := mappingOf(line); ok {
			ours = from <= at && at < to
		} else if rest, ok := strings.CutPrefix(line, "AnonHugePages:"); ok && ours {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("no mapping has %x", at)
	return 0
}
