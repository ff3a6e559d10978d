package explorer

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// policy lets the page load its own files and ask its own server, and nothing else: no
// script that stands in the page, no markup that is made of texts.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Find returns what answers a request, nil for one that is not for the explorer. The page
// is at /, for who asks for HTML; a request with a script in its query is Gremlin,
// whatever its path.
func (p *Page) Find(r *http.Request) http.Handler {
	if p == nil || r.Method != http.MethodGet || r.URL.RawQuery != "" && r.URL.Query().Has("gremlin") {
		return nil
	}
	index := r.URL.Path == "/" && accepts(r, "Accept", "text/html") // as browsers say, and no driver
	if !index && !strings.HasPrefix(r.URL.Path, home) {
		return nil
	}
	c, err := p.load()
	if err != nil {
		return failing(err.Error())
	}
	if index {
		return c.index
	}
	if f := c.files[r.URL.Path]; f != nil {
		return f
	}
	return nil
}

// failing answers that the page is not to be had, with the reason.
func failing(reason string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, reason, http.StatusInternalServerError) })
}

// accepts reports whether a field of a request lists a value, and not at quality 0.
func accepts(r *http.Request, field, want string) bool {
	for _, part := range strings.Split(r.Header.Get(field), ",") {
		name, params, err := mime.ParseMediaType(part)
		if err != nil || name != want {
			continue
		}
		q, err := strconv.ParseFloat(params["q"], 64)
		return params["q"] == "" || err == nil && q > 0
	}
	return false
}

// ServeHTTP answers with the file, or tells a browser that it has it already.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	f.describe(h)
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if accepts(r, "Accept-Encoding", "gzip") {
		body = f.zipped
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Type", f.mime)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	// The client may be gone; there is nobody else to tell.
	_, _ = w.Write(body)
}

// describe sets what a browser must know of the file.
func (f *file) describe(h http.Header) {
	h.Set("ETag", f.tag)
	h.Set("Vary", "Accept, Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if f.forever {
		h.Set("Cache-Control", "public, max-age="+strconv.Itoa(int((365*24*time.Hour).Seconds()))+", immutable")
	}
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}
