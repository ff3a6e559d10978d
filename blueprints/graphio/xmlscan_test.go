package graphio

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// scanned is a file as the scanner takes it apart, up to the first error.
func scanned(file string, small bool) (tokens []string, failed bool) {
	var r io.Reader = strings.NewReader(file)
	if small {
		r = iotest.OneByteReader(r)
	}
	s := newXMLScanner(r)
	for {
		kind, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return joinTexts(tokens), false
		case err != nil:
			return joinTexts(tokens), true
		case kind == xmlStart:
			token := "<" + s.start.name
			for _, a := range s.start.attrs {
				token += fmt.Sprintf(" %s=%q", a.name, a.value)
			}
			tokens = append(tokens, token)
		case kind == xmlEnd:
			tokens = append(tokens, "/")
		default:
			tokens = append(tokens, "text "+s.text)
		}
	}
}

// decoded is scanned by encoding/xml.
func decoded(file string) (tokens []string, failed bool) {
	d := xml.NewDecoder(strings.NewReader(file))
	for {
		t, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return joinTexts(tokens), false
		case err != nil:
			return joinTexts(tokens), true
		}
		switch t := t.(type) {
		case xml.StartElement:
			token := "<" + t.Name.Local
			for _, a := range t.Attr {
				token += fmt.Sprintf(" %s=%q", a.Name.Local, a.Value)
			}
			tokens = append(tokens, token)
		case xml.EndElement:
			tokens = append(tokens, "/")
		case xml.CharData:
			tokens = append(tokens, "text "+string(t))
		}
	}
}

// joinTexts makes one text of neighbours: a CDATA section may or may not end one.
func joinTexts(tokens []string) (all []string) {
	for _, t := range tokens {
		n := len(all)
		if text, ok := strings.CutPrefix(t, "text "); ok && n > 0 && strings.HasPrefix(all[n-1], "text ") {
			all[n-1] += text
			continue
		}
		if t != "text " {
			all = append(all, t)
		}
	}
	return all
}

// TestXMLScanner_SameAsEncodingXML takes files apart and files in which pieces were
// changed at random: what is well-formed gives the same, and what is not is an error.
func TestXMLScanner_SameAsEncodingXML(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	files := []string{
		`<?xml version="1.0" encoding='utf-8'?><!DOCTYPE a [<!ENTITY b "c>"> <!-- don't > --> <!ELEMENT x (y)>]><a b="1" c='x"y' y:d = "&lt;&#65;&#x42;"><!-- no <b> --><![CDATA[<&]]]]>` +
			"text &amp; more\r\nline\rend <b/><c.d-e_f\n\tg='h'\n/></a>\n",
		"<a>é€😀</a>", "<a:b xmlns:a='u' a:c='d'></a:b>",
	}
	names, _ := filepath.Glob("testdata/*.graphml")
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, string(b))
	}
	pieces := []string{"<", ">", "/", "&", ";", "\"", "'", "=", " ", "a", "]]>", "-->", "<!--", "\x00", "\xff", "&lt;", "\n", "<a>", "</a>", "<?x?>", ":"}
	for round := range 3000 {
		file := files[round%len(files)]
		for range round / len(files) % 3 {
			// What stands in the declaration is read as it was meant.
			begin := max(0, strings.Index(file, "?>"))
			at := begin + r.IntN(len(file)-begin+1)
			piece := pieces[r.IntN(len(pieces))]
			if r.IntN(2) == 0 {
				piece = ""
			}
			file = file[:at] + piece + file[min(len(file), at+r.IntN(3)):]
		}
		want, bad := decoded(file)
		got, failed := scanned(file, round%2 == 0)
		if failed != bad || !failed && strings.Join(got, "\n") != strings.Join(want, "\n") {
			n := 0
			for n < min(len(got), len(want)) && got[n] == want[n] {
				n++
			}
			t.Fatalf("%q\ngives %q, failed %v\nwant %q, failed %v", file, got[n:min(len(got), n+3)], failed, want[n:min(len(want), n+3)], bad)
		}
	}
}

// BenchmarkXMLScanner reads the same text with the scanner and with encoding/xml.
func BenchmarkXMLScanner(b *testing.B) {
	const vertex = `<node id="12345"><data key="labelV">person</data><data key="name">marko &amp; others</data><data key="age">29</data></node>` + "\n"
	text := "<graphml><graph>" + strings.Repeat(vertex, 10_000) + "</graph></graphml>"
	b.Run("scanner", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			s := newXMLScanner(strings.NewReader(text))
			for {
				if _, err := s.next(); err != nil {
					break
				}
			}
		}
	})
	b.Run("encoding", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			d := xml.NewDecoder(strings.NewReader(text))
			for {
				if _, err := d.RawToken(); err != nil {
					break
				}
			}
		}
	})
}
