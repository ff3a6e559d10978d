package storagetest

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage"
)

//go:embed testdata/isolation.txt
var isolationScripts string

// interleaving is one case of testdata/isolation.txt; the syntax is described there.
type interleaving struct {
	name  string
	lines []string
}

func interleavings() []interleaving {
	var out []interleaving
	for _, line := range strings.Split(isolationScripts, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "case "):
			out = append(out, interleaving{name: line[len("case "):]})
		default:
			c := &out[len(out)-1]
			c.lines = append(c.lines, line)
		}
	}
	return out
}

var levels = map[string]storage.Isolation{
	"strict": storage.StrictSerializable, "snapshot": storage.SnapshotIsolation, "committed": storage.CommittedIsolation,
}

// runIsolation runs every interleaving on all levels. One that is never refreshed is the
// same under "committed" as under "snapshot".
func runIsolation(t *testing.T, open Open) {
	for _, c := range interleavings() {
		for level, isolation := range levels {
			t.Run(c.name+"/"+level, func(t *testing.T) {
				if isolation == storage.CommittedIsolation {
					level = "snapshot"
				}
				s := &script{bench: newBench(t, open), level: level, isolation: isolation, txs: map[string]*tx{}}
				for _, line := range c.lines {
					s.line = line
					s.run(line)
				}
			})
		}
	}
}

// script is an interleaving under way.
type script struct {
	*bench
	level     string
	isolation storage.Isolation
	txs       map[string]*tx
	line      string
}

func (s *script) run(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "init":
		t := s.begin(storage.TxOptions{})
		for _, pair := range strings.Fields(rest) {
			k, v, _ := strings.Cut(pair, "=")
			t.set(k, v)
		}
		t.commit()
	case "end":
		t := s.begin(storage.TxOptions{ReadOnly: true})
		s.same(t.scan(" ", "~"), s.forLevel(rest))
	default:
		s.step(word, rest)
	}
}

// forLevel picks what follows this level's name, or all when no level is named.
func (s *script) forLevel(text string) string {
	if !strings.Contains(text, "strict:") {
		return text
	}
	strict, snapshot, _ := strings.Cut(text, "snapshot:")
	if s.level == "snapshot" {
		return strings.TrimSpace(snapshot)
	}
	return strings.TrimSpace(strings.TrimPrefix(strict, "strict:"))
}

func (s *script) same(got, want string) {
	s.Helper()
	if got != want {
		s.Fatalf("%q (%s): got %q, want %q", s.line, s.level, got, want)
	}
}

func (s *script) step(id, rest string) {
	op, rest, _ := strings.Cut(rest, " ")
	t := s.txs[id]
	if t == nil {
		t = s.begin(storage.TxOptions{Isolation: s.isolation, ReadOnly: rest == "readonly"})
		s.txs[id] = t
	}
	args, want, _ := strings.Cut(rest, "=")
	f := strings.Fields(args)
	want = strings.TrimSpace(want)
	switch op {
	case "begin":
	case "get":
		s.same(readable(t.get(f[0])), want)
	case "scan":
		s.same(t.scan(f[0], f[1]), want)
	case "first", "last", "peek":
		s.same(s.part(t, op, f[0], f[1]), want)
	case "commit":
		s.commit(t, rest)
	case "abort":
		s.ok(t.Close())
	default:
		s.write(t, op, strings.Fields(rest))
	}
}

// readable writes a counter as #n, and says of a stamp that it is one.
func readable(v string) string {
	if len(v) == 8 && v[0] == 0 {
		return fmt.Sprintf("#%d", binary.BigEndian.Uint64([]byte(v)))
	}
	if len(v) == storage.StampSize && v[0] != 0 {
		return "stamp"
	}
	return v
}

func (s *script) part(t *tx, op, from, to string) string {
	it := t.Scan(storage.ScanOptions{From: []byte(from), To: []byte(to), Reverse: op == "last", Unobserved: op == "peek"})
	if op == "peek" {
		return drain(s, it)
	}
	got := ""
	if it.Next() {
		got = string(it.Key()) + "=" + string(it.Value())
	}
	s.ok(it.Close())
	return got
}

func (s *script) write(t *tx, op string, f []string) {
	switch op {
	case "set":
		t.set(f[0], f[1])
	case "same":
		t.ok(t.SetSame([]byte(f[0]), []byte(f[1])))
	case "new":
		t.ok(t.SetNew([]byte(f[0]), []byte(f[1])))
	case "stamp":
		t.stamp(f[0], blank, len(f[0]))
	case "stampkey":
		t.stamp(f[0]+blank, "", len(f[0]))
	case "del":
		t.del(f[0])
	case "delrange":
		t.delRange(f[0], f[1])
	case "guard":
		t.Guard([]byte(f[0]))
	case "merge":
		n, err := strconv.ParseInt(f[1], 10, 64)
		s.ok(err)
		t.merge(f[0], n)
	case "observe":
		var to []byte
		if len(f) > 1 {
			to = []byte(f[1])
		}
		t.Observe([]byte(f[0]), to)
	default:
		s.Fatalf("%q: unknown operation", s.line)
	}
}

func (s *script) commit(t *tx, want string) {
	for _, w := range strings.Fields(want) {
		level, result, named := strings.Cut(w, ":")
		if named && level == s.level {
			want = result
		}
	}
	_, err := t.Tx.Commit(context.Background())
	switch want {
	case "ok":
		if err != nil {
			s.Fatalf("%q (%s): %v", s.line, s.level, err)
		}
	case "conflict":
		if err == nil {
			s.Fatalf("%q (%s): no conflict", s.line, s.level)
		}
		s.is(err, storage.ErrConflict)
		if !strings.HasPrefix(err.Error(), "Conflict: element modified in another transaction") {
			s.Fatalf("the text of a conflict is %q", err)
		}
	default:
		s.Fatalf("%q: unknown result", s.line)
	}
}
