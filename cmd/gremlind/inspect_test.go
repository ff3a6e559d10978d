package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// sizesOf is what inspect --sizes prints, by graph: vertices, edges, bytes.
func sizesOf(t *testing.T, dir string, args ...string) map[string][3]int {
	t.Helper()
	out, errs, code := run(t, append([]string{"inspect", "--sizes", "--data-dir", dir}, args...)...)
	if code != exitDone {
		t.Fatalf("inspect --sizes: exit %d: %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if got := strings.Join(strings.Fields(lines[0]), " "); got != "GRAPH VERTICES EDGES BYTES" {
		t.Fatalf("the head is %q", got)
	}
	all := map[string][3]int{}
	for _, line := range lines[1:] {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			t.Fatalf("the line %q has %d fields", line, len(fields))
		}
		var n [3]int
		for i := range n {
			var err error
			if n[i], err = strconv.Atoi(fields[i+1]); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		all[fields[0]] = n
	}
	return all
}

// TestInspectSizes: each graph of a directory that nobody uses is there with what it has
// and takes, or the one that is asked for.
func TestInspectSizes(t *testing.T) {
	dir := t.TempDir()
	var large strings.Builder
	large.WriteString("~id,~label,name:String\n")
	for i := range 20000 {
		fmt.Fprintf(&large, "v%d,person,%0100d\n", i, i)
	}
	edges := writeFile(t, "edges.csv", "~id,~from,~to,~label\ne,a,b,knows\n")
	for graph, files := range map[string][]string{
		"large": {writeFile(t, "large.csv", large.String())},
		"small": {writeFile(t, "small.csv", "~id,~label\na,person\nb,person\n"), edges},
	} {
		if _, errs, code := run(t, append([]string{"import", "--data-dir", dir, "--graph", graph}, files...)...); code != exitDone {
			t.Fatalf("import %s: exit %d: %s", graph, code, errs)
		}
	}
	all := sizesOf(t, dir)
	if l, s := all["large"], all["small"]; l[0] != 20000 || l[1] != 0 || s[0] != 2 || s[1] != 1 {
		t.Errorf("sizes are %v", all)
	} else if l[2] < 100_000 || s[2] >= l[2]/2 {
		t.Errorf("20,000 vertices take %d bytes, two %d", l[2], s[2])
	}
	if one := sizesOf(t, dir, "--graph", "small"); len(one) != 1 || one["small"] != all["small"] {
		t.Errorf("sizes of one graph are %v, of all %v", one, all)
	}
	if _, errs, code := run(t, "inspect", "--sizes", "--data-dir", dir, "--graph", "none"); code == exitDone || !strings.Contains(errs, "none") {
		t.Errorf("sizes of a graph that does not exist: exit %d: %s", code, errs)
	}
}
