package differential_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/conformance/server"
	"github.com/gremlind/gremlind/storage/value"
)

var (
	reference  = flag.String("reference", "", "a real Gremlin Server with the sources g (empty), gmodern, gcrew and gsink: ws://host:port/gremlin")
	traversals = flag.Int("traversals", 5000, "how many traversals are sent to the reference")
)

// TestReference sends random traversals to a real Gremlin Server and to gremlind and
// compares results, types and errors. SEED chooses others.
func TestReference(t *testing.T) {
	if *reference == "" {
		t.Skip("there is no -reference to compare with")
	}
	s, err := server.Start(t.Context(), server.Options{Root: "../..", Config: "conformance/differential/gremlind.yaml", NoFiles: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	ours, theirs := &party{url: s.URL}, &party{url: *reference, reference: true}
	defer ours.close()
	defer theirs.close()
	plain, closures := differential.NewGenerator(seed()), differential.NewGenerator(seed(), differential.Closures)
	compared, listed := 0, map[string]int{}
	for i := range *traversals {
		gen := plain
		if i%8 == 0 { // compiling Groovy takes the reference long
			gen = closures
		}
		q := asked{gen.Traversal(), samples[i%len(samples)]}
		if q.undefined() {
			continue
		}
		have, want, reason := q.compare(t.Context(), ours, theirs)
		if compared++; reason == same || reason == unstable {
			continue
		}
		if reason != "" {
			listed[reason]++
			continue
		}
		t.Errorf("%s: %s\n  want %s\n  have %s", q.sample, q.Groovy(), want.beside(have), have.beside(want))
	}
	t.Logf("compared %d of %d", compared, *traversals)
	if most := twoErrorsMax * float64(compared); float64(listed[twoErrors]) > most {
		t.Errorf("%d times: %s; %.0f are expected at most", listed[twoErrors], twoErrors, most)
	}
	for reason, n := range listed {
		t.Logf("%d differ as is known: %s", n, reason)
	}
}

var samples = []string{"modern", "crew", "sink"}

// asked is a traversal on a sample.
type asked struct {
	differential.Query
	sample string
}

// undefined reports whether two servers may give different results: for nothing is ordered
// where some are picked, new ids are of each server's own, and durations are.
func (q asked) undefined() bool {
	return q.Picks || q.ShowsNewIDs() || strings.Contains(q.Text, "profile(")
}

const (
	same     = "same"
	unstable = "the reference gives now this and now that"
)

// compare returns both answers and why they differ, empty when that is not known.
func (q asked) compare(ctx context.Context, ours, theirs *party) (have, want answer, reason string) {
	have, want = ours.ask(ctx, q), theirs.ask(ctx, q)
	switch {
	case have == want:
		return have, want, same
	case have.results == tooLarge || want.results == tooLarge:
		return have, want, unstable
	case theirs.ask(ctx, q) != want:
		return have, want, unstable
	}
	for _, k := range known {
		if k.is(q.Groovy(), have.beside(want), want.beside(have)) {
			return have, want, k.String()
		}
	}
	return have, want, ""
}

// answer is what a traversal gave and what it left of the graph.
type answer struct{ results, left string }

// beside is the part that differs from another's.
func (a answer) beside(other answer) string {
	if a.results != other.results {
		return fmt.Sprintf("%.800s", a.results)
	}
	return fmt.Sprintf("%.200s and leaves %.800s", a.results, a.left)
}

// party is one of the two servers.
type party struct {
	url       string
	reference bool
	conn      *client.Conn
}

func (p *party) close() {
	if p.conn != nil {
		p.conn.Close()
		p.conn = nil
	}
}

const (
	evaluationMax = 2 * time.Second
	tooLarge      = "too large"
)

// ask returns the answer to a traversal, and what it left of the graph if it writes.
func (p *party) ask(ctx context.Context, q asked) answer {
	if !q.Writes() {
		return answer{p.answer(ctx, "", "g"+q.sample, q, q.text()), ""}
	}
	session, source := "", "g"
	if p.reference {
		if fault := p.answer(ctx, "", source, asked{}, fill(q.sample)); fault != "" {
			return answer{"the graph was not filled: " + fault, ""}
		}
	} else { // what a session wrote goes with it
		session, source = uuid.NewString(), "g"+q.sample
		defer p.close()
	}
	results := p.answer(ctx, session, source, q, q.text())
	if strings.HasPrefix(results, "!") {
		return answer{results, ""} // how far it came before is not defined
	}
	return answer{results, p.answer(ctx, session, source, asked{}, rest)}
}

// fill makes the reference's graph a sample.
func fill(sample string) string {
	generate := map[string]string{"modern": "Modern", "crew": "TheCrew", "sink": "KitchenSink"}[sample]
	return "g.V().drop().iterate(); org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory.generate" + generate + "(graph); []"
}

// rest tells what a graph holds without the ids of its elements.
const rest = `g.union(__.V().project("a","b").by(label).by(__.valueMap()),` +
	`__.E().project("a","b","c","d").by(label).by(__.valueMap()).by(__.outV().valueMap()).by(__.inV().valueMap()))`

func (q asked) text() string {
	if q.HasClosures() {
		return q.Groovy()
	}
	return q.Text
}

func (p *party) answer(ctx context.Context, session, source string, q asked, text string) string {
	results, err := p.send(ctx, session, source, text)
	var status *client.StatusError
	switch {
	case errors.As(err, &status) && (status.Code == 598 || status.Code == 504):
		return tooLarge
	case errors.As(err, &status):
		return fmt.Sprintf("! %d %s", status.Code, exceptionOf(status))
	case err != nil:
		p.close()
		return tooLarge
	}
	print := differential.Printer{AnyOrder: q.Gathers(), Hashed: true, New: newOf[q.sample]}
	texts := make([]string, len(results))
	for i, v := range results {
		texts[i] = print.Value(v)
	}
	if !q.Ordered {
		slices.Sort(texts)
	}
	return strings.Join(texts, ", ")
}

// newOf tells the ids that a server gives from those of the samples.
var newOf = map[string]func(k value.Kind, id int64) bool{
	"modern": func(_ value.Kind, id int64) bool { return id == 0 || id > 12 },
	"crew":   func(_ value.Kind, id int64) bool { return id == 0 || id > 1 && id < 7 || id > 26 },
	"sink":   func(_ value.Kind, id int64) bool { return id < 1000 || id > 2003 },
}

func (p *party) send(ctx context.Context, session, source, text string) ([]value.Value, error) {
	if p.conn == nil {
		var err error
		if p.conn, err = client.Dial(ctx, p.url); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 5*evaluationMax)
	defer cancel()
	language := "gremlin-lang"
	if strings.Contains(text, "{") || strings.Contains(text, ";") {
		language = "gremlin-groovy"
	}
	aliases := value.NewMap()
	aliases.PutString("g", value.String(source))
	args := value.NewMap()
	args.PutString("gremlin", value.String(text))
	args.PutString("language", value.String(language))
	args.PutString("aliases", aliases.Value())
	args.PutString("evaluationTimeout", value.Long(evaluationMax.Milliseconds()))
	if session == "" {
		return p.conn.Send(ctx, "", "eval", args)
	}
	args.PutString("session", value.String(session))
	return p.conn.Send(ctx, "session", "eval", args)
}

// exceptionOf is the simple name of the class of what was thrown.
func exceptionOf(s *client.StatusError) string {
	for _, a := range s.Attributes {
		if a.Key == "exceptions" && len(a.Value.Elems()) > 0 {
			name := a.Value.Elems()[0].Str()
			return name[strings.LastIndexAny(name, ".$")+1:]
		}
	}
	return "?"
}
