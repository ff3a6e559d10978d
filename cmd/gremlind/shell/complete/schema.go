package complete

import (
	"context"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/storage/value"
)

// Schema is what a server's graph is known to have, sorted.
type Schema struct {
	VertexLabels, EdgeLabels, Keys []string
	Services, Sources              []string
}

const (
	namesMax     = 10_000 // labels and keys that are fetched
	sampled      = "1000" // elements that other servers are asked to look at
	fetchTimeout = 5 * time.Second
	fresh        = 10 * time.Second // how old what is known may be before it is fetched again
)

// Cache fetches a schema in the background and keeps it.
type Cache struct {
	conn   *client.Conn
	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex
	source   string
	known    Schema
	at       time.Time // when it was fetched; zero for never
	fetching bool
	fetched  chan struct{} // closed when no more is fetched
	again    bool          // the source has changed meanwhile
}

// NewCache fetches by a connection, which it closes in the end.
func NewCache(conn *client.Conn) *Cache {
	c := &Cache{conn: conn, fetched: make(chan struct{})}
	close(c.fetched)
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Schema returns what is known; what is old is fetched again meanwhile.
func (c *Cache) Schema() Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.at) > fresh {
		c.begin()
	}
	return c.known
}

// Now fetches and waits for what comes, or for the end of ctx.
func (c *Cache) Now(ctx context.Context) Schema {
	c.mu.Lock()
	c.begin()
	fetched := c.fetched
	c.mu.Unlock()
	select {
	case <-fetched:
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}

// Use fetches the schema of a traversal source.
func (c *Cache) Use(source string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.source != source {
		c.source, c.known = source, Schema{Services: c.known.Services, Sources: c.known.Sources}
	}
	c.begin()
}

// begin starts fetching, or again when it is done. c.mu is held.
func (c *Cache) begin() {
	c.again = c.fetching
	if c.fetching || c.ctx.Err() != nil {
		return
	}
	c.fetching, c.fetched = true, make(chan struct{})
	go c.fetch()
}

// Close ends fetching.
func (c *Cache) Close() {
	c.cancel()
	c.mu.Lock()
	fetched := c.fetched
	c.mu.Unlock()
	<-fetched
	c.conn.Close()
}

func (c *Cache) fetch() {
	for {
		c.mu.Lock()
		source := c.source
		c.mu.Unlock()
		f := fetcher{c.ctx, c.conn, source}
		s, ok := f.all()
		c.mu.Lock()
		if ok && source == c.source {
			c.known = s
		}
		c.at = time.Now()
		if !c.again || c.ctx.Err() != nil {
			c.fetching = false
			close(c.fetched)
			c.mu.Unlock()
			return
		}
		c.again = false
		c.mu.Unlock()
	}
}

// fetcher asks a server about one source.
type fetcher struct {
	ctx    context.Context
	conn   *client.Conn
	source string
}

// all is false when the server could not be asked.
func (f *fetcher) all() (Schema, bool) {
	var s Schema
	names, err := f.ask("g.call('gremlind.names').limit(" + strconv.Itoa(namesMax) + ")")
	own := err == nil
	for _, v := range names {
		m := v.Map()
		name, _ := m.GetString("name")
		vertices, _ := m.GetString("vertices")
		edges, _ := m.GetString("edges")
		switch {
		case vertices.Int64() > 0 || edges.Int64() > 0:
			if vertices.Int64() > 0 {
				s.VertexLabels = append(s.VertexLabels, name.Str())
			}
			if edges.Int64() > 0 {
				s.EdgeLabels = append(s.EdgeLabels, name.Str())
			}
		default:
			s.Keys = append(s.Keys, name.Str())
		}
	}
	if own {
		s.Services = f.texts(`g.call("--list").with("all", true)`)
		for _, v := range f.values("g.call('gremlind.sources')") {
			name, _ := v.Map().GetString("source")
			s.Sources = append(s.Sources, name.Str())
		}
	} else {
		s.VertexLabels = f.texts("g.V().limit(" + sampled + ").label().dedup()")
		s.EdgeLabels = f.texts("g.E().limit(" + sampled + ").label().dedup()")
		s.Keys = append(f.texts("g.V().limit("+sampled+").properties().key().dedup()"), f.texts("g.E().limit("+sampled+").properties().key().dedup()")...)
		s.Services = f.texts("g.call()")
	}
	for _, list := range []*[]string{&s.VertexLabels, &s.EdgeLabels, &s.Keys, &s.Services, &s.Sources} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s, f.ctx.Err() == nil
}

func (f *fetcher) texts(query string) []string {
	var out []string
	for _, v := range f.values(query) {
		if v.Kind() == value.KindString {
			out = append(out, v.Str())
		}
	}
	return out
}

// values is what a query answers; nothing when it cannot be answered.
func (f *fetcher) values(query string) []value.Value {
	out, err := f.ask(query)
	if err != nil {
		return nil
	}
	return out
}

func (f *fetcher) ask(query string) ([]value.Value, error) {
	ctx, cancel := context.WithTimeout(f.ctx, fetchTimeout)
	defer cancel()
	rows, err := f.conn.Submit(ctx, &client.Request{Gremlin: query, Source: f.source, Timeout: fetchTimeout, Batch: 1000})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []value.Value
	for len(out) < namesMax {
		more, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}
