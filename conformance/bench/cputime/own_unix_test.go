//go:build unix

package cputime

import (
	"runtime"
	"testing"
	"time"
)

func TestOwn(t *testing.T) {
	before, begin := Own(), time.Now()
	for Own() == before {
		if time.Since(begin) > 10*time.Second {
			t.Fatalf("%v of processor time for ten seconds of work", Own()-before)
		}
	}
	if used, most := Own()-before, time.Duration(runtime.NumCPU()+1)*time.Since(begin)+100*time.Millisecond; used > most {
		t.Errorf("%v of processor time, want %v at most", used, most)
	}
}
