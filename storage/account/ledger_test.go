package account

import (
	"testing"

	"pgregory.net/rapid"
)

// TestLedger: whatever a ledger is asked, its account has what it covers but for the free
// bytes, and all of it back in the end.
func TestLedger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := New(nil, "memory", 1<<20)
		l := &Ledger{Account: a}
		for range rapid.IntRange(1, 30).Draw(t, "calls") {
			n := rapid.Int64Range(0, 1<<18).Draw(t, "bytes")
			before := l.Bytes()
			switch rapid.IntRange(0, 3).Draw(t, "call") {
			case 0:
				if err := l.Cover(n); err != nil && l.Bytes() != max(before, LedgerFree) {
					t.Fatalf("a refused cover changed %d to %d", before, l.Bytes())
				} else if err == nil && (l.Bytes() < n || l.Bytes() > max(before, LedgerFree, n+ledgerAhead)) {
					t.Fatalf("%d bytes are covered by %d, before %d", n, l.Bytes(), before)
				}
			case 1:
				if err := l.Add(n); err == nil && l.Bytes() != max(before, LedgerFree)+n {
					t.Fatalf("%d and %d more are %d", before, n, l.Bytes())
				}
			case 2:
				l.Shrink(n)
				if l.Bytes() > before || l.Bytes() < min(before, n) || l.Bytes() > 2*(max(n, LedgerFree)+ledgerAhead) {
					t.Fatalf("%d shrink to %d for %d", before, l.Bytes(), n)
				}
			case 3:
				l.Clear()
			}
			if a.Used() != max(0, l.Bytes()-LedgerFree) {
				t.Fatalf("%d bytes are covered, and %d charged", l.Bytes(), a.Used())
			}
		}
		if l.Clear(); a.Used() != 0 || l.Bytes() != 0 {
			t.Fatalf("%d bytes are left", a.Used())
		}
	})
}

// TestWatch: who watches is told each time what accounts beneath take has moved by a step.
func TestWatch(t *testing.T) {
	const step = 1000
	server, told := New(nil, "memory", Unlimited), 0
	server.Watch(step, func() { told++ })
	a := New(server, "queryMemory", Unlimited)
	last, want := int64(0), 0
	for i, bytes := range []int64{600, 300, 900, 200, -500, -700, -500, 700, 5000, -4000, 100, -800, 900} {
		if bytes < 0 {
			a.Release(-bytes)
		} else if err := a.Charge(bytes); err != nil {
			t.Fatal(err)
		}
		if d := server.Used() - last; d >= step || -d >= step {
			last, want = server.Used(), want+1
		}
		if told != want {
			t.Errorf("after %d calls, with %d bytes: told %d times, want %d", i+1, server.Used(), told, want)
		}
	}
	if want < 4 {
		t.Errorf("%d of so many calls moved it", want)
	}
}
