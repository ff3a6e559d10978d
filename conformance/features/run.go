package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
)

// scenarioLimit is how long one scenario may take.
const scenarioLimit = 10 * time.Second

// performance is one scenario under way in one form.
type performance struct {
	*world
	form
	s       *scenario
	src     string
	params  *value.Map
	effects *value.Map
	pending string // the traversal that "iterated ..." will send
	got     []value.Value
	failure error // what the traversal answered instead
	checked bool  // the failure was expected
}

// perform runs one scenario; nil means that every step held.
func (w *world) perform(ctx context.Context, s *scenario, f form) error {
	ctx, cancel := context.WithTimeout(ctx, scenarioLimit)
	defer cancel()
	p := &performance{world: w, form: f, s: s, params: value.NewMap(), effects: value.NewMap()}
	for _, st := range s.steps {
		if err := p.step(ctx, st); err != nil {
			if lost(err) && ctx.Err() != nil {
				err = fmt.Errorf("no answer within %v: %w", scenarioLimit, err)
			}
			return err
		}
	}
	if p.failure != nil && !p.checked {
		return p.failure
	}
	return nil
}

type definition struct {
	pattern *regexp.Regexp
	run     func(p *performance, ctx context.Context, st step, m []string) error
}

// definitions give the steps their meaning.
var definitions = []definition{
	{regexp.MustCompile(`^the (\w+) graph$`), (*performance).chooseGraph},
	{regexp.MustCompile(`^the graph initializer of$`), (*performance).initialize},
	{regexp.MustCompile(`^using the parameter (\w+) defined as "(.*)"$`), (*performance).parameter},
	{regexp.MustCompile(`^using the side effect (\w+) defined as "(.*)"$`), (*performance).sideEffect},
	{regexp.MustCompile(`^the traversal of$`), (*performance).traversalOf},
	{regexp.MustCompile(`^iterated (next|to list)$`), (*performance).iterate},
	{regexp.MustCompile(`^the result should be (ordered|unordered|of)$`), (*performance).checkResult},
	{regexp.MustCompile(`^the result should be empty$`), (*performance).checkEmpty},
	{regexp.MustCompile(`^the result should have a count of (\d+)$`), (*performance).checkCount},
	{regexp.MustCompile(`^the graph should return (\d+) for count of "(.*)"$`), (*performance).checkGraph},
	{regexp.MustCompile(`^the result should be a tree with a structure of$`), (*performance).checkTree},
	{regexp.MustCompile(`^the result should be a subgraph with the following$`), (*performance).checkSubgraph},
	{regexp.MustCompile(`^the traversal will raise an error$`), (*performance).checkError},
	{regexp.MustCompile(`^the traversal will raise an error with message (containing|starting|ending) text of "(.*)"$`), (*performance).checkError},
	{regexp.MustCompile(`^an unsupported test$`), (*performance).nothing},
	{regexp.MustCompile(`^nothing should happen because$`), (*performance).nothing},
}

func (p *performance) step(ctx context.Context, st step) error {
	for _, d := range definitions {
		if m := d.pattern.FindStringSubmatch(st.text); m != nil {
			return d.run(p, ctx, st, m)
		}
	}
	return fmt.Errorf("undefined step: %s", st.text)
}

func (p *performance) nothing(context.Context, step, []string) error { return nil }

func (p *performance) chooseGraph(ctx context.Context, _ step, m []string) error {
	p.src = source(m[1], p.s.tags["@AllowNullPropertyValues"])
	if p.asOf != nil && p.asOf[p.src] == "" {
		return errNotPast
	}
	if m[1] == "empty" {
		return p.clear(ctx, p.src)
	}
	return nil
}

// errNotPast says of a scenario that it writes, or wants a graph that others do not.
var errNotPast = errors.New("not of the past")

func (p *performance) request(text string) *request {
	return &request{scenario: p.s.name, source: p.src, traversal: text, parameters: p.params, sideEffects: p.effects,
		computer: p.s.tags["@GraphComputerOnly"], asOf: p.asOf[p.src]}
}

func (p *performance) initialize(ctx context.Context, st step, _ []string) error {
	if _, err := p.send(ctx, p.world, p.request(st.doc)); err != nil {
		return fmt.Errorf("fill the graph: %w", err)
	}
	return nil
}

func (p *performance) parse(ctx context.Context, text string) (value.Value, error) {
	t, err := p.names(ctx, p.src)
	if err != nil {
		return value.Null, err
	}
	return notation{t}.parse(text)
}

func unescape(s string) string { return strings.ReplaceAll(s, `\"`, `"`) }

func (p *performance) parameter(ctx context.Context, _ step, m []string) error {
	v, err := p.parse(ctx, unescape(m[2]))
	p.params.PutString(m[1], v)
	return err
}

func (p *performance) sideEffect(ctx context.Context, _ step, m []string) error {
	v, err := p.parse(ctx, unescape(m[2]))
	p.effects.PutString(m[1], v)
	return err
}

func (p *performance) traversalOf(_ context.Context, st step, _ []string) error {
	p.pending = st.doc
	return nil
}

func (p *performance) iterate(ctx context.Context, _ step, m []string) error {
	p.got, p.failure = p.send(ctx, p.world, p.request(p.pending))
	if p.asOf != nil && p.failure != nil && strings.Contains(p.failure.Error(), "asOf reads the past") {
		return errNotPast
	}
	if lost(p.failure) {
		return p.failure
	}
	if p.failure == nil && m[1] == "next" {
		if len(p.got) == 0 {
			return errors.New("next() found no result")
		}
		p.got = takeApart(p.got[0])
	}
	return nil
}

// takeApart gives the elements of a collection, and anything else as it is.
func takeApart(v value.Value) []value.Value {
	switch v.Kind() {
	case value.KindList:
		return v.Elems()
	case value.KindSet:
		return v.Set().Elems()
	case value.KindBulkSet:
		return expandBulkSet(v.BulkSet())
	case value.KindPath:
		return v.Path().Objects
	}
	return []value.Value{v}
}

func (p *performance) checkError(_ context.Context, _ step, m []string) error {
	p.checked = true
	var status *client.StatusError
	if p.failure != nil && !errors.As(p.failure, &status) {
		return p.failure
	}
	if status == nil {
		return fmt.Errorf("expected an error, got %s", printAll(p.got))
	}
	if len(m) < 3 {
		return nil
	}
	want := unescape(m[2])
	held := map[string]bool{
		"containing": strings.Contains(status.Message, want),
		"starting":   strings.HasPrefix(status.Message, want),
		"ending":     strings.HasSuffix(status.Message, want),
	}
	if !held[m[1]] {
		return fmt.Errorf("expected an error %s %q, got %v", m[1], want, status)
	}
	return nil
}

func (p *performance) checkEmpty(context.Context, step, []string) error {
	if p.failure == nil && len(p.got) != 0 {
		return fmt.Errorf("expected nothing, got %s", printAll(p.got))
	}
	return p.failure
}

func (p *performance) checkCount(_ context.Context, _ step, m []string) error {
	want, err := strconv.Atoi(m[1])
	if err != nil || p.failure != nil {
		return errors.Join(err, p.failure)
	}
	n := len(p.got)
	if n == 1 && n != want && p.got[0].Map() != nil {
		n = p.got[0].Map().Len()
	}
	if n != want {
		return fmt.Errorf("expected %d results, got %s", want, printAll(p.got))
	}
	return nil
}

func (p *performance) checkGraph(ctx context.Context, _ step, m []string) error {
	if p.failure != nil && !p.checked {
		return p.failure
	}
	want, err := strconv.Atoi(m[1])
	if err != nil {
		return fmt.Errorf("read count: %w", err)
	}
	query := unescape(m[2])
	got, err := p.send(ctx, p.world, p.request(query))
	if err != nil {
		return fmt.Errorf("%s: %w", query, err)
	}
	if len(got) != want {
		return fmt.Errorf("expected %d results of %s, got %s", want, query, printAll(got))
	}
	return nil
}
