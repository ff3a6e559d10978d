package main

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
)

// TestImport_LabelTTL: what is imported is added, and ends when elements of its label do, into an
// empty graph and beside others, with and without a server, and by io().
func TestImport_LabelTTL(t *testing.T) {
	definitions := writeFile(t, "definitions.json", `{"ttl": [{"class": "vertex", "label": "session", "ttl": "PT1H"}, {"class": "edge", "label": "of", "ttl": "PT1M"}]}`)
	vertices := writeFile(t, "v.csv", "~id,~label,name\n1,session,a\n2,user,b\n3,session,c\n")
	edges := writeFile(t, "e.csv", "~id,~from,~to,~label\n4,1,2,of\n5,3,2,for\n")
	want := func(p *process, times int) {
		t.Helper()
		for what, n := range map[string]int{"V().hasLabel('session')": 2, "V().hasLabel('user')": 0, "E().hasLabel('of')": 1, "E().hasLabel('for')": 0} {
			if _, text := p.post(t, "g."+what+".values('~expires').count()"); text != fmt.Sprint("==>", n*times) {
				t.Errorf("%s: %s expire, want %d", what, text, n*times)
			}
		}
	}
	dir := t.TempDir()
	wantDone(t, "import", "--data-dir", dir, "--definitions", definitions, vertices, edges)
	wantChecked(t, dir)
	more := writeFile(t, "more.csv", "~id,~label,name\n11,session,a\n12,user,b\n13,session,c\n")
	moreEdges := writeFile(t, "moreedges.csv", "~id,~from,~to,~label\n14,11,12,of\n15,13,12,for\n")
	wantDone(t, "import", "--data-dir", dir, more, moreEdges)
	p := serve(t, "--data-dir", dir)
	want(p, 2)
	p.stop(syscall.SIGTERM)
	wantChecked(t, dir)

	dir = t.TempDir()
	files := t.TempDir()
	p = serve(t, "--data-dir", dir, "--io-dir", files)
	wantDone(t, "import", "--data-dir", dir, "--definitions", definitions, vertices, edges)
	want(p, 1)
	wantDone(t, "export", "--data-dir", dir, filepath.Join(files, "x.json"))
	for _, q := range []string{"g.V().drop().iterate()", "g.io('x.json').read().iterate()"} {
		if code, text := p.post(t, q); code != 200 {
			t.Fatal(q, text)
		}
	}
	want(p, 1)
	p.stop(syscall.SIGTERM)
	wantChecked(t, dir)
}
