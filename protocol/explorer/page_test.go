package explorer

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
)

var some = New(func() Words {
	return Words{Start: []Word{{"V", "Gives </script> vertices.", "steps"}}, Enums: map[string][]Word{"T": {{Text: "id"}}}}
})

// get asks the explorer; nil when the request is not for it.
func get(p *Page, url string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", url, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	h := p.Find(r)
	if h == nil {
		return nil
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// address is where a file of the explorer is.
func address(t *testing.T, name string) string {
	t.Helper()
	c, err := some.load()
	if err != nil {
		t.Fatal(err)
	}
	for at := range c.files {
		if strings.HasSuffix(at, "/"+name) && strings.Count(at, "/") == 3+strings.Count(name, "/") {
			return at
		}
	}
	t.Fatalf("there is no %s", name)
	return ""
}

// TestFind: the page is for browsers at / alone; whatever else was Gremlin stays it.
func TestFind(t *testing.T) {
	script := address(t, "main.js")
	for _, tc := range []struct {
		url, accept string
		want        bool
	}{
		{"/", browser, true}, {"/", "text/html", true}, {"/?x=1", browser, true},
		{"/", "", false}, {"/", "*/*", false}, {"/", "text/*", false}, {"/", "application/json", false}, {"/", "text/html;q=0, */*", false},
		{"/?gremlin=g.V()", browser, false}, {"/?a=1&gremlin=", browser, false}, {"/?%67remlin=1", browser, false},
		{"/gremlin", browser, false}, {"/other", browser, false}, {"//", browser, false}, {"/explorer", browser, false}, {"/explorer/", browser, false},
		{script, "*/*", true}, {script + "?gremlin=1", "*/*", false}, {script + "x", "*/*", false}, {path.Dir(script), browser, false},
		{path.Dir(script) + "/index.html", browser, false}, {path.Dir(script) + "/../../page.go", browser, false},
	} {
		if got := get(some, tc.url, "Accept", tc.accept); (got != nil) != tc.want {
			t.Errorf("%s for %q: answered %v", tc.url, tc.accept, got != nil)
		}
	}
	r := httptest.NewRequest("POST", "/", nil)
	r.Header.Set("Accept", browser)
	if some.Find(r) != nil || (*Page)(nil).Find(r) != nil || get(nil, "/", "Accept", browser) != nil {
		t.Error("a POST, or a server without explorer, is answered")
	}
}

// TestAnswer: types, compression, and what a browser keeps.
func TestAnswer(t *testing.T) {
	page := get(some, "/", "Accept", browser)
	if h := page.Header(); h.Get("Cache-Control") != "no-cache" || h.Get("Content-Type") != "text/html; charset=utf-8" ||
		!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self';") || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the page has %v", h)
	}
	for _, at := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(page.Body.String(), -1) {
		if get(some, "/"+at[1]) == nil {
			t.Errorf("the page wants %s, which is not there", at[1])
		}
	}
	at := address(t, "style.css")
	plain, zipped := get(some, at), get(some, at, "Accept-Encoding", "br, gzip")
	z, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil || !bytes.Equal(text, plain.Body.Bytes()) || zipped.Header().Get("Content-Encoding") != "gzip" || plain.Header().Get("Content-Encoding") != "" {
		t.Errorf("%v: zipped it is another", err)
	}
	if !strings.Contains(plain.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("a browser asks again for what cannot change: %v", plain.Header())
	}
	if got := get(some, at, "If-None-Match", plain.Header().Get("ETag")); got.Code != http.StatusNotModified || got.Body.Len() != 0 {
		t.Errorf("what a browser has comes again: %d", got.Code)
	}
	if got := get(some, at, "Accept-Encoding", "gzip;q=0"); got.Header().Get("Content-Encoding") != "" {
		t.Error("zipped for who cannot unzip")
	}
}

// TestModules: every import leads to a module, none asks another server, and nothing makes
// markup or code of texts. All of it is small.
func TestModules(t *testing.T) {
	c, err := some.load()
	if err != nil {
		t.Fatal(err)
	}
	imports := regexp.MustCompile(`(?m)^import .* from '([^']+)';`)
	forbidden := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|https?://[^w]|\bwindow\.open\b`)
	size := len(c.index.zipped)
	for at, f := range c.files {
		size += len(f.zipped)
		if found := forbidden.Find(f.plain); found != nil {
			t.Errorf("%s has %s", at, found)
		}
		if n := bytes.Count(f.plain, []byte("\n")); n > 330 {
			t.Errorf("%s has %d lines", at, n)
		}
		for _, m := range imports.FindAllSubmatch(f.plain, -1) {
			if want := path.Join(path.Dir(at), string(m[1])); c.files[want] == nil {
				t.Errorf("%s imports %s, which is not there", at, want)
			}
		}
	}
	t.Logf("%d files, %d bytes zipped", len(c.files)+1, size)
	if size > 300<<10 {
		t.Errorf("the page has %d bytes, which is too much", size)
	}
}

// TestNew: the address of the files changes with what they are; a type that nobody knows is
// an error.
func TestNew(t *testing.T) {
	other := New(func() Words { return Words{} })
	if get(other, address(t, "main.js")) != nil {
		t.Error("other words have the same address")
	}
	if _, err := newFile("x.exe", nil); err == nil || !strings.Contains(err.Error(), "x.exe is of no known type") {
		t.Errorf("a file of no type: %v", err)
	}
	broken := &Page{load: func() (*content, error) { return nil, io.ErrUnexpectedEOF }}
	if got := get(broken, "/", "Accept", browser); got == nil || got.Code != http.StatusInternalServerError {
		t.Errorf("a page that cannot be made is answered %v", got)
	}
	if text := get(some, address(t, "words.js")).Body.String(); strings.Contains(text, "</script>") || !strings.Contains(text, `"text":"V"`) {
		t.Errorf("the words are %s", text)
	}
}
