package graphson

import "bytes"

const (
	weightless = 4 << 10 // bytes of a text that is not worth weighing
	nodeWeight = 120     // of a Node and the value made of it
)

// Weight returns how many bytes a JSON text takes at most while it is read, about, before
// anything of it is. It is 0 for a short one.
func Weight(b []byte) int64 {
	if len(b) <= weightless {
		return 0
	}
	n := 0
	for _, mark := range []string{",", ":", "[", "{"} {
		n += bytes.Count(b, []byte(mark))
	}
	return int64(len(b)) + int64(min(n, MaxNodes))*nodeWeight
}
