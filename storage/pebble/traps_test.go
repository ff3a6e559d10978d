package pebble_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	pebbledb "github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// The tests of this file hold the traps of an embedded Pebble closed.

func put(t testing.TB, s *pebble.Store, key, value string) {
	t.Helper()
	if err := tryPut(t.Context(), s, key, value); err != nil {
		t.Fatal(err)
	}
}

func tryPut(ctx context.Context, s *pebble.Store, key, value string) error {
	tx, err := s.Begin(ctx, storage.TxOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close() }()
	if err := tx.Set([]byte(key), []byte(value)); err != nil {
		return err
	}
	_, err = tx.Commit(ctx)
	return err
}

func value(t testing.TB, s *pebble.Store, key string) string {
	t.Helper()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = snap.Close() }()
	v, err := snap.Get([]byte(key))
	if errors.Is(err, storage.ErrNotFound) {
		return "-"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(v)
}

func closeStore(t testing.TB, s *pebble.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestFormatMajorVersion: the default is the oldest format, whose log takes damage for
// its end; the newest moves a store up for good.
func TestFormatMajorVersion(t *testing.T) {
	s := open(t, dataDir, quiet(vfs.NewMem()))
	defer closeStore(t, s)
	v := s.DB().FormatMajorVersion()
	if v != pebbledb.FormatTableFormatV6 || v < pebbledb.FormatWALSyncChunks {
		t.Fatalf("format major version is %d", v)
	}
}

// crashedWith returns the disk after n synced commits, a tick and a crash.
func crashedWith(t *testing.T, n int) *vfs.MemFS {
	t.Helper()
	mem := vfs.NewCrashableMem()
	s := open(t, dataDir, quiet(mem))
	for i := range n {
		put(t, s, fmt.Sprint("key", i), strings.Repeat("v", 100))
	}
	s.Tick()
	disk := mem.CrashClone(vfs.CrashCloneCfg{})
	closeStore(t, s)
	return disk
}

// lastLog returns the path of the newest log.
func lastLog(t *testing.T, fs vfs.FS) string {
	t.Helper()
	names, err := fs.List(dataDir + "/db")
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, n := range names {
		if strings.HasSuffix(n, ".log") {
			last = max(last, n)
		}
	}
	return dataDir + "/db/" + last
}

// damage rewrites a file.
func damage(t *testing.T, fs vfs.FS, name string, change func([]byte) []byte) {
	t.Helper()
	f, err := fs.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close() // was only read
	if f, err = fs.Create(name, vfs.WriteCategoryUnspecified); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(change(b)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestWatermark: damage in the tail of the log, which Pebble takes for its end, is
// found because the watermark knows better. Every cut and flip must be refused.
func TestWatermark(t *testing.T) {
	const commits = 200
	disk := crashedWith(t, commits)
	log := lastLog(t, disk)
	st, err := disk.Stat(log)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for at := int64(64); at < st.Size(); at += 997 {
		for kind, change := range map[string]func([]byte) []byte{
			"flip": func(b []byte) []byte { b[at] ^= 1; return b },
			"cut":  func(b []byte) []byte { return b[:at] },
			"zero": func(b []byte) []byte { clear(b[at:min(at+512, int64(len(b)))]); return b },
		} {
			copied := disk.CrashClone(vfs.CrashCloneCfg{})
			damage(t, copied, log, change)
			s, err := pebble.Open(dataDir, quiet(copied))
			switch {
			case err == nil: // the tail of a log is zeros beyond the last record
				if got := s.Seq(); got != commits || value(t, s, "key199") == "-" {
					t.Fatalf("%s at %d: opened with %d of %d commits", kind, at, got, commits)
				}
				closeStore(t, s)
			case !errors.Is(err, storage.ErrCorrupt):
				t.Fatalf("%s at %d: %v", kind, at, err)
			case strings.Contains(err.Error(), "DATA LOSS: recovered"):
				lost++
			}
		}
	}
	if lost == 0 {
		t.Fatal("no damage was found by the watermark alone")
	}
	t.Logf("%d damages were found by the watermark alone", lost)
}

// syncGate is a file system whose log syncs can be held up.
type syncGate struct {
	held    atomic.Bool
	reached chan struct{}
	release chan struct{}
}

func (g *syncGate) String() string { return "sync gate" }

func (g *syncGate) MaybeError(op errorfs.Op) error {
	if g.held.Load() && strings.HasSuffix(op.Path, ".log") && (op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData) {
		g.reached <- struct{}{}
		<-g.release
	}
	return nil
}

// TestNotVisibleBeforeDurable holds the sync of the log: meanwhile no reader sees the
// commit, no listener hears of it and nobody is answered.
func TestNotVisibleBeforeDurable(t *testing.T) {
	mem := vfs.NewCrashableMem()
	g := &syncGate{reached: make(chan struct{}), release: make(chan struct{})}
	s := open(t, dataDir, quiet(errorfs.Wrap(mem, g)))
	put(t, s, "k", "old")
	heard := make(chan uint64, 2)
	s.OnCommit(func(c storage.Commit) { heard <- c.Seq })
	g.held.Store(true)
	answer := make(chan error, 1)
	go func() { answer <- tryPut(context.Background(), s, "k", "new") }()
	<-g.reached
	if got := value(t, s, "k"); got != "old" {
		t.Errorf("a reader sees %q before it is durable", got)
	}
	if s.Seq() != 1 {
		t.Errorf("commit %d is published before it is durable", s.Seq())
	}
	tx, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := tx.Get([]byte("k")); string(v) != "old" {
		t.Errorf("a transaction sees %q, %v before it is durable", v, err)
	}
	select {
	case seq := <-heard:
		t.Errorf("a listener heard of commit %d before it is durable", seq)
	case err := <-answer:
		t.Errorf("answered with %v before it is durable", err)
	case <-time.After(20 * time.Millisecond): // an answer would be under way by now
	}
	if err := tx.Close(); err != nil {
		t.Fatal(err)
	}
	g.held.Store(false)
	close(g.release)
	if err := <-answer; err != nil {
		t.Fatal(err)
	}
	if got := value(t, s, "k"); got != "new" {
		t.Errorf("after the answer a reader sees %q", got)
	}
	closeStore(t, s)
}

// TestUndetermined: a commit whose context ends while it waits for the disk has an
// unknown outcome; one that was not begun has not. The listeners hear what it wrote,
// though its transaction is long over.
func TestUndetermined(t *testing.T) {
	g := &syncGate{reached: make(chan struct{}), release: make(chan struct{})}
	o := quiet(errorfs.Wrap(vfs.NewMem(), g))
	o.CommitWait = time.Millisecond
	s := open(t, dataDir, o)
	heard := ""
	s.OnCommit(func(c storage.Commit) {
		c.Each(func(x storage.Change) { heard += string(x.Key) + "=" + string(x.Value) + " " })
	})
	g.held.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- tryPut(ctx, s, "first", "1") }()
	<-g.reached
	go func() { second <- tryPut(ctx, s, "second", "2") }()
	for s.Metrics().Queue == 0 { // until the second one waits
		runtime.Gosched()
	}
	cancel()
	if err := <-first; !errors.Is(err, storage.ErrUndetermined) {
		t.Errorf("under way: %v", err)
	}
	if err := <-second; !errors.Is(err, context.Canceled) || errors.Is(err, storage.ErrUndetermined) {
		t.Errorf("queued: %v", err)
	}
	for range 8 { // would take over the memory of the first one's writes
		tx, err := s.Begin(t.Context(), storage.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(tx.Set([]byte("other"), []byte("x")), tx.Close()); err != nil {
			t.Fatal(err)
		}
	}
	g.held.Store(false)
	close(g.release)
	put(t, s, "third", "3")
	if heard != "first=1 third=3 " {
		t.Errorf("the listener heard %q", heard)
	}
	if got := value(t, s, "first") + value(t, s, "second"); got != "1-" {
		t.Errorf("first and second are %q", got)
	}
	closeStore(t, s)
}

// TestConflictWithinGroup: two that conflict wait for the same sync; one of them loses
// to the other, which nobody has seen yet.
func TestConflictWithinGroup(t *testing.T) {
	g := &syncGate{reached: make(chan struct{}), release: make(chan struct{})}
	s := open(t, dataDir, quiet(errorfs.Wrap(vfs.NewMem(), g)))
	txs := make([]storage.Tx, 2)
	for i := range txs {
		tx, err := s.Begin(t.Context(), storage.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Get([]byte("x")); !errors.Is(err, storage.ErrNotFound) {
			t.Fatal(err)
		}
		if err := tx.Set([]byte("x"), fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
		txs[i] = tx
	}
	g.held.Store(true)
	answers := make(chan error, 3)
	go func() { answers <- tryPut(context.Background(), s, "first", "1") }()
	<-g.reached
	for _, tx := range txs {
		go func() {
			_, err := tx.Commit(context.Background())
			answers <- err
		}()
	}
	for s.Metrics().Queue < 2 { // until both wait
		runtime.Gosched()
	}
	g.held.Store(false)
	close(g.release)
	lost := 0
	for range 3 {
		if err := <-answers; errors.Is(err, storage.ErrConflict) {
			lost++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if m := s.Metrics(); lost != 1 || m.Groups != 2 {
		t.Errorf("%d lost in %d groups", lost, m.Groups)
	}
	closeStore(t, s)
}

// TestReadsDoNotMove: Pebble's Batch sees commits made after it; a Tx does not.
func TestReadsDoNotMove(t *testing.T) {
	s := open(t, "", pebble.Options{Layout: table.Layout, InMemory: true})
	defer closeStore(t, s)
	put(t, s, "a", "1")
	tx, err := s.Begin(t.Context(), storage.TxOptions{Isolation: storage.SnapshotIsolation})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Close() }()
	if err := tx.Set([]byte("own"), []byte("1")); err != nil {
		t.Fatal(err)
	}
	put(t, s, "a", "2")
	put(t, s, "b", "2")
	if v, _ := tx.Get([]byte("a")); string(v) != "1" {
		t.Errorf("Get shows %q", v)
	}
	it := tx.Scan(storage.ScanOptions{From: []byte("a")})
	got := ""
	for it.Next() {
		got += string(it.Key()) + "=" + string(it.Value()) + " "
	}
	if err := it.Close(); err != nil || got != "a=1 own=1 " {
		t.Errorf("Scan shows %q, %v", got, err)
	}
}

// mortal returns options whose store "exits" by telling died; the goroutine ends as
// the process would.
func mortal(fs vfs.FS) (o pebble.Options, died chan int) {
	o = quiet(fs)
	died = make(chan int, 8)
	o.Exit = func(code int) { died <- code }
	return o, died
}

// TestLogFailureEndsTheProcess: after a failed write or sync of the log nothing is
// answered, neither the commit nor any read.
func TestLogFailureEndsTheProcess(t *testing.T) {
	for _, kind := range []errorfs.OpKind{errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileWrite} {
		for _, fault := range []error{syscall.EIO, syscall.ENOSPC} {
			t.Run(fmt.Sprint(kind, fault), func(t *testing.T) { testLogFailure(t, kind, fault) })
		}
	}
}

func testLogFailure(t *testing.T, kind errorfs.OpKind, fault error) {
	mem := vfs.NewCrashableMem()
	var failing atomic.Bool
	var seen atomic.Int32
	o, died := mortal(errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if failing.Load() && op.Kind == kind && strings.HasSuffix(op.Path, ".log") {
			seen.Add(1)
			return fault
		}
		return nil
	})))
	s := open(t, dataDir, o)
	put(t, s, "k", "old")
	failing.Store(true)
	err := tryPut(t.Context(), s, "k", "new")
	if seen.Load() == 0 { // the log is synced the other way
		failing.Store(false)
		closeStore(t, s)
		return
	}
	if !errors.Is(err, storage.ErrUndetermined) && !errors.Is(err, storage.ErrReadOnly) {
		t.Fatalf("the commit answers %v", err)
	}
	if code := <-died; code != 1 {
		t.Errorf("exit code %d", code)
	}
	if _, err := s.Snapshot(); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("a snapshot after the failure: %v", err)
	}
	if _, err := s.Begin(t.Context(), storage.TxOptions{}); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("begin after the failure: %v", err)
	}
	if err := s.Close(); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("close after the failure: %v", err)
	}
	disk := mem.CrashClone(vfs.CrashCloneCfg{})
	again := open(t, dataDir, quiet(disk))
	if got := value(t, again, "k"); got != "old" {
		t.Errorf("after the restart %q", got)
	}
	closeStore(t, again)
}

// TestCloseIsPatient: readers left open make Pebble panic when it closes. Close waits,
// then says so, and the last reader closes the database.
func TestCloseIsPatient(t *testing.T) {
	mem := vfs.NewMem()
	o := quiet(mem)
	o.CloseWait = 10 * time.Millisecond
	s := open(t, dataDir, o)
	put(t, s, "a", "1")
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	it := snap.Scan(storage.ScanOptions{From: []byte("a")})
	if !it.Next() {
		t.Fatal("nothing there")
	}
	tx, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Set([]byte("b"), []byte("2")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "2 readers still open") {
		t.Fatalf("Close with readers open: %v", err)
	}
	if _, err := s.Begin(t.Context(), storage.TxOptions{}); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("begin after Close: %v", err)
	}
	if _, err := tx.Commit(t.Context()); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("commit after Close: %v", err)
	}
	if string(it.Key()) != "a" {
		t.Errorf("the iterator shows %q", it.Key())
	}
	if err := errors.Join(it.Close(), snap.Close()); err != nil {
		t.Fatal(err)
	}
	var again *pebble.Store
	for again == nil { // until the last reader's close has released the lock
		runtime.Gosched()
		again, err = pebble.Open(dataDir, quiet(mem))
		if err != nil && !errors.Is(err, storage.ErrLocked) {
			t.Fatal(err)
		}
	}
	if got := value(t, again, "a") + value(t, again, "b"); got != "1-" {
		t.Errorf("after all %q", got)
	}
	closeStore(t, again)
}

// TestCloseWaits: a transaction that ends in time is not cut off.
func TestCloseWaits(t *testing.T) {
	s := open(t, dataDir, quiet(vfs.NewMem()))
	tx, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Set([]byte("a"), nil); err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	for { // until Close has begun
		snap, err := s.Snapshot()
		if err != nil {
			break
		}
		_ = snap.Close()
	}
	if _, err := tx.Commit(t.Context()); err != nil {
		t.Errorf("a commit while closing: %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// TestCleanStopLeavesNoLog: after a clean stop the log's tail holds nothing that could
// be lost, and the watermark is exact.
func TestCleanStopLeavesNoLog(t *testing.T) {
	mem := vfs.NewMem()
	s := open(t, dataDir, quiet(mem))
	for i := range 50 {
		put(t, s, fmt.Sprint("k", i), "v")
	}
	closeStore(t, s)
	log := lastLog(t, mem)
	damage(t, mem, log, func(b []byte) []byte { return nil })
	s = open(t, dataDir, quiet(mem))
	if m := s.Metrics(); m.Seq != 50 || m.Watermark != 50 || value(t, s, "k49") != "v" {
		t.Errorf("after a clean stop and the loss of the log: commit %d, watermark %d", m.Seq, m.Watermark)
	}
	closeStore(t, s)
}

// TestLocked starts another process on the same directory.
func TestLocked(t *testing.T) {
	if dir := os.Getenv("GREMLIND_TEST_LOCKED"); dir != "" {
		_, err := pebble.Open(dir, pebble.Options{Layout: table.Layout})
		if errors.Is(err, storage.ErrLocked) {
			os.Exit(4)
		}
		os.Exit(0)
	}
	dir := t.TempDir()
	s := open(t, dir, pebble.Options{Layout: table.Layout, BallastBytes: -1, DiskReserve: -1})
	defer closeStore(t, s)
	if _, err := pebble.Open(dir, pebble.Options{Layout: table.Layout}); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("a second open in this process: %v", err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestLocked$")
	cmd.Env = append(os.Environ(), "GREMLIND_TEST_LOCKED="+dir)
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 4 {
		t.Errorf("another process: %v", err)
	}
	put(t, s, "still", "works")
}

// TestReadOnlyDirectory: a directory that cannot be written is a clear error.
func TestReadOnlyDirectory(t *testing.T) {
	for _, fault := range []error{syscall.EROFS, syscall.EACCES} {
		mem := vfs.NewMem()
		closeStore(t, open(t, dataDir, quiet(mem)))
		fs := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && op.Kind != errorfs.OpMkdirAll {
				return &os.PathError{Op: "open", Path: op.Path, Err: fault}
			}
			return nil
		}))
		_, err := pebble.Open(dataDir, quiet(fs))
		if !errors.Is(err, storage.ErrReadOnly) {
			t.Errorf("%v: %v", fault, err)
		}
	}
}

// TestLogger: Pebble's talk goes to the log, not to standard error.
func TestLogger(t *testing.T) {
	var out strings.Builder
	o := pebble.Options{Layout: table.Layout, InMemory: true, Logger: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	closeStore(t, open(t, "", o))
	if !strings.Contains(out.String(), "pebble:") {
		t.Errorf("the log is %q", out.String())
	}
}
