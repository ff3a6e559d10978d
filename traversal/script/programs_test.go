package script

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TestPrograms_Bytes has texts of many kinds read that are as large as texts that are
// kept can be: they take no more than a few megabytes, and about what is known of.
func TestPrograms_Bytes(t *testing.T) {
	for round, part := range []string{"1;", "{it};", "x=1;", "[1,2,3];", "'a'+\"b${1}\";", "if(a){b()}else{c};", "g.V().out();", "def f(x){x};", "a.b.c;", "1;"} {
		ps := NewPrograms()
		before := heap.InUse()
		for i := range 50 {
			text := fmt.Sprint(i, ";", strings.Repeat(part, (programTextsMax-10)/len(part)))
			read := ps.script
			if i%2 > 0 {
				read = ps.shaped
			}
			for range 2 {
				if _, err := read(nil, text, machine.Limits{}.WithDefaults()); err != nil {
					t.Fatalf("%s: %v", part, err)
				}
			}
		}
		held, grown := ps.scripts.Bytes()+ps.shapes.Bytes(), heap.InUse()-before
		t.Logf("%s: %d texts, %d bytes are held, %d in use", part, ps.scripts.Len(), held, grown)
		if held > 4*programBytesMax || round > 0 && grown > int64(held)+1<<20 { // the first takes what the process takes once
			t.Errorf("%s: %d bytes are held, %d in use", part, held, grown)
		}
		runtime.KeepAlive(ps)
	}
}
