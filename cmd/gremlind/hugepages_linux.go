package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// A read of one vertex touches some hundred places of the heap, and for most of them the processor
// has to look up where the page lies: with pages of 4 kB that is a tenth of the time of a read by
// id, a fifth by an indexed name. So what is in use is moved into huge pages, mostly of 2 MB.
//
// The kernel does it by itself where transparent huge pages are set to "always", or for memory that
// is advised with MADV_HUGEPAGE; but then it also fills up what Go's runtime has given back, for
// which that took the advice out again (1.21.4). MADV_COLLAPSE moves what it is asked to and keeps
// nothing in mind: a server with nothing stored stays small.
const (
	hugeEvery = 2 * time.Second // between two looks at all memory
	hugeIdle  = 9               // after each call passes so many times what it took,
	hugeBusy  = 99              // and so many times where more than hugeFaults pages a second are new: who touches one waits for the call
	hugeAgain = 30              // looks, after which what was moved is asked for again: it may have been given back

	hugeSettings = "/sys/kernel/mm/transparent_hugepage/"
	hugeFaults   = 512 // small pages a second
	// madviseCollapse is MADV_COLLAPSE of madvise(2), since Linux 6.1.
	madviseCollapse = 25
)

var errNoHugePages = errors.New("the system makes none")

// keepHuge moves what is in use of the process's memory into huge pages until the context ends,
// unless the system says "never".
func keepHuge(ctx context.Context, log *slog.Logger) {
	size, moved := hugePageSize(), map[uintptr]bool{}
	for look := 1; size > 0; look++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(hugeEvery):
		}
		if look%hugeAgain == 0 {
			clear(moved)
		}
		if err := gatherHuge(ctx, size, moved); err != nil {
			log.Debug("memory stays in small pages", "error", err)
			return
		}
	}
}

// hugePageSize is in bytes; 0: the system has none, or wants none.
func hugePageSize() uintptr {
	enabled, err := os.ReadFile(hugeSettings + "enabled")
	if err != nil || strings.Contains(string(enabled), "[never]") {
		return 0
	}
	b, err := os.ReadFile(hugeSettings + "hpage_pmd_size")
	if err != nil {
		return 0
	}
	size, _ := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	return uintptr(size)
}

// gatherHuge goes once through all memory but what was moved, and notes what it moves: each call takes
// some time, even if there is nothing to do. That the system has no room for a huge page now, or
// that memory was given back meanwhile, is no error; it is one if no page can be made at all.
func gatherHuge(ctx context.Context, size uintptr, moved map[uintptr]bool) error {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return err
	}
	parts, err := ownMemory(maps, size)
	if err := errors.Join(err, maps.Close()); err != nil {
		return err
	}
	refused, touched := false, newPages{}
	for _, at := range usedPages(parts, size) { // one by one: others may have to wait for a call
		if ctx.Err() != nil {
			return nil
		}
		if moved[at] {
			continue
		}
		began := time.Now()
		_, _, errno := syscall.Syscall(syscall.SYS_MADVISE, at, size, madviseCollapse)
		if errno == 0 {
			moved[at] = true
		}
		refused = refused || errno == syscall.EINVAL
		time.Sleep(touched.rest(time.Since(began)))
	}
	if refused && len(moved) == 0 {
		return errNoHugePages
	}
	return nil
}

// newPages is how many pages the process had touched for the first time at some moment.
type newPages struct {
	at time.Time
	n  int64
}

// rest is how long nothing is asked for behind a call that took so long.
func (p *newPages) rest(took time.Duration) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return hugeBusy * took
	}
	before := *p
	*p = newPages{time.Now(), used.Minflt}
	if float64(p.n-before.n) > hugeFaults*p.at.Sub(before.at).Seconds() {
		return hugeBusy * took
	}
	return hugeIdle * took
}

// ownMemory returns those parts of a process's memory, by the kernel's list (proc_pid_maps(5)), that
// can be written to and that no file is behind, as far as they make whole huge pages.
func ownMemory(maps io.Reader, size uintptr) (all []mapped, err error) {
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		line := lines.Text()
		from, to, mode, ok := mappingOf(line)
		f := strings.Fields(line) // addresses, mode, offset, device, inode, name
		if !ok || mode != "rw-p" || len(f) < 5 || f[4] != "0" || len(f) > 5 && !strings.HasPrefix(f[5], "[anon:") {
			continue
		}
		from, to = (from+size-1)/size*size, to/size*size
		if from < to {
			all = append(all, mapped{from, to})
		}
	}
	return all, lines.Err()
}

// usedPages returns which huge pages of the parts are in use.
func usedPages(parts []mapped, size uintptr) (used []uintptr) {
	for _, part := range parts {
		for at := part.from; at < part.to; at += size {
			if inUse(at, size) {
				used = append(used, at)
			}
		}
	}
	return used
}

// inUse says whether so much of a huge page is resident that the rest of it matters little.
func inUse(at, size uintptr) bool {
	small := uintptr(os.Getpagesize())
	resident := make([]byte, size/small)
	_, _, errno := syscall.Syscall(syscall.SYS_MINCORE, at, size, uintptr(unsafe.Pointer(&resident[0])))
	n := 0
	for _, r := range resident {
		n += int(r & 1)
	}
	return errno == 0 && n >= len(resident)*7/8
}
