package pebble

import "syscall"

// extend makes a file as long as length, with blocks set aside.
func extend(fd uintptr, length int64) error { return syscall.Fallocate(int(fd), 0, 0, length) }
