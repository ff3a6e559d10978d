package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/traversal"
)

// recordsMax bounds the body of a batch: a record that is longer can only be imported
// without the server.
const recordsMax = 64 << 20

// serverTarget is a graph of a running server.
type serverTarget struct {
	client  *http.Client
	graph   string
	indexes []string
	defs    *blueprints.Definitions
}

func (t *serverTarget) begin(ctx context.Context, name string, forget bool) (importState, error) {
	var state importState
	q := url.Values{"graph": {t.graph}, "name": {name}, "forget": {strconv.FormatBool(forget)}, "index": t.indexes}
	defs, err := json.Marshal(t.defs)
	if err != nil {
		return state, err
	}
	return state, t.post(ctx, "/import/begin", q, defs, &state)
}

func (t *serverTarget) apply(ctx context.Context, b *importBatch) (importOutcome, error) {
	var out importOutcome
	if len(b.Records) > recordsMax {
		return out, fmt.Errorf("a record takes %d bytes, and %d go through a running server: stop it, or cut the record", len(b.Records), recordsMax)
	}
	q := url.Values{
		"graph": {t.graph}, "name": {b.Name}, "first": {strconv.FormatUint(b.First, 10)}, "merge": {strconv.FormatBool(b.Merge)},
		"refusals": {strconv.FormatInt(b.Refusals, 10)}, "finish": {strconv.FormatBool(b.Finish)},
	}
	return out, t.post(ctx, "/import/batch", q, b.Records, &out)
}

func (t *serverTarget) post(ctx context.Context, path string, q url.Values, body []byte, answer any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost"+path+"?"+q.Encode(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := askSocket(t.client, req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(answer)
}

// answering makes a handler of a function that returns what to answer in JSON.
func answering(fn func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := fn(w, r)
		if err != nil {
			answerFailure(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body) // the client may be gone
	}
}

func (s *server) serveImportBegin(w http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	var defs blueprints.Definitions
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, recordsMax)).Decode(&defs); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	g, err := findGraph(s.db, s.c, q.Get("graph"), &defs)
	if err != nil {
		return nil, err
	}
	if err := makeIndexes(r.Context(), g, q["index"], &defs); err != nil {
		return nil, err
	}
	state, err := beginImport(r.Context(), g, q.Get("name"), q.Get("forget") == "true")
	if err == nil {
		s.log.Info("import", "graph", g.Name(), "name", state.Name, "from", state.Records)
	}
	return state, err
}

func (s *server) serveImportBatch(w http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	b := &importBatch{Name: q.Get("name"), Merge: q.Get("merge") == "true", Finish: q.Get("finish") == "true"}
	var errs [3]error
	b.First, errs[0] = strconv.ParseUint(q.Get("first"), 10, 64)
	b.Refusals, errs[1] = strconv.ParseInt(q.Get("refusals"), 10, 64)
	b.Records, errs[2] = io.ReadAll(http.MaxBytesReader(w, r.Body, recordsMax))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	g, err := namedGraph(s.db, q.Get("graph"))
	if err != nil {
		return nil, err
	}
	out, err := applyBatch(r.Context(), g, b)
	if err == nil && b.Finish {
		s.gate.Trail().Changed("imported", "graph", g.Name(), "vertices", out.State.Vertices, "edges", out.State.Edges, "rejected", out.State.Refused)
	}
	return out, err
}

// namedGraph returns a graph, or says which one was meant.
func namedGraph(db *blueprints.Database, name string) (*blueprints.Graph, error) {
	g, err := db.Graph(name)
	if errors.Is(err, blueprints.ErrNoGraph) {
		return nil, fmt.Errorf("%w%s", err, traversal.Suggestion(name, "", db.GraphNames()))
	}
	return g, err
}

// findGraph returns a graph, making it with the options of the configuration, and of a file of
// definitions where that says nothing, unless made is nil.
func findGraph(db *blueprints.Database, c *config, name string, made *blueprints.Definitions) (*blueprints.Graph, error) {
	g, err := namedGraph(db, name)
	if errors.Is(err, blueprints.ErrNoGraph) && made != nil {
		entry := c.graphEntry(name)
		o := entry.options(c.Memory)
		if err = made.SetOptions(&o, func(key string) bool { return slices.Contains(entry.given, key) }); err == nil {
			g, err = db.CreateGraph(name, o)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("graph %s: %w", name, err)
	}
	return g, nil
}
