package graphio

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestXMLEntity: numbers are the characters that XML has, and no others.
func TestXMLEntity(t *testing.T) {
	for _, r := range []struct{ from, to uint64 }{{0, 0x2000}, {0xD000, 0xE100}, {0xFF00, 0x10100}, {0x10FF00, 0x110100}, {1<<32 - 2, 1<<32 + 2}} {
		for n := r.from; n < r.to; n++ {
			want := n == 9 || n == 10 || n == 13 || n >= 0x20 && n < 0xD800 || n > 0xDFFF && n < 0xFFFE || n > 0xFFFF && n < 0x110000
			for _, name := range []string{fmt.Sprintf("#%d", n), fmt.Sprintf("#x%x", n)} {
				if got, ok := xmlEntity(name); ok != want || ok && uint64(got) != n {
					t.Fatalf("&%s; is %q, %t", name, got, ok)
				}
			}
		}
	}
	for _, name := range []string{"", "#", "#x", "x41", "#-1", "nbsp"} {
		if got, ok := xmlEntity(name); ok {
			t.Errorf("&%s; is %q", name, got)
		}
	}
}

// TestCSVValue: each type takes what fits into it.
func TestCSVValue(t *testing.T) {
	for _, x := range []struct {
		kind, text string
		want       value.Value
	}{
		{"byte", "127", value.Byte(127)}, {"byte", "-128", value.Byte(-128)}, {"byte", "128", value.Null}, {"byte", "-129", value.Null}, {"byte", "x", value.Null},
		{"short", "32767", value.Short(32767)}, {"short", "-32768", value.Short(-32768)}, {"short", "32768", value.Null}, {"short", "-32769", value.Null},
		{"bool", "true", value.Bool(true)}, {"bool", "false", value.Bool(false)}, {"date", "2024-13-01", value.Null}, {"datetime", "", value.Null},
	} {
		got, err := csvValue(x.kind, x.text)
		if (err == nil) == x.want.IsNull() || err == nil && (!value.Identical(got, x.want) || got.Kind() != x.want.Kind()) {
			t.Errorf("%s %q: %#v, %v", x.kind, x.text, got, err)
		}
	}
	for _, text := range []string{"2024-02-03", "2024-02-03T00:00", "2024-02-03T00:00:00", "2024-02-03T00:00:00Z"} {
		if got, err := csvValue("datetime", text); err != nil || got.Time().Unix() != 1706918400 {
			t.Errorf("%s: %#v, %v", text, got, err)
		}
	}
}

// TestReadCSV_BadPart: the error of one of several values names its column.
func TestReadCSV_BadPart(t *testing.T) {
	m := &memory{}
	err := ReadCSV(t.Context(), strings.NewReader("~id,~label,ages:Int[]\n1,person,1;x;3\n"), m, Handler{})
	if err == nil || !strings.Contains(err.Error(), `column "ages"`) {
		t.Errorf("%v", err)
	}
}

// TestOpenZstd takes what needs no more than a window of 128 MiB.
func TestOpenZstd(t *testing.T) {
	for exponent, want := range map[byte]bool{0: true, 17: true, 18: false, 19: false} {
		frame := []byte{0x28, 0xB5, 0x2F, 0xFD, 0, exponent << 3, 9, 0, 0, 'x'} // one block of one byte as it is
		r, err := openZstd(bytes.NewReader(frame))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); (err == nil) != want || want && string(got) != "x" {
			t.Errorf("a window of %d bytes: %q, %v", 1024<<exponent, got, err)
		}
	}
}

// TestCSVScanner_Lines: each record has its line, and the end has that behind the last.
func TestCSVScanner_Lines(t *testing.T) {
	s := &csvScanner{r: strings.NewReader("a,b\n\"c\nd\",e\n\nf,g\n"), line: 1, sep: ','}
	for _, want := range []int{1, 2, 5} {
		if _, line, err := s.next(); err != nil || line != want {
			t.Fatalf("line %d, want %d, %v", line, want, err)
		}
	}
	if _, line, err := s.next(); err != io.EOF || line != 6 {
		t.Errorf("line %d at the end, %v", line, err)
	}
}

// TestGraphML_EdgeIDs: the id of an edge is its attribute, and Gephi's where it has none.
func TestGraphML_EdgeIDs(t *testing.T) {
	file := `<graphml><key id="edgeid" for="edge" attr.name="Edge Id" attr.type="string"/><graph>
<node id="a"/><node id="b"/>
<edge id="own" source="a" target="b"><data key="edgeid">other</data></edge>
<edge source="a" target="b"><data key="edgeid">gephi</data></edge>
<edge id="bare" source="a" target="b"/>
</graph></graphml>`
	m := &memory{}
	if err := ReadRecords(t.Context(), GraphML, strings.NewReader(file), m, Handler{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range m.es {
		got = append(got, e.ID.JavaString())
	}
	if strings.Join(got, " ") != "own gephi bare" {
		t.Error(got)
	}
}
