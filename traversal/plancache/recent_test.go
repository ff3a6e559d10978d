package plancache_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/traversal/plancache"
)

// What was used lately is found, and what was not is forgotten.
func TestRecent(t *testing.T) {
	const generation = 4
	r := plancache.NewRecent[int](generation, 1<<20)
	found := func(n int) bool {
		v := r.Find(fmt.Append(nil, n))
		if v != nil && *v != n {
			t.Errorf("found %d by the key %d", *v, n)
		}
		return v != nil
	}
	for n := range 50 {
		r.Keep(fmt.Append(nil, n), &n, 8)
		if n%(generation-1) == 0 && !found(0) {
			t.Errorf("0 is forgotten after %d", n)
		}
		if held := r.Len(); held > 2*generation {
			t.Errorf("%d values are held after %d", held, n)
		}
	}
	for n := 1; n < 50-2*generation; n++ {
		if found(n) {
			t.Errorf("%d is still held", n)
		}
	}
	for _, n := range []int{0, 47, 48, 49} {
		if !found(n) {
			t.Errorf("%d is forgotten", n)
		}
	}
}

// The value kept last is the one that is found, in whichever generation others are.
func TestRecent_KeepAgain(t *testing.T) {
	r := plancache.NewRecent[int](2, 1<<20)
	key := []byte("key")
	for n := range 10 {
		r.Keep(key, &n, 8)
		if v := r.Find(key); v == nil || *v != n {
			t.Errorf("time %d: found %v", n, v)
		}
		if n%3 == 0 {
			r.Keep(fmt.Append(nil, n), &n, 8)
		}
	}
	for range 10 {
		r.Keep([]byte("full"), new(int), 8)
	}
	if r.Find(key) == nil {
		t.Error("one value that is kept again and again takes the memory of others")
	}
	key[0] = 'x'
	if r.Find([]byte("key")) == nil {
		t.Error("the value went with the caller's key")
	}
}

// What many goroutines find is what was kept last.
func TestRecent_Goroutines(t *testing.T) {
	r := plancache.NewRecent[int](8, 1<<20)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			own := fmt.Append(nil, "own", g)
			for n := range 2000 {
				r.Keep(own, &n, 8)
				r.Keep(fmt.Append(nil, n%3), &n, 8)
				r.Find(fmt.Append(nil, n%5))
				if v := r.Find(own); v != nil && *v != n {
					t.Errorf("%s: found %d, kept %d", own, *v, n)
				}
			}
		})
	}
	wg.Wait()
	if n := r.Len(); n > 16 {
		t.Errorf("%d values are held", n)
	}
}
