package rowcache

import (
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// history is what each row said after each commit that wrote it.
type history struct {
	seq  uint64
	rows map[uint64][]uint64 // commits that wrote the row
}

// at is the commit whose row a reader at seq sees; 0 before the first.
func (h *history) at(id, seq uint64) uint64 {
	found := uint64(0)
	for _, c := range h.rows[id] {
		if c <= seq {
			found = c
		}
	}
	return found
}

// fill is a reader between reading a row and offering it.
type fill struct{ id, seq, row uint64 }

// Whatever the order of commits, fills, evictions and readers: a row that the table
// gives is the one that the reader's commit holds.
func TestTable_NeverServesAnotherCommitsRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBudget(10*(versionBytes+100) + 3*pageBytes)
		table := NewTable[uint64](b, &Commits{})
		h := &history{rows: map[uint64][]uint64{}}
		var open []fill
		id := rapid.Uint64Range(0, 600)
		size := Size{All: 100, Own: 40}
		seqs := func() uint64 { return rapid.Uint64Range(h.seq-min(h.seq, 6), h.seq).Draw(t, "seq") }
		t.Repeat(map[string]func(*rapid.T){
			"commit": func(t *rapid.T) {
				h.seq++
				for range rapid.IntRange(1, 3).Draw(t, "rows") {
					i := id.Draw(t, "id") % 7
					if n := h.rows[i]; len(n) > 0 && n[len(n)-1] == h.seq {
						continue
					}
					h.rows[i] = append(h.rows[i], h.seq)
					var succeed func(*uint64) (uint64, Size, Outcome)
					if rapid.Bool().Draw(t, "successor") {
						succeed = func(*uint64) (uint64, Size, Outcome) { return h.seq, size, Succeeded }
					}
					table.Touch(i, h.seq, succeed)
				}
			},
			"read": func(t *rapid.T) {
				i, seq := id.Draw(t, "id")%7, seqs()
				open = append(open, fill{i, seq, h.at(i, seq)})
			},
			"install": func(t *rapid.T) {
				if len(open) == 0 {
					t.Skip("nothing was read")
				}
				k := rapid.IntRange(0, len(open)-1).Draw(t, "fill")
				f := open[k]
				open = append(open[:k], open[k+1:]...)
				table.Install(f.id, f.seq, func(*uint64) (uint64, Size, bool) { return f.row, size, true })
			},
			"evict": func(t *rapid.T) { table.evict(id.Draw(t, "id")%7, true) },
			"drop": func(t *rapid.T) {
				h.seq++
				i := id.Draw(t, "id") % 7
				h.rows[i] = append(h.rows[i], h.seq)
				table.Drop(i, h.seq)
				if table.holds(i) {
					t.Fatalf("row %d is dropped and there", i)
				}
			},
			"other rows": func(t *rapid.T) {
				i := 7 + id.Draw(t, "id")
				table.Install(i, h.seq, func(*uint64) (uint64, Size, bool) { return 0, size, true })
			},
			"reset": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "rarely") == 0 {
					h.seq++
					for i := range uint64(7) {
						h.rows[i] = append(h.rows[i], h.seq)
					}
					table.Reset(h.seq)
				}
			},
			"": func(t *rapid.T) {
				ids := []uint64{6, 0, 1, 2, 3, 4, 5, 6, idMax, 0}
				for seq := h.seq - min(h.seq, 6); seq <= h.seq; seq++ {
					var rows [Stage]*uint64
					GetMany(table, ids, seq, &rows)
					for k, i := range ids {
						row := table.Get(i, seq)
						if row != nil && *row != h.at(i, seq) {
							t.Fatalf("row %d at commit %d is of commit %d, want %d", i, seq, *row, h.at(i, seq))
						}
						if rows[k] != row {
							t.Fatalf("row %d at commit %d: one of many is %v, alone it is %v", i, seq, rows[k], row)
						}
					}
				}
				if st := b.Stats(); st.Bytes < 0 || st.Rows < 0 || st.Bytes > b.max {
					t.Fatalf("the budget of %d says %+v", b.max, st)
				}
			},
		})
	})
}

func TestBudget_CountsToZero(t *testing.T) {
	b := NewBudget(1 << 20)
	table := NewTable[int](b, &Commits{})
	for seq := range uint64(20) {
		for id := range uint64(10) {
			table.Install(id, seq, func(*int) (int, Size, bool) { return 0, Size{100, 50}, true })
			if id%2 == 0 {
				table.Touch(id, seq+1, func(*int) (int, Size, Outcome) { return 0, Size{120, 60}, Succeeded })
			}
		}
	}
	if st := b.Stats(); st.Rows != 10 || st.Bytes == 0 {
		t.Errorf("full: %+v", st)
	}
	for id := range uint64(10) {
		for !table.evict(id, true) {
		}
	}
	if st := b.Stats(); st.Rows != 0 || st.Bytes != 0 {
		t.Errorf("empty: %+v", st)
	}
}

// A reset leaves no row, of whatever page, and room for others.
func TestTable_Reset(t *testing.T) {
	b := NewBudget(1 << 20)
	table := NewTable[int](b, &Commits{})
	ids := []uint64{0, 1, 7, pageSize - 1, pageSize, pageSize + 3}
	for round := range uint64(2) {
		for _, id := range ids {
			table.Install(id, round, func(*int) (int, Size, bool) { return 0, Size{100, 50}, true })
			if !table.holds(id) {
				t.Fatalf("row %d is not kept", id)
			}
		}
		table.Reset(round + 1)
		for _, id := range ids {
			if table.holds(id) {
				t.Errorf("row %d is there", id)
			}
		}
		if st := b.Stats(); st.Rows != 0 || st.Bytes != 0 {
			t.Errorf("after %d: %+v", round, st)
		}
	}
}

// Dropped rows leave nothing behind, nor does the queue grow with them.
func TestTable_DropFreesPages(t *testing.T) {
	b := NewBudget(1 << 30)
	table := NewTable[int](b, &Commits{})
	const rows = 10_000
	for round := range uint64(20) {
		for id := round * rows; id < (round+1)*rows; id++ {
			table.Install(id, id, func(*int) (int, Size, bool) { return 0, Size{100, 50}, true })
			table.Touch(id, id+1, func(*int) (int, Size, Outcome) { return 0, Size{120, 60}, Succeeded })
		}
		if st := b.Stats(); st.Rows != rows || st.Bytes < rows*(pageBytes/pageSize) {
			t.Fatalf("round %d: %+v", round, st)
		}
		for id := round * rows; id < (round+1)*rows; id++ {
			table.Drop(id, (round+1)*rows)
		}
		if st := b.Stats(); st.Rows != 0 || st.Bytes != 0 {
			t.Fatalf("round %d, dropped: %+v", round, st)
		}
		for i, pages := 0, *table.pages.Load(); i < len(pages); i++ {
			if pages[i].Load() != nil {
				t.Fatalf("round %d: page %d is left", round, i)
			}
		}
	}
	if left := len(b.queue) - b.head; left > 3*rows {
		t.Errorf("the queue holds %d rows", left)
	}
}

// Pages come and go under the hands of many.
func TestTable_PagesUnderContention(t *testing.T) {
	b := NewBudget(1 << 30)
	table := NewTable[uint64](b, &Commits{})
	var seq atomic.Uint64
	var wg sync.WaitGroup
	for w := range uint64(4) {
		wg.Go(func() {
			for i := range uint64(20_000) {
				id := (i*7 + w) % 600
				table.Install(id, seq.Load(), func(*uint64) (uint64, Size, bool) { return id, Size{100, 50}, true })
				if row := table.Get(id, seq.Load()); row != nil && *row != id {
					t.Errorf("row %d is %d", id, *row)
				}
				table.Drop(id, seq.Add(1))
			}
		})
	}
	wg.Wait()
	for id := range uint64(600) {
		table.Drop(id, seq.Add(1))
	}
	if st := b.Stats(); st.Rows != 0 || st.Bytes != 0 {
		t.Errorf("%+v", st)
	}
}

func TestBudget_EvictsWhatIsNotUsed(t *testing.T) {
	b := NewBudget(100*(versionBytes+100) + 4*pageBytes)
	table := NewTable[int](b, &Commits{})
	offer := func(id uint64) {
		table.Install(id, 1, func(*int) (int, Size, bool) { return 0, Size{100, 100}, true })
	}
	for id := range uint64(50) {
		offer(id)
	}
	for id := uint64(1000); id < 3000; id++ {
		offer(id)
		for hot := range uint64(50) {
			table.Get(hot, 1)
		}
	}
	for hot := range uint64(50) {
		if table.Get(hot, 1) == nil {
			t.Fatalf("row %d, in use all the time, was evicted", hot)
		}
	}
	if st := b.Stats(); st.Bytes > b.Max() || st.Evicted < 1900 {
		t.Errorf("%+v", st)
	}
}

// The bound holds though every row is in use.
func TestBudget_HoldsWhenAllIsUsed(t *testing.T) {
	b := NewBudget(1000*(versionBytes+100) + 12*pageBytes)
	table := NewTable[int](b, &Commits{})
	for id := range uint64(3000) {
		table.Install(id, 1, func(*int) (int, Size, bool) { return 0, Size{100, 100}, true })
		for used := range id + 1 {
			table.Get(used, 1)
		}
		if st := b.Stats(); st.Bytes > b.Max() {
			t.Fatalf("%d rows: %d of %d bytes", id+1, st.Bytes, b.Max())
		}
	}
}

// A row that is greater than those around it has as many of them go as it takes, however many
// places in the queue are of rows that are gone already.
func TestBudget_HoldsBehindEachRow(t *testing.T) {
	b := NewBudget(1 << 20)
	table := NewTable[int](b, &Commits{})
	install := func(id uint64, size int64) {
		t.Helper()
		table.Install(id, 1, func(*int) (int, Size, bool) { return 0, Size{size, size}, true })
		table.Get(id, 1)
		if st := b.Stats(); st.Bytes > b.max {
			t.Fatalf("behind row %d the budget of %d holds %d bytes", id, b.max, st.Bytes)
		}
	}
	for id := range uint64(1000) {
		install(id, 10)
	}
	for id := range uint64(1000) {
		table.Drop(id, 1)
	}
	for id := range uint64(10_000) {
		install(id, 100)
		if id%1000 == 0 {
			install(1<<20+id, b.max/4)
		}
	}
}

func TestTable_GetAllocatesNothing(t *testing.T) {
	table := NewTable[int](NewBudget(1<<20), &Commits{})
	table.Install(5, 1, func(*int) (int, Size, bool) { return 7, Size{}, true })
	if n := testing.AllocsPerRun(100, func() {
		if table.Get(5, 1) == nil || table.Get(6, 1) != nil {
			t.Error("wrong row")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Stores number their commits apart: those of one say nothing about rows of another.
func TestTable_StoresDoNotMix(t *testing.T) {
	b := NewBudget(1 << 20)
	ahead, behind := NewTable[int](b, &Commits{}), NewTable[int](b, &Commits{})
	for id := range uint64(4 * touchCount) {
		ahead.Touch(id, 1_000_000+id, nil)
	}
	for id := range uint64(50) {
		if !behind.Install(id, 5, func(*int) (int, Size, bool) { return 0, Size{}, true }) {
			t.Fatalf("row %d of the store behind was refused", id)
		}
	}
}
