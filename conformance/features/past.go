package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/conformance/server"
)

// toySources are those of graphs that no scenario changes.
var toySources = []string{"gmodern", "gclassic", "gcrew", "ggrateful", "gsink"}

// asOfNow has the toy graphs keep history, and returns the version of each.
func asOfNow(ctx context.Context, url string) (map[string]string, error) {
	c, err := client.Dial(ctx, url)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	versions := map[string]string{}
	for _, src := range toySources {
		set := fmt.Sprintf("g.call('gremlind.graph.set', [name: '%s', history: 'forever'])", src[1:])
		if _, err := c.Text(ctx, src, textLanguage, set, nil); err != nil {
			return nil, fmt.Errorf("keep the history of %s: %w", src, err)
		}
		v, err := c.Text(ctx, src, textLanguage, "g.call('gremlind.version').select('version')", nil)
		if err != nil || len(v) != 1 {
			return nil, fmt.Errorf("the version of %s: %v, %w", src, v, err)
		}
		versions[src] = v[0].Str()
	}
	return versions, nil
}

// churn is what writers do to a graph, in turns, until little of it is as it was.
var churn = []string{
	"g.addV('person').property('name','marko').property('age',29).addE('knows').from(__.V().limit(1))",
	"g.V().sample(3).property('name','josh').property('age',99)",
	"g.E().sample(2).property('weight',7.5)",
	"g.V().hasLabel('person','software','song').sample(2).as('a').addE('knows').to(__.V().limit(1))",
	"g.E().sample(2).drop()",
	"g.V().sample(1).properties().drop()",
	"g.V().sample(1).drop()",
	"g.addV('software').property('lang','java').property('name','lop')",
}

// writers churn on the toy graphs until stop is called, which returns the first error.
func writers(ctx context.Context, url string) (stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	var once sync.Once
	var failed error
	for _, src := range toySources {
		wg.Go(func() {
			if err := write(ctx, url, src); err != nil && ctx.Err() == nil {
				once.Do(func() { failed = fmt.Errorf("write to %s: %w", src, err) })
			}
		})
	}
	return func() error {
		cancel()
		wg.Wait()
		return failed
	}
}

func write(ctx context.Context, url, src string) error {
	c, err := client.Dial(ctx, url)
	if err != nil {
		return err
	}
	defer c.Close()
	for n := 0; ; n++ {
		if _, err := c.Text(ctx, src, textLanguage, churn[n%len(churn)], nil); err != nil {
			return err
		}
		select { // or they take all the time that there is
		case <-ctx.Done():
			return nil
		case <-time.After(churnPause):
		}
	}
}

// churnPause lies between two changes of one graph.
const churnPause = 5 * time.Millisecond

// runPast runs the scenarios as of the versions that the toy graphs had at first, while writers
// change them. Those that write have no place there.
func (s *suite) runPast(ctx context.Context, srv *server.Server, _ string, w io.Writer) error {
	url := srv.URL
	versions, err := asOfNow(ctx, url)
	if err != nil {
		return err
	}
	stop := writers(ctx, url)
	s.asOf = versions
	err = s.run(ctx, url, w)
	s.asOf = nil
	if werr := stop(); err == nil {
		err = werr
	}
	return err
}
