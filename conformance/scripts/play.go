package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
)

// statementLimit is how long a server may take for one statement.
const statementLimit = 30 * time.Second

// fillLimit is how long the reference may take to fill a graph.
const fillLimit = time.Minute

var (
	// touches are what asks for a graph of a block's own, changes what leaves it another.
	touches = regexp.MustCompile(`\b(addV|addE|mergeV|mergeE|drop|addVertex|addEdge|read|graph|remove)\b|\bproperty\(`)
	changes = regexp.MustCompile(`\b(addV|addE|mergeV|mergeE|drop|addVertex|addEdge|read|variables|createIndex|remove)\b|\bproperty\(`)
)

// firstNewOf is the first id behind those of a graph.
var firstNewOf = map[string]int64{"": 0, "modern": 13, "crew": 26, "airroutes": 61394}

// outlives is what a block leaves here though its session rolls back, and forget removes it.
var outlives = regexp.MustCompile(`\b(variables\(|createIndex|getIndexedKeys)`)

const forget = `[Vertex, Edge].each { c -> graph.getIndexedKeys(c).each { graph.dropIndex(it, c) } }
graph.variables().keys().each { graph.variables().remove(it) }; null`

// own reports whether the block needs a graph of its own.
func (b block) own() bool { return b.graph == "" || b.has(touches) }

func (b block) has(what *regexp.Regexp) bool {
	return slices.ContainsFunc(b.statements, func(s statement) bool { return what.MatchString(s.text) })
}

// aliases says what g and graph mean in the block.
func (b block) aliases(reference bool) *value.Map {
	m := value.NewMap()
	graph := b.graph
	switch {
	case graph == "" || reference && b.own():
		graph = "graph"
	}
	source := map[string]string{"graph": "g", "modern": "gmodern", "crew": "gcrew", "airroutes": "gair"}[graph]
	m.PutString("g", value.String(source))
	m.PutString("graph", value.String(graph))
	return m
}

// fill makes the reference's graph named graph what the block starts with. The ids that it
// gives out are above those of any sample.
func (b block) fill() string {
	fill := "graph.clear(); "
	if sample := map[string]string{"airroutes": "AirRoutes", "modern": "Modern", "crew": "TheCrew"}[b.graph]; sample != "" {
		fill += "org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory.generate" + sample + "(graph); "
	}
	return fill + "graph.@currentId.set(70000L); null"
}

// player runs blocks on one server.
type player struct {
	url       string
	reference bool // a real Gremlin Server, which does not roll back
	conn      *client.Conn
	filled    string // with what the reference's graph is, unchanged
}

// played is one statement's answer, in full.
type played struct {
	answer  string
	results int
}

// play runs a block in a session of its own.
func (p *player) play(ctx context.Context, b block) ([]played, error) {
	if p.reference && b.own() {
		if err := p.prepare(ctx, b); err != nil {
			return nil, fmt.Errorf("fill the graph: %w", err)
		}
	}
	if !p.reference && b.has(outlives) {
		if _, err := p.send(ctx, "", b, forget, fillLimit, false); err != nil {
			return nil, fmt.Errorf("empty the graph: %w", err)
		}
	}
	session := uuid.NewString()
	defer p.end()
	var out []played
	for _, s := range b.statements {
		print := printer{ordered: isOrdered(s.text), inside: orders.MatchString(s.text), fresh: b.own(), first: firstNewOf[b.graph]}
		print.ids = asksID.MatchString(s.text)
		print.texts = strings.HasPrefix(s.answer, asText) && !p.reference
		results, err := p.send(ctx, session, b, s.text, statementLimit, print.texts)
		if p.reference && unwritable(err) {
			print.texts = true
			results, err = p.send(ctx, session, b, s.text, statementLimit, true)
		}
		if errors.Is(err, client.ErrConnection) {
			return out, fmt.Errorf("%s: %w", s.text, err)
		}
		out = append(out, played{print.answer(results, err), len(results)})
	}
	return out, nil
}

// prepare fills the reference's graph, unless it is as the block wants it.
func (p *player) prepare(ctx context.Context, b block) error {
	if p.filled == "" || p.filled != b.graph {
		if _, err := p.send(ctx, "", b, b.fill(), fillLimit, false); err != nil {
			return err
		}
	}
	p.filled = b.graph
	if b.has(changes) {
		p.filled = ""
	}
	return nil
}

// unwritable reports whether there is an answer that GraphBinary has no form for.
func unwritable(err error) bool {
	var status *client.StatusError
	return errors.As(err, &status) && status.Code == 599
}

func (p *player) send(ctx context.Context, session string, b block, text string, limit time.Duration, texts bool) ([]value.Value, error) {
	if p.conn == nil {
		var err error
		if p.conn, err = client.Dial(ctx, p.url); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*limit)
	defer cancel()
	args := value.NewMap()
	args.PutString("gremlin", value.String(text))
	args.PutString("language", value.String("gremlin-groovy"))
	args.PutString("aliases", b.aliases(p.reference).Value())
	args.PutString("evaluationTimeout", value.Long(limit.Milliseconds()))
	processor := ""
	if session != "" {
		processor = "session"
		args.PutString("session", value.String(session))
	}
	send := p.conn.Send
	if texts {
		send = p.conn.SendForText
	}
	results, err := send(ctx, processor, "eval", args)
	if errors.Is(err, client.ErrConnection) {
		p.conn.Close()
		p.conn = nil
	}
	return results, err
}

// end closes the connection and with it the session, which rolls back what it wrote.
func (p *player) end() {
	if p.conn != nil {
		p.conn.Close()
		p.conn = nil
	}
}

// commits reports whether a statement would keep what it wrote, or reach another server.
func commits(text string) bool {
	for _, part := range []string{"commit(", "Cluster", "System.", "sleep", "while(true", ".txt", "new File", "computer(", "withComputer"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
