package storagetest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage"
)

// anomalies returns what is wrong with a history under a level, nothing when it is
// right. Names are Adya's, with -realtime when the cycle needs the order of time.
//
//	G0        a cycle of ww
//	G1c       a cycle of ww and wr
//	G-single  a cycle with one rw
//	G2        a cycle with several rw: allowed under snapshot isolation
//
// Under committed isolation cycles with rw are allowed, and every snapshot is compared
// with what had been committed.
func (h *history) anomalies(level storage.Isolation) []string {
	h.build()
	found := h.bad
	for _, c := range []struct {
		name  string
		kinds edgeKind
	}{{"G0", ww}, {"G1c", ww | wr}, {"G1c-realtime", ww | wr | rt}} {
		if cycle := h.cycle(c.kinds); cycle != "" {
			return append(found, c.name+": "+cycle)
		}
	}
	if level == storage.CommittedIsolation {
		return append(found, h.stale()...)
	}
	for _, c := range []struct {
		name  string
		kinds edgeKind
	}{{"G-single", ww | wr}, {"G-single-realtime", ww | wr | rt}} {
		if cycle := h.cycleWithOne(rw, c.kinds); cycle != "" {
			return append(found, c.name+": "+cycle)
		}
	}
	if level == storage.SnapshotIsolation {
		return found
	}
	for _, c := range []struct {
		name  string
		kinds edgeKind
	}{{"G2", ww | wr | rw}, {"G2-realtime", ww | wr | rw | rt}} {
		if cycle := h.cycle(c.kinds); cycle != "" {
			return append(found, c.name+": "+cycle)
		}
	}
	return append(found, h.replay()...)
}

// stale returns the reads that did not see the newest version of their snapshot, and the
// writes that went over one behind it: lost updates of what was written.
func (h *history) stale() (bad []string) {
	type left struct {
		by      *record
		version int
	}
	versions := map[string][]left{}
	for _, r := range h.records {
		if r.committed {
			for _, key := range r.keys() {
				versions[key] = append(versions[key], left{r, r.leaves(key)})
			}
		}
	}
	for _, r := range h.records {
		if !r.committed {
			continue
		}
		for i, o := range r.reads {
			newest := left{by: &record{}}
			for _, v := range versions[o.key] {
				if v.by.seq <= r.readAt[i] && v.by.seq > newest.by.seq {
					newest = v
				}
			}
			if newest.version != o.version {
				bad = append(bad, fmt.Sprintf("transaction %d at commit %d read %s=%d where it is %d", r.id, r.readAt[i], o.key, o.version, newest.version))
			}
		}
		for i, w := range r.writes {
			for _, v := range versions[w.key] {
				if v.by.seq > r.wroteAt[i] && v.by.seq < r.seq {
					bad = append(bad, fmt.Sprintf("lost update: transaction %d (commit %d) wrote %s at commit %d over that of %d", r.id, r.seq, w.key, r.wroteAt[i], v.by.seq))
				}
			}
		}
	}
	return bad
}

// cycle describes a cycle of the given kinds of edges, "" when there is none.
func (h *history) cycle(kinds edgeKind) string {
	const (
		unseen = iota
		onPath
		finished
	)
	state := make([]uint8, len(h.edges))
	type frame struct{ node, next int }
	for root := range h.edges {
		if state[root] != unseen {
			continue
		}
		path := []frame{{node: root}}
		state[root] = onPath
		for len(path) > 0 {
			f := &path[len(path)-1]
			if f.next == len(h.edges[f.node]) {
				state[f.node] = finished
				path = path[:len(path)-1]
				continue
			}
			e := h.edges[f.node][f.next]
			f.next++
			if e.kind&kinds == 0 || state[e.to] == finished {
				continue
			}
			if state[e.to] == onPath {
				var nodes []int
				for i := len(path) - 1; ; i-- {
					nodes = append([]int{path[i].node}, nodes...)
					if path[i].node == e.to {
						return h.describe(append(nodes, e.to), kinds)
					}
				}
			}
			state[e.to] = onPath
			path = append(path, frame{node: e.to})
		}
	}
	return ""
}

// cycleWithOne describes a cycle of one edge of kind one and others of kinds rest.
func (h *history) cycleWithOne(one, rest edgeKind) string {
	for from := range h.edges {
		for _, e := range h.edges[from] {
			if e.kind&one == 0 {
				continue
			}
			if path := h.path(e.to, from, rest); path != nil {
				return fmt.Sprintf("%d -%s-> %s", from, one, h.describe(path, rest))
			}
		}
	}
	return ""
}

// path returns the nodes of a shortest path, nil when there is none.
func (h *history) path(from, to int, kinds edgeKind) []int {
	back := map[int]int{from: from}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if n == to {
			path := []int{n}
			for n != from {
				n = back[n]
				path = append([]int{n}, path...)
			}
			return path
		}
		for _, e := range h.edges[n] {
			if _, seen := back[e.to]; !seen && e.kind&kinds != 0 {
				back[e.to] = n
				queue = append(queue, e.to)
			}
		}
	}
	return nil
}

func (h *history) describe(nodes []int, kinds edgeKind) string {
	var s strings.Builder
	for i, n := range nodes {
		if i > 0 {
			var k edgeKind
			for _, e := range h.edges[nodes[i-1]] {
				if e.to == n {
					k |= e.kind & kinds
				}
			}
			fmt.Fprintf(&s, " -%s-> ", k)
		}
		fmt.Fprint(&s, n)
	}
	return s.String()
}

// replay runs the committed transactions one after the other in the order of their
// commit numbers: every read must see what it saw. A reader stands at its snapshot.
func (h *history) replay() []string {
	state := map[string]int{}
	at := map[uint64][]*record{}
	for _, r := range h.records {
		if !r.committed {
			continue
		}
		place := r.start // sees everything up to it
		if len(r.writes) > 0 {
			place = r.seq - 1
		}
		at[place] = append(at[place], r)
	}
	var bad []string
	for _, place := range slices.Sorted(maps.Keys(at)) {
		for _, r := range at[place] {
			for _, o := range r.reads {
				if state[o.key] != o.version {
					bad = append(bad, fmt.Sprintf("replay: transaction %d (commit %d) read %s=%d where it is %d",
						r.id, r.seq, o.key, o.version, state[o.key]))
				}
			}
		}
		for _, r := range at[place] {
			for _, w := range r.writes {
				state[w.key] = w.version
			}
		}
	}
	return bad
}
