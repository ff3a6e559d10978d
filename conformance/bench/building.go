package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
)

// Indexes are built beside writers who ask for half of what the server can do.
const (
	buildGraph   = "build"
	buildSize    = 200_000 // vertices, and as many edges
	buildWriters = 16
	buildBar     = 50_000          // elements a second
	buildPastBar = 2.0             // of the writers' p99
	buildLeast   = 4 * time.Second // for which writers are measured at least
	buildTimes   = 3               // how often a kind is measured that misses a bar at first
	buildDrop    = 4 * time.Second // in which the entries of a dropped index go
	buildStride  = time.Second     // in which writers connect and get into their stride
)

// builds are the indexes, and how many elements each is about.
var builds = []struct{ kind, create, drop, count string }{
	{"key", `g.call("gremlind.index.createKey", ["class":"vertex","key":"name"])`, `g.call("gremlind.index.dropKey", ["class":"vertex","key":"name"])`, vertices},
	{"composite", created(`"class":"vertex","keys":["city","age"]`), dropped, vertices},
	{"unique", created(`"class":"vertex","keys":["name"],"unique":true`), dropped, vertices},
	{"edge-centric", created(`"class":"edge","label":"rated","keys":["stars"],"direction":"OUT"`), dropped, `g.E().count()`},
	{"trigrams", created(`"class":"vertex","keys":["name"],"analyzer":"trigram"`), dropped, vertices},
	{"words", created(`"class":"vertex","keys":["name"],"analyzer":"words"`), dropped, vertices},
	{"points", created(`"class":"vertex","keys":["where"],"analyzer":"geo"`), dropped, vertices},
}

const vertices = `g.V().count()`

const dropped = `g.call("gremlind.index.drop", ["name":"built"])`

func created(rest string) string {
	return `g.call("gremlind.index.create", ["name":"built",` + rest + `])`
}

// buildWrite changes what every one of the indexes is about.
const buildWrite = `g.addV("person").property("name", n).property("city", "Rome").property("age", 30).addE("rated").to(__.V(0L)).property("stars", 4).count()`

// writeBuildGraph writes the graph as GraphSON, a line for each vertex.
func writeBuildGraph(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("create graph: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	state := generatorSeed
	part := func() float64 { return float64(splitMix(&state)%1_000_000) / 1_000_000 }
	long := func(n int) string { return fmt.Sprintf(`{"@type":"g:Int64","@value":%d}`, n) }
	for i := range buildSize {
		to := (i*7919 + 1) % buildSize
		property := func(k int, v string) string {
			return fmt.Sprintf(`[{"id":%s,"value":%s}]`, long(4*i+k), v)
		}
		fmt.Fprintf(w, `{"id":%s,"label":"person","outE":{"rated":[{"id":%s,"inV":%s,"properties":{"stars":{"@type":"g:Int32","@value":%d}}}]},`, long(i), long(i), long(to), i%5)
		fmt.Fprintf(w, `"properties":{"name":%s,"city":%s,"age":%s,"where":%s}}`+"\n",
			property(0, fmt.Sprintf(`"somebody %s %d"`, []string{"from Rome", "who reads", "at sea"}[i%3], i)),
			property(1, fmt.Sprintf(`"city %d"`, i%1000)), property(2, fmt.Sprintf(`{"@type":"g:Int32","@value":%d}`, i%90)),
			property(3, fmt.Sprintf(`{"@type":"g:List","@value":[{"@type":"g:Double","@value":%g},{"@type":"g:Double","@value":%g}]}`, 45+9*part(), 13*part())))
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return fmt.Errorf("write graph: %w", err)
	}
	return nil
}

// pace has writers write for as long as during runs, every of them once in each gap, and
// returns how long each write took from the moment that it was due. Without a gap they
// write as fast as they are answered. What they do before during runs does not count.
func pace(ctx context.Context, t *target, gap time.Duration, during func() error) ([]time.Duration, error) {
	var wg sync.WaitGroup
	var done atomic.Bool
	found := make([][]time.Duration, buildWriters)
	errs := make([]error, buildWriters)
	begin := time.Now().Add(buildStride)
	for i := range buildWriters {
		wg.Go(func() {
			c, err := client.Dial(ctx, t.url)
			if err != nil {
				errs[i] = err
				return
			}
			defer c.Close()
			due := time.Now().Add(gap * time.Duration(i) / buildWriters)
			for !done.Load() {
				if gap == 0 {
					due = time.Now()
				} else {
					time.Sleep(time.Until(due))
				}
				names := value.NewMap()
				names.PutString("n", value.String(fmt.Sprintf("writer %d at %d", i, time.Now().UnixNano())))
				if _, err := c.Text(ctx, buildGraph, "gremlin-lang", buildWrite, names); err != nil {
					errs[i] = err
					return
				}
				if !due.Before(begin) {
					found[i] = append(found[i], time.Since(due))
				}
				due = due.Add(gap)
			}
		})
	}
	time.Sleep(time.Until(begin))
	err := during()
	done.Store(true)
	wg.Wait()
	all := slices.Concat(found...)
	slices.Sort(all)
	return all, errors.Join(append(errs, err)...)
}

// build creates an index, and returns how many elements a second it went through. Writers add to them
// all the time: those that are there when it begins count.
func build(ctx context.Context, t *target, create, count string) (perSecond float64, err error) {
	elements, err := counted(ctx, t, count)
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	if err := send(ctx, t, create); err != nil {
		return 0, err
	}
	return float64(elements) / time.Since(begin).Seconds(), nil
}

func counted(ctx context.Context, t *target, count string) (int64, error) {
	found, err := t.text(ctx, buildGraph, count)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", count, err)
	}
	return found[0].Int64(), nil
}

func send(ctx context.Context, t *target, text string) error {
	if _, err := t.text(ctx, buildGraph, text); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

// built is what building an index came to: elements a second alone and beside writers, how many
// writes a second these were paced at, and the 99th percentile of theirs beside the index and beside
// its building.
type built struct {
	alone, beside, writes float64
	quiet, building       time.Duration
}

// measureBuild builds an index alone, paces writers at half of what they get beside it, and builds it
// again beside them. For half of what they get without it there may be no machine left: an element
// has 25 entries in an index of trigrams. All times are as long as building takes at the least rate:
// what comes every few seconds, as a memory table that is written out, is in all of them or in none.
func measureBuild(ctx context.Context, t *target, create, drop, count string) (r built, err error) {
	wait := func(d time.Duration) func() error { return func() error { time.Sleep(d); return nil } }
	time.Sleep(buildDrop) // of the index before
	if r.alone, err = build(ctx, t, create, count); err != nil {
		return r, err
	}
	length, err := buildLength(ctx, t, count)
	if err != nil {
		return r, err
	}
	most, err := pace(ctx, t, 0, wait(length))
	if err != nil {
		return r, err
	}
	gap := 2 * length * buildWriters / time.Duration(len(most))
	r.writes = buildWriters / gap.Seconds()
	if length, err = buildLength(ctx, t, count); err != nil {
		return r, err
	}
	quiet, err := pace(ctx, t, gap, wait(length))
	if err == nil {
		err = send(ctx, t, drop)
	}
	if err != nil {
		return r, err
	}
	time.Sleep(buildDrop)
	beside, err := pace(ctx, t, gap, func() (err error) { r.beside, err = build(ctx, t, create, count); return err })
	if err == nil {
		err = send(ctx, t, drop)
	}
	if err != nil {
		return r, err
	}
	r.quiet, r.building = sample{latencies: quiet}.percentile(.99), sample{latencies: beside}.percentile(.99)
	return r, nil
}

// buildLength is how long building over the elements that there are takes at the least rate.
func buildLength(ctx context.Context, t *target, count string) (time.Duration, error) {
	elements, err := counted(ctx, t, count)
	return max(buildLeast, time.Duration(elements)*time.Second/buildBar), err
}

func (r built) ratio() float64 { return float64(r.building) / float64(r.quiet) }

func (r built) met() bool { return r.beside >= buildBar && r.ratio() <= buildPastBar }

// measureBuilding builds an index of every kind beside writers, and one that misses a bar at first
// twice more, of which the median rate and the median ratio count: a sync of 100 ms alone can be the 99th
// percentile of a few seconds, and a disk may have one every twenty.
func measureBuilding(ctx context.Context, o options, t *target, w io.Writer) ([]floorBar, error) {
	fmt.Fprintf(w, "\nBuilding over %s vertices, as many edges and what is written meanwhile, beside %d writers paced at half of what they get beside the index:\n\n", thousands(buildSize), buildWriters)
	fmt.Fprint(w, "| index | elements/s, nobody else | writes/s | elements/s beside them | writers' p99, quiet | beside building | ratio |\n|---|---|---|---|---|---|---|\n")
	slowest, worst := 0.0, 0.0
	for _, b := range builds {
		var rates, ratios []float64
		for range buildTimes {
			r, err := measureBuild(ctx, t, b.create, b.drop, b.count)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %.1f |\n", b.kind, rate(r.alone), rate(r.writes), rate(r.beside), short(float64(r.quiet)), short(float64(r.building)), r.ratio())
			rates, ratios = append(rates, r.beside), append(ratios, r.ratio())
			if len(rates) == 1 && r.met() {
				break
			}
		}
		if beside := median(rates); slowest == 0 || beside < slowest {
			slowest = beside
		}
		worst = max(worst, median(ratios))
	}
	return []floorBar{
		{"building an index beside writers, elements a second, the slowest kind", rate(slowest), thousands(buildBar), slowest >= buildBar},
		{"p99 of the writers beside it, the worst kind, to that before", short3(worst), fmt.Sprint(buildPastBar), worst <= buildPastBar},
	}, nil
}
