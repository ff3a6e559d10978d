package blueprints

import (
	"slices"
	"sync"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// columnAheadPieces is how many pieces are read ahead, of fillMax elements each.
const columnAheadPieces = 3

// columnAhead is what comes next of a column that is read element by element. Another
// goroutine reads it while what came before is used; who needs a piece that this has not
// begun reads it itself, and who waits for one that it has begun reads another.
type columnAhead struct {
	columnName
	snap   storage.Snapshot // of the transaction
	fork   storage.Snapshot // of the other goroutine
	pieces []*columnPiece   // side by side, in their order
	spare  []*columnPiece
	next   uint64 // behind them
	last   uint64 // of the snapshot

	mu      sync.Mutex
	waiting []*columnPiece // that nobody has begun
	busy    bool           // there is another goroutine
	ended   sync.WaitGroup
}

// readAhead begins to read what lies behind an element.
func (c *column) readAhead(t *Tx, last uint64) error {
	snap := t.tx.Snapshot()
	fork, err := snap.Fork()
	if err != nil {
		return err
	}
	c.ahead = &columnAhead{columnName: c.columnName, snap: snap, fork: fork, next: last + 1}
	if c.ahead.last, err = t.lastOf(c.class); err != nil {
		return err
	}
	c.ahead.extend(t, last)
	return nil
}

// lastOf returns the element behind which the snapshot has none of a class.
func (t *Tx) lastOf(class table.Class) (uint64, error) {
	code, cell := table.Vertices, table.VertexCell
	if class == table.EdgeClass {
		code, cell = table.Edges, table.EdgeCell
	}
	from := table.AppendTable(nil, t.g.number, code)
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Reverse: true, Limit: 1})
	defer it.Close()
	if !it.Next() {
		return 0, it.Err()
	}
	id, _, ok := cell(it.Key())
	if !ok {
		return 0, corrupt("element", nil)
	}
	return id, nil
}

// covers reports whether elements side by side lie in what is read ahead, or just behind it.
func (a *columnAhead) covers(first, last uint64) bool {
	return len(a.pieces) > 0 && first >= a.pieces[0].first && last < a.next+fillMax
}

// extend has pieces read up to some behind id.
func (a *columnAhead) extend(t *Tx, id uint64) {
	for a.next <= a.last && (a.next <= id || len(a.pieces) < columnAheadPieces) {
		var p *columnPiece
		if n := len(a.spare); n > 0 {
			p, a.spare = a.spare[n-1], a.spare[:n-1]
		} else {
			p = &columnPiece{g: t.g}
		}
		if p.pay(t, fillMax) != nil {
			return
		}
		p.begin(a.columnName)
		p.first, p.read = a.next, make(chan struct{})
		for i := range uint64(fillMax) {
			p.ids = append(p.ids, a.next+i)
		}
		a.next += fillMax
		a.pieces = append(a.pieces, p)
		a.give(p)
	}
}

// give leaves a piece to who comes first.
func (a *columnAhead) give(p *columnPiece) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting = append(a.waiting, p)
	if !a.busy {
		a.busy = true
		a.ended.Add(1)
		go a.work()
	}
}

// work reads pieces until none waits.
func (a *columnAhead) work() {
	defer a.ended.Done()
	for p := a.begin(nil); p != nil; p = a.begin(nil) {
		p.readFrom(a.fork)
		close(p.read)
	}
}

// begin takes a piece that nobody has begun: p, or the first one; nil when there is none.
func (a *columnAhead) begin(p *columnPiece) *columnPiece {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := 0
	if p != nil {
		i = slices.Index(a.waiting, p)
	}
	if i < 0 || len(a.waiting) == 0 {
		if p == nil {
			a.busy = false
		}
		return nil
	}
	p = a.waiting[i]
	a.waiting = slices.Delete(a.waiting, i, i+1)
	return p
}

// find returns the piece that an element is in, and its place there, once it was read.
func (a *columnAhead) find(t *Tx, id uint64) (*columnPiece, int, error) {
	for len(a.pieces) > 0 && id >= a.pieces[0].first+fillMax {
		if len(a.pieces) == 1 {
			return nil, 0, nil
		}
		<-a.pieces[0].read
		a.spare = append(a.spare, a.pieces[0])
		a.pieces = slices.Delete(a.pieces, 0, 1)
		a.extend(t, id)
	}
	if len(a.pieces) == 0 || id < a.pieces[0].first {
		return nil, 0, nil
	}
	p := a.pieces[0]
	a.await(p)
	return p, int(id - p.first), p.err
}

// await returns when a piece was read.
func (a *columnAhead) await(p *columnPiece) {
	select {
	case <-p.read:
		return
	default:
	}
	for _, own := range a.pieces {
		select {
		case <-p.read:
			return
		default:
		}
		if a.begin(own) != nil {
			own.readFrom(a.snap)
			close(own.read)
		}
	}
	<-p.read
}

// forgetAhead ends the reading ahead.
func (c *column) forgetAhead(t *Tx) {
	a := c.ahead
	if a == nil {
		return
	}
	c.ahead = nil
	a.mu.Lock()
	a.waiting = nil
	a.mu.Unlock()
	a.ended.Wait()
	_ = a.fork.Close() // it has read nothing that anybody waits for
	for _, p := range append(a.pieces, a.spare...) {
		p.unpay(t)
	}
}
