package heap

import (
	"runtime"
	"sync"
	"testing"
)

func TestInUse(t *testing.T) {
	const size, noise = 8 << 20, 1 << 20
	pool := sync.Pool{New: func() any { return make([]byte, size) }}
	InUse()
	before := InUse()
	pool.Put(pool.Get())
	if grown := InUse() - before; grown > noise {
		t.Errorf("%d bytes that a pool holds are in use", grown)
	}
	kept := pool.Get()
	if grown := InUse() - before; grown < size-noise {
		t.Errorf("%d bytes are in use, %d are held", grown, size)
	}
	runtime.KeepAlive(kept)
}
