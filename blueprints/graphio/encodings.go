package graphio

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Opened looks through compression and through UTF-16, both told by the first bytes of a
// file, and takes away the mark at the beginning of UTF-8.
func Opened(r io.Reader) (*bufio.Reader, error) {
	plain, err := uncompressed(bufio.NewReaderSize(r, openedBytes))
	if err != nil {
		return nil, err
	}
	return inUTF8(plain)
}

const openedBytes = 64 << 10

// magics are what compressed files begin with.
var magics = []struct {
	name, magic string
	open        func(io.Reader) (io.Reader, error) // nil where a person must
}{
	{"gzip", "\x1f\x8b", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"zstd", "\x28\xb5\x2f\xfd", openZstd},
	{"bzip2", "BZh", func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{"zip", "PK\x03\x04", nil},
	{"xz", "\xfd7zXZ\x00", nil},
	{"7z", "7z\xbc\xaf", nil},
	{"rar", "Rar!", nil},
	{"parquet", "PAR1", nil},
	{"old Excel", "\xd0\xcf\x11\xe0", nil},
	{"SQLite", "SQLite format 3", nil},
}

func uncompressed(r *bufio.Reader) (*bufio.Reader, error) {
	for _, m := range magics {
		head, _ := r.Peek(len(m.magic))
		switch {
		case string(head) != m.magic:
		case m.open == nil:
			return nil, fmt.Errorf("this is a file of %s, which is not read: unpack it, or save it as CSV, GraphML or JSON", m.name)
		default:
			plain, err := m.open(r)
			if err != nil {
				return nil, fmt.Errorf("open the %s stream: %w", m.name, err)
			}
			return bufio.NewReaderSize(&stream{plain, m.name}, openedBytes), nil
		}
	}
	return r, nil
}

func openZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindowMax))
}

// zstdWindowMax bounds what a file makes its reader keep: that of zstd --long=27.
const zstdWindowMax = 128 << 20

// stream says of the errors of a compressed stream whose they are.
type stream struct {
	r    io.Reader
	name string
}

// Read reads what was compressed.
func (n *stream) Read(b []byte) (int, error) {
	got, err := n.r.Read(b)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("the %s stream is damaged or cut short: %w", n.name, err)
	}
	return got, err
}

// inUTF8 makes UTF-16 UTF-8: that has a mark, or a zero byte beside the first character.
func inUTF8(r *bufio.Reader) (*bufio.Reader, error) {
	head, _ := r.Peek(4)
	var order unicode.Endianness
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, err := r.Discard(3)
		return r, err
	case len(head) == 4 && (string(head) == "\xff\xfe\x00\x00" || string(head) == "\x00\x00\xfe\xff"):
		return nil, fmt.Errorf("this file is in UTF-32: save it as UTF-8")
	case bytes.HasPrefix(head, []byte("\xff\xfe")), len(head) == 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		order = unicode.LittleEndian
	case bytes.HasPrefix(head, []byte("\xfe\xff")), len(head) == 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		order = unicode.BigEndian
	default:
		return r, nil
	}
	return bufio.NewReaderSize(unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(r), openedBytes), nil
}

// encodings are those of one byte a character that programs write XML in.
var encodings = map[string]encoding.Encoding{
	"iso-8859-1": charmap.ISO8859_1, "latin1": charmap.ISO8859_1, "iso-8859-2": charmap.ISO8859_2, "iso-8859-15": charmap.ISO8859_15,
	"windows-1252": charmap.Windows1252, "windows-1251": charmap.Windows1251, "windows-1250": charmap.Windows1250, "koi8-r": charmap.KOI8R,
}

// decodedAs makes UTF-8 of what is in an encoding.
func decodedAs(name string, r io.Reader) (io.Reader, error) {
	e, ok := encodings[strings.ToLower(name)]
	if !ok {
		return nil, fmt.Errorf("the encoding %q is not read: save the file as UTF-8", name)
	}
	return e.NewDecoder().Reader(r), nil
}

// xmlEntity returns the character of an entity.
func xmlEntity(name string) (rune, bool) {
	if r, ok := xmlEntities[name]; ok {
		return r, true
	}
	digits, numeric := strings.CutPrefix(name, "#")
	if !numeric {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	r := rune(n)
	ok := err == nil && (r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF)
	return r, ok
}
