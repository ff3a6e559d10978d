package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
)

// literalRow is a line of testdata/literals.tsv.
type literalRow struct{ language, literal, want, ours, reason string }

func literalRows(t *testing.T) (rows []literalRow) {
	t.Helper()
	b, err := os.ReadFile("testdata/literals.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "", "", "")
		r := literalRow{language: f[0], want: f[2], ours: f[3], reason: f[4]}
		if err := json.Unmarshal([]byte(f[1]), &r.literal); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestLiterals asks for literals of all kinds in both languages and wants what the reference
// answered, or what the table says is answered instead, and why.
func TestLiterals(t *testing.T) {
	p := serve(t, "--memory")
	differ := 0
	rows := literalRows(t)
	for _, r := range rows {
		want := r.want
		if r.ours != "" {
			if differ++; r.reason == "" {
				t.Errorf("%s: %s differs for no reason", r.language, r.literal)
			}
			want = r.ours
		}
		if got := p.literal(t, r.language, r.literal); !sameJSON(got, want) {
			t.Errorf("%s: %s\n got %s\nwant %s", r.language, r.literal, got, want)
		}
	}
	if len(rows) < 700 || differ > len(rows)/10 {
		t.Errorf("%d of %d literals differ", differ, len(rows))
	}
}

// literal returns the results of a traversal that injects a literal, as GraphSON 3; "error"
// when it is refused.
func (p *process) literal(t *testing.T, language, literal string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"gremlin": fmt.Sprintf("g.inject(%s)", literal), "language": language})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, "http://"+p.addr+"/gremlin", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "application/vnd.gremlin-v3.0+json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		return "error"
	}
	var answer struct {
		Result struct{ Data json.RawMessage }
	}
	if err := json.Unmarshal(b, &answer); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return string(answer.Result.Data)
}

// sameJSON compares texts of JSON; numbers are the same when their texts are.
func sameJSON(a, b string) bool {
	return a == b || reflect.DeepEqual(parsedJSON(a), parsedJSON(b))
}

func parsedJSON(s string) (v any) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return s
	}
	return v
}
