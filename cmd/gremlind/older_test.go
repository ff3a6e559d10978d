package main

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// TestExit_UnknownFeature: a directory whose graph uses a feature that came after this binary
// is refused with exit code 4 and the feature's name, by whatever opens it, and is left as it
// is. That each feature is written so is TestFeature_OlderPrograms'.
func TestExit_UnknownFeature(t *testing.T) {
	for name, call := range map[string]string{
		"counters":  "g.addV('p').call('gremlind.increment', [key: 'views'])",
		"autoIndex": "g.call('gremlind.feature', [on: 'autoIndex'])",
	} {
		dir := t.TempDir()
		p := serve(t, "--data-dir", dir)
		if code, text := p.post(t, call); code != 200 {
			t.Fatal(text)
		}
		p.stop(syscall.SIGTERM)
		rename(t, dir, name, "later:"+name)
		for _, args := range [][]string{{"serve", "--port", "0"}, {"check"}, {"query", "g.V().count()"}, {"export", "x.json"}} {
			_, errs, code := run(t, append(args, "--data-dir", dir)...)
			if want := fmt.Sprintf("it uses the feature %q, which this program does not know", "later:"+name); code != exitData || !strings.Contains(errs, want) {
				t.Errorf("%v: exit %d: %s", args, code, errs)
			}
		}
		rename(t, dir, "later:"+name, name)
		if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone {
			t.Errorf("%s%s", out, errs)
		}
	}
}

// rename has the graphs of a directory use a feature under another name.
func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	s, err := pebble.Open(dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tx, err := s.Begin(context.Background(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	key := table.AppendCatalog(nil, "graph")
	text, err := tx.Get(key)
	if err == nil && !strings.Contains(string(text), `"`+from+`"`) {
		err = fmt.Errorf("the entry is %s", text)
	}
	if err == nil {
		err = tx.Set(key, []byte(strings.Replace(string(text), `"`+from+`"`, `"`+to+`"`, 1)))
	}
	if err == nil {
		_, err = tx.Commit(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
}
