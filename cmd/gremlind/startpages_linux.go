package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// forgetStart gives back the pages of the program that only starting has touched: what every
// package runs once and the tables of the runtime's checks, more than half of what a server at
// rest would have resident. Nobody writes to them: who needs one again gets it from the kernel's
// page cache, or from the file. An error changes nothing that matters.
func forgetStart() error {
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return err
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return err
	}
	defer maps.Close()
	all, err := programPages(maps, exe)
	if err != nil {
		return err
	}
	for _, p := range all {
		if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, p.from, p.to-p.from, syscall.MADV_DONTNEED); errno != 0 {
			return fmt.Errorf("madvise: %w", errno)
		}
	}
	return nil
}

// mapped are the addresses of a part of a file in memory.
type mapped struct{ from, to uintptr }

// programPages returns the parts of the file exe, by the kernel's list of a process's memory
// (proc_pid_smaps(5)), which nobody can write to, and of which every page is the file's: a
// debugger's or a probe's breakpoint is in a copy of a page, which must stay.
func programPages(smaps io.Reader, exe string) (all []mapped, err error) {
	var part mapped
	ours := false
	lines := bufio.NewScanner(smaps)
	for lines.Scan() {
		line := lines.Text()
		if from, to, mode, ok := mappingOf(line); ok {
			part, ours = mapped{from, to}, strings.HasPrefix(mode, "r-") && strings.HasSuffix(line, " "+exe)
			continue
		}
		if f := strings.Fields(line); ours && len(f) == 3 && f[0] == "Anonymous:" && f[1] == "0" {
			all = append(all, part)
		}
	}
	return all, lines.Err()
}

// mappingOf reads the line that a mapping begins with.
func mappingOf(line string) (from, to uintptr, mode string, ok bool) {
	n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode)
	return from, to, mode, n == 3
}
