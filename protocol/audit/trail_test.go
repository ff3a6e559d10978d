package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// trail is a Trail with a clock of its own.
type trail struct {
	Trail
	log  bytes.Buffer
	file *File
	path string
	now  time.Time
	lost []error
}

func newTrail(t *testing.T) *trail {
	t.Helper()
	r := &trail{path: filepath.Join(t.TempDir(), "audit"), now: time.Unix(1e9, 0)}
	var err error
	if r.file, err = Open(r.path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.file.Close() })
	r.Init(slog.New(slog.NewTextHandler(&r.log, nil)), r.file, func(err error) { r.lost = append(r.lost, err) }, func() time.Time { return r.now })
	return r
}

// lines are those of the file, each of which is one JSON object.
func (r *trail) lines(t *testing.T, path string) []map[string]any {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []map[string]any
	for _, text := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		line := map[string]any{}
		if err := json.Unmarshal([]byte(text), &line); err != nil && text != "" {
			t.Fatalf("%q: %v", text, err)
		}
		if text != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestTrail(t *testing.T) {
	r := newTrail(t)
	r.Refused(Stranger, "authentication refused", "user", "eve", "why", errors.New("wrong"))
	r.Failed("request failed", "code", 597)
	r.Changed("user changed", "user", "bob")
	r.Asked("audit", "op", "eval")
	lines := r.lines(t, r.path)
	if len(lines) != 4 || lines[0]["user"] != "eve" || lines[0]["why"] != "wrong" || lines[1]["code"] != 597.0 || lines[2]["msg"] != "user changed" || lines[0]["time"] == nil {
		t.Errorf("got %v", lines)
	}
	if log := r.log.String(); strings.Count(log, "\n") != 2 || !strings.Contains(log, "user=eve") || !strings.Contains(log, "user=bob") {
		t.Errorf("the log: %s", log)
	}
	info, err := os.Stat(r.path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	var bare Trail
	var log bytes.Buffer
	bare.Init(slog.New(slog.NewTextHandler(&log, nil)), nil, nil, time.Now)
	bare.Refused(User, "a")
	bare.Failed("b")
	bare.Changed("c")
	bare.Asked("d")
	if bare.On() || strings.Count(log.String(), "\n") != 3 {
		t.Errorf("without a file: %s", &log)
	}
}

// What clients send makes one line, of a bounded length, whatever it is.
func TestTrail_Injection(t *testing.T) {
	r := newTrail(t)
	evil := "x\n{\"msg\":\"user changed\"}\r\n\x1b[2J\x00\u2028\xff\"" + strings.Repeat("\x01", 1<<20)
	r.Refused(Stranger, "authentication refused", "user", evil, "why", errors.New(evil))
	b, err := os.ReadFile(r.path)
	if err != nil || len(b) > 4<<10 || bytes.Count(b, []byte("\n")) != 1 || bytes.ContainsAny(b, "\x1b\x00\r") {
		t.Errorf("%d bytes: %.300q %v", len(b), b, err)
	}
	if len(r.lines(t, r.path)) != 1 {
		t.Error("several lines")
	}
}

// Refusals are bounded, those of strangers apart from those of users; changes are not.
func TestTrail_Bounds(t *testing.T) {
	r := newTrail(t)
	for range 10 * strangerLines {
		r.Refused(Stranger, "s")
	}
	for range 2 * userLines {
		r.Failed("u")
	}
	for range 2 * userLines {
		r.Changed("c")
	}
	count := map[any]int{}
	for _, l := range r.lines(t, r.path) {
		count[l["msg"]]++
	}
	if count["s"] != strangerLines || count["u"] != userLines || count["c"] != 2*userLines {
		t.Errorf("got %v", count)
	}
	r.now = r.now.Add(time.Second)
	r.Refused(Stranger, "s")
	lines := r.lines(t, r.path)
	if last := lines[len(lines)-1]; last["notLogged"] != float64(9*strangerLines) {
		t.Errorf("last: %v", last)
	}
}

// A file that is moved away is followed by a new one, and no line is lost or broken.
func TestFile_Reopen(t *testing.T) {
	r := newTrail(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range 250 {
				r.Changed("c", "n", fmt.Sprint(i, "-", j))
			}
		}()
	}
	var err error
	moved := []string{}
	for i := range 5 {
		to := fmt.Sprint(r.path, ".", i)
		err = errors.Join(err, os.Rename(r.path, to), r.file.Reopen())
		moved = append(moved, to)
	}
	wg.Wait()
	seen := map[any]bool{}
	for _, path := range append(moved, r.path) {
		for _, l := range r.lines(t, path) {
			seen[l["n"]] = true
		}
	}
	if err != nil || len(seen) != 1000 || len(r.lost) != 0 {
		t.Errorf("%d lines, lost %v, %v", len(seen), r.lost, err)
	}
	r.file.path = t.TempDir() // no file
	if err := r.file.Reopen(); err == nil {
		t.Error("a folder was opened")
	}
	r.Changed("still")
	if err := errors.Join(r.file.Close(), r.file.Close()); err != nil || len(r.lost) != 0 {
		t.Errorf("%v %v", err, r.lost)
	}
	if r.Changed("late"); len(r.lost) != 1 {
		t.Error("written when it was closed")
	}
}

// full is a disk that takes room bytes more.
type full struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("no space left on device")

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	f.room -= n
	_, _ = f.Buffer.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}
func (*full) Close() error { return nil }

// On a full disk lines are lost and counted, nobody waits, and what comes when there is
// room again stands on lines of its own.
func TestFile_FullDisk(t *testing.T) {
	r := newTrail(t)
	disk := &full{room: 30}
	r.file.f = disk
	for range 3 {
		r.Changed("lost")
	}
	disk.room = 1 << 20
	r.Changed("kept", "n", 1)
	r.Changed("kept", "n", 2)
	if len(r.lost) != 3 || !errors.Is(r.lost[0], errFull) {
		t.Errorf("lost %v", r.lost)
	}
	lines := strings.Split(strings.TrimSpace(disk.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("got %q", lines)
	}
	for _, l := range lines[1:] {
		if !json.Valid([]byte(l)) {
			t.Errorf("broken: %s", l)
		}
	}
}
