package graphson_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

var codecs = map[string]graphson.Codec{
	"v1": {Version: 1}, "v1u": {Version: 1, Untyped: true},
	"v2": {Version: 2}, "v2u": {Version: 2, Untyped: true},
	"v3": {Version: 3}, "v3u": {Version: 3, Untyped: true},
}

type golden struct{ name, form, json string }

func goldens(t testing.TB) []golden {
	f, err := os.Open("testdata/values")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []golden
	s := bufio.NewScanner(f)
	for s.Buffer(nil, 1<<20); s.Scan(); {
		if col := strings.Split(s.Text(), "\t"); len(col) == 3 {
			out = append(out, golden{col[0], col[1], col[2]})
		}
	}
	return out
}

// Each value is read from version 3 and written in every form as the reference does.
func TestValues_AsTheReferenceWritesThem(t *testing.T) {
	values := map[string]value.Value{}
	for _, g := range goldens(t) {
		if g.form == "v3" {
			v, err := codecs["v3"].DecodeValue([]byte(g.json))
			if err != nil {
				t.Fatalf("%s: %v", g.name, err)
			}
			values[g.name] = v
		}
	}
	for _, g := range goldens(t) {
		t.Run(g.name+"/"+g.form, func(t *testing.T) {
			b, err := codecs[g.form].AppendValue(nil, values[g.name], nil)
			if err != nil {
				t.Fatal(err)
			}
			if string(b) != g.json {
				t.Errorf("written as\n%s, want\n%s", b, g.json)
			}
			// Whatever a form says is written alike after it was read.
			v, err := codecs[g.form].DecodeValue(b)
			if err != nil {
				t.Fatal(err)
			}
			again, err := codecs[g.form].AppendValue(nil, v, nil)
			if err != nil || string(again) != g.json && !lossy(g) {
				t.Errorf("read and written again as\n%s, %v, want\n%s", again, err, g.json)
			}
		})
	}
}

// lossy names the forms that cannot tell what they held.
func lossy(g golden) bool {
	return g.form == "v1" || strings.HasSuffix(g.form, "u") && g.name == "bigdec"
}

func TestValues_DamagedJSON(t *testing.T) {
	for _, g := range goldens(t) {
		if g.form != "v1" && g.form != "v3" || len(g.json) > 1000 {
			continue
		}
		for i := range g.json {
			if _, err := codecs[g.form].DecodeValue([]byte(g.json[:i])); err == nil && strings.ContainsAny(g.json[:i], `{["`) {
				t.Errorf("%s %s: the first %d bytes decode", g.name, g.form, i)
			}
			for _, c := range []byte(`0"{]}` + "\x00") {
				b := []byte(g.json)
				b[i] = c
				if v, err := codecs[g.form].DecodeValue(b); err == nil {
					_ = v.JavaString()
				}
			}
		}
	}
}
