package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
)

// outcomePart is the last part of an answer to an export. Without it the others are not
// whole.
const outcomePart = "outcome"

// exportOutcome says what an answer holds.
type exportOutcome struct {
	Vertices int64  `json:"vertices"`
	Edges    int64  `json:"edges"`
	Message  string `json:"message,omitempty"` // of the error
}

// exportThroughServer has the server of the data directory write a graph.
func exportThroughServer(ctx context.Context, c *config, o exportOptions, out *exportFiles, p *progress) error {
	q := url.Values{"graph": {o.graph}, "format": {o.format}, "all": {strconv.FormatBool(o.all)}, "asOf": {o.asOf}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/export?"+q.Encode(), nil)
	if err != nil {
		return err
	}
	resp, err := askSocket(socketClient(c, false), req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, params, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("the server's answer is no export: %w", err)
	}
	for parts := multipart.NewReader(resp.Body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err != nil {
			return fmt.Errorf("the export is not whole: %w", err)
		}
		name := part.FormName()
		if name == outcomePart {
			return readOutcome(part, p)
		}
		w, err := out.open(name)
		if err != nil {
			return err
		}
		if _, err := io.Copy(w, part); err != nil {
			return fmt.Errorf("the export is not whole: %w", err)
		}
	}
}

func readOutcome(r io.Reader, p *progress) error {
	var o exportOutcome
	if err := json.NewDecoder(r).Decode(&o); err != nil {
		return fmt.Errorf("the export is not whole: %w", err)
	}
	p.vertices, p.edges = o.Vertices, o.Edges
	if o.Message != "" {
		return errors.New(o.Message)
	}
	return nil
}

// serveExport answers the export command: the parts, then the outcome.
func (s *server) serveExport(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	g, err := findGraph(s.db, s.c, q.Get("graph"), nil)
	if err != nil {
		answerFailure(w, err)
		return
	}
	parts := multipart.NewWriter(w)
	w.Header().Set("Content-Type", "multipart/form-data; boundary="+parts.Boundary())
	open := func(name string) (io.Writer, error) {
		return parts.CreatePart(textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf("form-data; name=%q", name)}})
	}
	p := newProgress(io.Discard)
	defer p.done()
	err = exportParts(r.Context(), g, exportOptions{format: q.Get("format"), all: q.Get("all") == "true", asOf: q.Get("asOf")}, open, p)
	outcome := exportOutcome{Vertices: p.vertices, Edges: p.edges}
	if err != nil {
		outcome.Message = err.Error()
	}
	s.gate.Trail().Changed("export", "graph", g.Name(), "vertices", p.vertices, "edges", p.edges, "error", err)
	if last, err := open(outcomePart); err == nil {
		_ = json.NewEncoder(last).Encode(outcome) // the client may be gone
		_ = parts.Close()
	}
}
