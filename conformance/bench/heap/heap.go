// Package heap tells tests how much memory is in use.
package heap

import "runtime"

// InUse is the bytes of objects that can be reached. What pools hold for others is none of
// them: it outlives one collection, not two. Whoever compares two measures has the code
// run once before the first: what the process takes once would count for whoever comes
// first.
func InUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
