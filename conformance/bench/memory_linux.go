package main

import (
	"os"
	"syscall"
)

// mostMemory is how many bytes a process that has ended had resident at most.
func mostMemory(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
