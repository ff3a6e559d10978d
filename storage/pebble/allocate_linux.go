package pebble

import "syscall"

// allocate makes a file n bytes long, with the space that it needs.
func allocate(fd uintptr, n int64) error { return syscall.Fallocate(int(fd), 0, 0, n) }
