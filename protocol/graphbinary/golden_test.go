package graphbinary_test

import (
	"bufio"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/protocol/graphbinary"
)

// goldenValue is a line of testdata/values.
type goldenValue struct {
	name, text string
	bytes      []byte
}

func goldenValues(t testing.TB) []goldenValue {
	f, err := os.Open("testdata/values")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []goldenValue
	for s := bufio.NewScanner(f); s.Scan(); {
		col := strings.Split(s.Text(), "\t")
		if len(col) != 3 {
			continue
		}
		b, err := hex.DecodeString(col[1])
		if err != nil {
			t.Fatalf("%s: %v", col[0], err)
		}
		out = append(out, goldenValue{name: col[0], text: col[2], bytes: b})
	}
	return out
}

// Every layout is read, printed and written as the reference does it.
func TestValues_AsTheReferenceWritesThem(t *testing.T) {
	for _, g := range goldenValues(t) {
		t.Run(g.name, func(t *testing.T) {
			v, err := graphbinary.DecodeValue(g.bytes)
			if err != nil {
				t.Fatal(err)
			}
			if got := v.JavaString(); got != g.text && g.text != "-" {
				t.Errorf("text is %q, want %q", got, g.text)
			}
			b, err := graphbinary.AppendValue(nil, v, nil)
			if err != nil {
				t.Fatal(err)
			}
			if hex.EncodeToString(b) != hex.EncodeToString(g.bytes) {
				t.Errorf("written as\n%x, want\n%x", b, g.bytes)
			}
		})
	}
}

// A message cut anywhere, or with bytes changed, gives an error and never a panic.
func TestValues_DamagedBytes(t *testing.T) {
	for _, g := range goldenValues(t) {
		for i := range g.bytes {
			if _, err := graphbinary.DecodeValue(g.bytes[:i]); err == nil {
				t.Errorf("%s: the first %d bytes decode", g.name, i)
			}
			for _, x := range []byte{0x00, 0x01, 0x7f, 0x80, 0xff} {
				b := append([]byte(nil), g.bytes...)
				b[i] = x
				if v, err := graphbinary.DecodeValue(b); err == nil {
					_ = v.JavaString()
				}
			}
		}
	}
}

func TestDecodeValue_Errors(t *testing.T) {
	nested := strings.Repeat("090000000001", 300) + "fe01"
	for _, c := range []struct{ name, hex, want string }{
		{"negative length", "0300ffffffff", "Invalid GraphBinary length prefix: -1 (readable bytes: 0)"},
		{"huge length", "09007fffffff", "Invalid GraphBinary length prefix: 2147483647 (readable bytes: 0)"},
		{"length beyond the end", "2300000000050102", "Invalid GraphBinary length prefix: 5 (readable bytes: 2)"},
		{"depth", nested, "nesting exceeds 256"},
		{"unknown code", "7f00", "unknown GraphBinary type code 0x7f at byte 0"},
		{"unknown code above 8e", "9900", "unknown GraphBinary type code 0x99 at byte 0"},
		{"custom", "000000000366756e", `custom GraphBinary types are not supported (type "fun")`},
		{"flag", "0102", "unknown value flag 0x02"},
		{"null without its flag", "fe00", "unknown value flag 0x00"},
		{"left over", "2700010203", "2 bytes left over"},
		{"enum", "2000030000000001" + "78", `T has no constant "x"`},
		{"date", "8400000007e00d01", "there is no date 2016-13-01"},
		{"boolean", "270002", "boolean is 0x02"},
		{"inet", "820000000003010203", "InetAddress of 3 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := hex.DecodeString(c.hex)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := graphbinary.DecodeValue(b); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %#v, %v; want an error with %q", v, err, c.want)
			}
		})
	}
}

func TestDecodeValue_DoesNotAliasItsInput(t *testing.T) {
	b := []byte{0x25, 0, 0, 0, 0, 1, 'x'}
	v, err := graphbinary.DecodeValue(b)
	b[6] = 'y'
	if err != nil || string(v.Bytes()) != "x" {
		t.Errorf("got %q, %v", v.Bytes(), err)
	}
	s := []byte{0x03, 0, 0, 0, 0, 1, 'x'}
	v, err = graphbinary.DecodeValue(s)
	s[6] = 'y'
	if err != nil || v.Str() != "x" {
		t.Errorf("got %q, %v", v.Str(), err)
	}
}
