package account

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// check compares what accounts show with what they should.
func check(t *testing.T, want int64, a *Account) {
	t.Helper()
	if got := a.Used(); got != want {
		t.Errorf("%s: %d bytes used, want %d", a.Setting(), got, want)
	}
}

func TestCharge(t *testing.T) {
	server := New(nil, "memory", 1000)
	one, other := New(server, "queryMemory", 800), New(server, "queryMemory", 800)
	if err := one.Charge(700); err != nil {
		t.Fatal(err)
	}
	err := one.Charge(101)
	if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "801 bytes kept, queryMemory is 800") {
		t.Errorf("its own limit: %v", err)
	}
	check(t, 700, one)
	if err := other.Charge(200); err != nil {
		t.Errorf("beside what the first holds: %v", err)
	}
	var limit *LimitError
	if err := other.Charge(100); !errors.As(err, &limit) || limit.Setting != "memory" || limit.Max != 1000 {
		t.Errorf("the server's limit: %v", err)
	}
	one.Clear()
	if err := other.Charge(100); err != nil {
		t.Errorf("after the first has gone: %v", err)
	}
	other.Release(300)
	check(t, 0, other)
	check(t, 0, server)
}

// TestCharge_Ahead keeps what is held ahead small beside what is used.
func TestCharge_Ahead(t *testing.T) {
	server := New(nil, "memory", Unlimited)
	a := New(server, "queryMemory", Unlimited)
	for n := int64(0); n < 1<<20; n += 24 {
		if err := a.Charge(24); err != nil {
			t.Fatal(err)
		}
		if over := server.Used() - a.Used(); over < 0 || over > ahead(a.Used()) {
			t.Fatalf("%d bytes used, the server counts %d", a.Used(), server.Used())
		}
	}
	for a.Used() > 0 {
		a.Release(24)
		if over := server.Used() - a.Used(); over < 0 || over > 2*ahead(a.Used())+24 {
			t.Fatalf("%d bytes used, the server counts %d", a.Used(), server.Used())
		}
	}
	check(t, 0, server)
}

func TestNil(t *testing.T) {
	var none *Account
	if err := none.Charge(Unlimited); err != nil {
		t.Error(err)
	}
	none.Release(Unlimited)
	none.Clear()
	if none.Used() != 0 || none.Max() != Unlimited || none.Setting() != "" {
		t.Errorf("%d, %d, %q", none.Used(), none.Max(), none.Setting())
	}
}

// TestConcurrent charges and releases a tree from all sides: no level ever takes more
// than its limit, and nothing is left.
func TestConcurrent(t *testing.T) {
	server := New(nil, "memory", 300_000)
	connection := New(server, "connectionMemory", 250_000)
	shared := New(connection, "sessionMemory", 200_000)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			own := New(connection, "queryMemory", 100_000)
			for range 20_000 {
				a := own
				if r.IntN(2) == 0 {
					a = shared
				}
				n := r.Int64N(3000)
				if r.IntN(100) == 0 {
					n *= 20
				}
				if a.Charge(n) != nil {
					continue
				}
				if held := a.held.Load(); held > a.max || connection.held.Load() > connection.max {
					t.Errorf("%s holds %d of %d", a.setting, held, a.max)
				}
				if a == own && r.IntN(4) > 0 {
					if r.IntN(10) == 0 {
						own.Clear()
					}
					continue
				}
				a.Release(n)
			}
			own.Clear()
		})
	}
	all.Wait()
	check(t, 0, shared)
	check(t, 0, connection)
	check(t, 0, server)
}

// BenchmarkCharge is what a step pays for one value that it keeps, and what a request
// pays that keeps none.
func BenchmarkCharge(b *testing.B) {
	server := New(nil, "memory", Unlimited)
	user := New(server, "userMemory", Unlimited)
	connection := New(user, "connectionMemory", Unlimited)
	b.Run("value", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			a := New(connection, "queryMemory", Unlimited)
			for pb.Next() {
				_ = a.Charge(24)
			}
			a.Clear()
		})
	})
	b.Run("nothing", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			var a Account
			for pb.Next() {
				a.Init(connection, "queryMemory", Unlimited)
				a.Clear()
			}
		})
	})
}

// TestAccount_Join: what is charged to one account counts on both above it, up to the lower
// limit, and is given back to both.
func TestAccount_Join(t *testing.T) {
	server, graph := New(nil, "memory", 1<<20), New(nil, "graph", 1000)
	a := New(server, "request", 1<<19)
	for range 2 {
		if err := a.Charge(100); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := a.Join(graph); err != nil {
				t.Fatal(err)
			}
		}
		if graph.Used() < 100 || graph.Used() > 200 {
			t.Errorf("%d bytes", graph.Used())
		}
		var full *LimitError
		if err := a.Charge(2000); !errors.As(err, &full) || full.Setting != "graph" || a.Used() != 100 || server.Used() > 200 {
			t.Errorf("%v, %d and %d bytes", err, a.Used(), server.Used())
		}
		if err := a.Charge(900); err != nil {
			t.Error(err)
		}
		a.Release(500)
		if graph.Used() > 700 {
			t.Errorf("%d bytes after the release", graph.Used())
		}
		a.Clear()
		if graph.Used() != 0 || server.Used() != 0 {
			t.Errorf("%d and %d bytes are left", graph.Used(), server.Used())
		}
	}
	if err := a.Charge(5000); err != nil || graph.Used() != 0 {
		t.Errorf("%v, %d bytes: it was cleared", err, graph.Used())
	}
	if err := a.Join(graph); err == nil || graph.Used() != 0 {
		t.Errorf("joined with more than there is room for: %d bytes", graph.Used())
	}
	graph.Resize(1 << 20)
	if err := a.Join(graph); err != nil || graph.Used() < 5000 {
		t.Error(err, graph.Used())
	}
}

// TestAccount_Lower: a lower limit holds, and names its setting; a higher one changes nothing.
func TestAccount_Lower(t *testing.T) {
	server := New(nil, "memory", 1<<20)
	a := New(server, "request", 10000)
	if err := a.Charge(4000); err != nil {
		t.Fatal(err)
	}
	for _, max := range []int64{20000, 4000} {
		if err := a.Lower("user", max); err != nil {
			t.Error(err)
		}
	}
	var full *LimitError
	if err := a.Charge(1); !errors.As(err, &full) || full.Setting != "user" || full.Max != 4000 {
		t.Error(err)
	}
	if err := a.Lower("graph", 3999); !errors.As(err, &full) || full.Setting != "graph" {
		t.Error(err)
	}
	a.Clear()
	if server.Used() != 0 {
		t.Errorf("%d bytes are left", server.Used())
	}
}

// TestAccount_Move has an account change its parent with what is charged to it.
func TestAccount_Move(t *testing.T) {
	server := New(nil, "memory", 1000)
	from, to := New(server, "queryMemory", Unlimited), New(server, "sessionMemory", 600)
	graph := New(nil, "graphMemory", 1000)
	a := New(from, "queryMemory", Unlimited)
	if err := errors.Join(a.Join(graph), a.Charge(500), a.Move(to)); err != nil {
		t.Fatal(err)
	}
	check(t, 0, from)
	check(t, 0, graph)
	check(t, 500, a)
	if to.Used() < 500 || server.Used() < 500 {
		t.Errorf("%d bytes count on the new parent and %d on the server", to.Used(), server.Used())
	}
	if err := a.Charge(200); !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "sessionMemory") {
		t.Errorf("beyond the new parent's limit: %v", err)
	}
	a.Release(500)
	a.Clear()
	check(t, 0, to)
	check(t, 0, server)

	b := New(from, "queryMemory", Unlimited)
	if err := errors.Join(b.Charge(700), b.Move(to)); !errors.Is(err, ErrLimit) {
		t.Errorf("more than there is room for: %v", err)
	}
	for _, none := range []*Account{b, from, to, server} {
		check(t, 0, none)
	}
}
