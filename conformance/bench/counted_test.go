package main

import (
	"strings"
	"testing"
)

func TestReadCounts(t *testing.T) {
	const events = "version: 1\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\n"
	c, err := readCounts(strings.NewReader(events+"fn=(1) a\n+4 3 2\n\ntotals: 1000 300 200 70 20 10 4 2 1\n"), 10)
	if want := (counts{instructions: 100, code: 7, data: 3, far: 0.7}); c != want || err != nil {
		t.Errorf("%+v %v, want %+v", c, err, want)
	}
	for _, text := range []string{"", events, events + "totals: 1 2 x\n", "totals: 1\n", events + "totals:\n"} {
		if c, err := readCounts(strings.NewReader(text), 1); err == nil {
			t.Errorf("%q gives %+v", text, c)
		}
	}
}
