//go:build !linux

package pebble

import "errors"

// allocate makes a file n bytes long, with the space that it needs.
func allocate(uintptr, int64) error { return errors.ErrUnsupported }
