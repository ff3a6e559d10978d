package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestServe_StartPages: a server at rest has less than half of its file resident. The file is written
// in small pieces, as a package's is: what a linker has just written may be in the kernel's cache as
// pages of 2 MB, of which each is resident as a whole with its first byte.
func TestServe_StartPages(t *testing.T) {
	b, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := os.OpenFile(filepath.Join(t.TempDir(), "gremlind"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	for piece := range slices.Chunk(b, 16<<10) {
		if _, err := copied.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := copied.Close(); err != nil {
		t.Fatal(err)
	}
	p := serveWith(t, copied.Name(), "serve", "--memory", "--port", "0", "--host", "127.0.0.1")
	most := len(b) / 2 >> 10
	waitFor(t, "pages are given back", func() bool { return residentFile(t, p.cmd.Process.Pid) < most })
}

func TestForgetStart(t *testing.T) {
	before := residentFile(t, os.Getpid())
	if err := forgetStart(); err != nil {
		t.Fatal(err)
	}
	if after := residentFile(t, os.Getpid()); after >= before {
		t.Errorf("%d kB of files are resident, before %d", after, before)
	}
}

// TestProgramPages: a part with a copied page, what can be written to and other files stay.
func TestProgramPages(t *testing.T) {
	const smaps = `00400000-00500000 r-xp 00000000 fe:00 7 /opt/gremlind
Rss:                1024 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
00500000-00600000 r--p 00100000 fe:00 7 /opt/gremlind
Anonymous:             4 kB
00600000-00700000 rw-p 00200000 fe:00 7 /opt/gremlind
Anonymous:             0 kB
00700000-00701000 r--p 00000000 fe:00 8 /lib/libc.so
Anonymous:             0 kB
00800000-00900000 r--p 00300000 fe:00 7 /opt/gremlind
Anonymous:             0 kB
`
	got, err := programPages(strings.NewReader(smaps), "/opt/gremlind")
	if want := []mapped{{0x400000, 0x500000}, {0x800000, 0x900000}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%x, %v; want %x", got, err, want)
	}
}

// residentFile is how much of files a process has resident, in kB.
func residentFile(t *testing.T, pid int) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "RssFile:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
