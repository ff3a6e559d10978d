package pebble_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/smalldisk"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/storagetest"
)

// TestCrashByFaultAtEveryOperation fails the i-th operation of the file system, for
// every thirteenth i from the seed on, of which a plain run tries a third, until the whole workload passes. Inside Pebble some faults
// end the process by a panic that nothing can catch, so each run is a child process,
// which tells what it asked for and what was acknowledged. Each time there is success,
// or a clean error, or the end of the process; and the disk holds what it must.
func TestCrashByFaultAtEveryOperation(t *testing.T) {
	if text := os.Getenv("GREMLIND_TEST_FAULT"); text != "" {
		os.Exit(faultyChild(text))
	}
	storagetest.Seeds(t, 1, func(t *testing.T, seed uint64) {
		model := newWorkload(dataDir, quiet(vfs.NewMem()), storagetest.Rand(7))
		if err := model.run(faultSteps); err != nil {
			t.Fatal(err)
		}
		ends := map[int]int{} // by exit code
		for n, i := 0, int(seed%13); ; n, i = n+1, i+13 {
			if raced.Skips(n, 3) || raced.Leaves(n, 3) {
				continue
			}
			code := faultAt(t, model, i)
			if ends[code]++; code == 0 {
				break
			}
		}
		t.Logf("ends by exit code: %v", ends)
		if ends[childFailed] == 0 || ends[childSurvived] == 0 {
			t.Errorf("no variety: ends by exit code %v", ends)
		}
	})
}

// Exit codes of a child: 0 when no operation was left to fail.
const (
	childFailed   = 10 // with a clean error
	childSurvived = 11 // a fault did not matter
	faultSteps    = 13 // one round of all kinds of steps of a workload
)

// faultAt runs a child whose i-th operation fails and verifies what it leaves.
func faultAt(t *testing.T, model *workload, i int) int {
	t.Helper()
	dir := t.TempDir() + "/data"
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrashByFaultAtEveryOperation$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("GREMLIND_TEST_FAULT=%d %s", i, dir))
	out, err := cmd.Output()
	acked, issued := 0, 0
	for _, line := range strings.Split(string(out), "\n") {
		_, _ = fmt.Sscanf(line, "acked %d", &acked)
		_, _ = fmt.Sscanf(line, "issued %d", &issued)
	}
	if verr := model.verify(dir, quiet(nil), acked, issued); verr != nil {
		t.Fatalf("after a fault at operation %d (%v): %v", i, err, verr)
	}
	return cmd.ProcessState.ExitCode()
}

func faultyChild(text string) int {
	var i int32
	var dir string
	if _, err := fmt.Sscan(text, &i, &dir); err != nil {
		return 3
	}
	var left atomic.Int32
	left.Store(i)
	fault := []error{syscall.EIO, syscall.ENOSPC}[i%2]
	fs := errorfs.Wrap(vfs.Default, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind != errorfs.OpFileClose && left.Add(-1) == -1 {
			return &os.PathError{Op: "injected", Path: op.Path, Err: fault}
		}
		return nil
	}))
	w := newWorkload(dir, quiet(fs), storagetest.Rand(7))
	w.tell = func(what string, seq int) { fmt.Println(what, seq) }
	switch err := w.run(faultSteps); {
	case err != nil:
		return childFailed
	case left.Load() < 0:
		return childSurvived
	}
	return 0
}

// TestNearlyFullDisk: below the reserve writes are refused and reads are not; when
// space returns, writes go on without a restart.
func TestNearlyFullDisk(t *testing.T) {
	disk := smalldisk.New(vfs.NewMem(), 64<<20)
	o := quiet(disk)
	o.DiskReserve, o.BallastBytes = 16<<20, 8<<20
	s := open(t, dataDir, o)
	if _, err := disk.Stat(dataDir + "/BALLAST"); err != nil {
		t.Errorf("no ballast: %v", err)
	}
	put(t, s, "a", "1")
	disk.Used.Add(40 << 20) // somebody else's file
	s.Tick()
	err := tryPut(t.Context(), s, "b", "1")
	if !errors.Is(err, storage.ErrReadOnly) || !strings.HasPrefix(err.Error(), "disk full: server is read-only") {
		t.Errorf("a write to a nearly full disk: %v", err)
	}
	if value(t, s, "a") != "1" || !s.Metrics().ReadOnly {
		t.Error("a nearly full disk is not readable, or not shown")
	}
	disk.Used.Add(-40 << 20)
	s.Tick()
	put(t, s, "b", "2")
	closeStore(t, s)
}

// TestFullDisk fills the disk between two looks: the ballast lets the log write once
// more, nothing is lost and the process lives.
func TestFullDisk(t *testing.T) {
	disk := smalldisk.New(vfs.NewMem(), 64<<20)
	o := quiet(disk)
	o.DiskReserve, o.BallastBytes = 1<<20, 8<<20
	s := open(t, dataDir, o)
	put(t, s, "a", "1")
	empty := disk.Fill(0)
	put(t, s, "b", "in the ballast's place")
	if m := s.Metrics(); m.DiskFull != 1 || !m.ReadOnly {
		t.Errorf("after the ballast: %+v", m)
	}
	if err := tryPut(t.Context(), s, "c", "1"); !errors.Is(err, storage.ErrReadOnly) {
		t.Errorf("a write without ballast: %v", err)
	}
	empty()
	s.Tick()
	put(t, s, "c", "2")
	if _, err := disk.Stat(dataDir + "/BALLAST"); err != nil {
		t.Errorf("the ballast is not back: %v", err)
	}
	closeStore(t, s)
	s = open(t, dataDir, o)
	if got := value(t, s, "a") + value(t, s, "b") + value(t, s, "c"); got != "1in the ballast's place2" {
		t.Errorf("after all %q", got)
	}
	closeStore(t, s)
}
