package explorer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"
)

//go:embed static
var static embed.FS

// home is where the files of the page are, below a name that changes with them.
const home = "/explorer/"

// mimes are the types of files by their ends.
var mimes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// file is one that is served.
type file struct {
	mime    string
	plain   []byte
	zipped  []byte
	tag     string // for If-None-Match
	forever bool   // its address changes with it
}

// Page is the explorer. Its files are made ready when the first of them is asked for: a
// server starts without.
type Page struct {
	load func() (*content, error)
}

// content is what a Page serves.
type content struct {
	index *file
	files map[string]*file // by path
}

// New makes the explorer; words is called once, when it is first looked at.
func New(words func() Words) *Page {
	return &Page{load: sync.OnceValues(func() (*content, error) { return build(words()) })}
}

// build fails only when the files do not fit each other.
func build(w Words) (*content, error) {
	texts, err := read(w)
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	base := home + fingerprint(texts) + "/"
	// Relative, so that a proxy may serve it below a path.
	index := bytes.ReplaceAll(texts["index.html"], []byte("{{assets}}"), []byte(base[1:len(base)-1]))
	delete(texts, "index.html")
	c := &content{files: map[string]*file{}}
	if c.index, err = newFile("index.html", index); err != nil {
		return nil, err
	}
	for name, text := range texts {
		f, err := newFile(name, text)
		if err != nil {
			return nil, err
		}
		f.forever = true
		c.files[base+name] = f
	}
	return c, nil
}

// read returns the files by their names below static.
func read(w Words) (map[string][]byte, error) {
	texts := map[string][]byte{"words.js": w.module()}
	return texts, fs.WalkDir(static, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := static.ReadFile(name)
		texts[name[len("static/"):]] = text
		return err
	})
}

// fingerprint changes with any of the files.
func fingerprint(texts map[string][]byte) string {
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%s %d\n%s", name, len(texts[name]), texts[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func newFile(name string, text []byte) (*file, error) {
	mime, ok := mimes[path.Ext(name)]
	if !ok {
		return nil, fmt.Errorf("explorer: %s is of no known type", name)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &file{mime: mime, plain: text, zipped: b.Bytes(), tag: `"` + hex.EncodeToString(sum[:8]) + `"`}, nil
}
