package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/conformance/server"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// What is asserted of the server. Times are those of a quiet machine: a request that takes
// longer is sent again, the best of some attempts counts, and a second is as much longer as
// a yardstick shows that everything takes. A bystander's limit is twice what he waits when
// nobody attacks, where that is more. Where the machine has other work to do, what an
// attack takes is the server's processor time instead, of all processors, and a bystander
// may wait ten times as long.
const (
	answeredWithin = time.Second
	attempts       = 4
	growthMax      = 128 << 20
	waitMax        = 100 * time.Millisecond
	waitFactor     = 2 // of what a bystander waits on a quiet server
	busyFactor     = 10

	quietEvery = 25 // attacks between two pauses
	quietFor   = 250 * time.Millisecond
	largeGraph = 20_000 // vertices, above which what attacks wrote is dropped
)

// settings are the server's: bounds of a request and of all that its sender has there,
// and small caches, so that what is left is what requests take.
const settings = `evaluationTimeout: 500ms
queryMemory: 64MiB
userMemory: 64MiB
rowCache: 16MiB
conflictMemory: 16MiB
graphs:
  read: {sample: grateful}
  written: {sample: grateful}
traversalSources: {g: read, w: written}
`

// options are those of a run.
type options struct {
	binary, root string
	seed         uint64
	attacks      int
	only         string // part of the names of plans, "" for all
	out          io.Writer
	verbose      bool
	crowd        int  // attackers at once, 0 for one
	busy         bool // others use the machine
}

// finding is an attack that did harm.
type finding struct {
	attack, how, what string
}

type run struct {
	options
	rng      *rand.Rand
	srv      *server.Server
	attacker attacker
	control  *client.Conn
	peak     peak
	yard     yardstick
	base     int64
	began    time.Time
	mu       sync.Mutex // of a crowd
	findings []finding
}

// attackAll starts a server, sends the attacks and returns what harm they did.
func attackAll(ctx context.Context, o options) ([]finding, error) {
	dir, err := os.MkdirTemp("", "gremlind-hostile-")
	if err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	defer os.RemoveAll(dir)
	config := filepath.Join(dir, "server.yaml")
	if err := os.WriteFile(config, []byte(settings), 0o644); err != nil {
		return nil, fmt.Errorf("write configuration: %w", err)
	}
	srv, err := server.Start(ctx, server.Options{Root: o.root, Binary: o.binary, Args: []string{config}, NoFiles: true})
	if err != nil {
		return nil, err
	}
	defer srv.Stop()
	r := &run{options: o, began: time.Now(), rng: rand.New(rand.NewPCG(o.seed, 11)), srv: srv,
		attacker: attacker{url: srv.URL, http: strings.Replace(srv.URL, "ws:", "http:", 1)}}
	if r.control, err = client.DialFrom(ctx, srv.URL, elsewhere); err != nil {
		return nil, err
	}
	defer r.control.Close()
	err = r.all(ctx)
	return r.findings, err
}

// all sends the attacks beside a bystander.
func (r *run) all(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &bystander{}
	go b.run(ctx, r.srv.URL)
	go r.yard.run(ctx)
	time.Sleep(8 * quietFor)
	r.base = resident(r.srv.PID)
	r.peak.most.Store(r.base)
	go r.peak.watch(ctx, r.srv.PID)
	list := r.chosen()
	if r.crowd > 0 {
		b.attacked.Store(true)
		if err := r.crowded(ctx, list); err != nil {
			return err
		}
		return r.judge(b)
	}
	for i, p := range list {
		if i%quietEvery == 0 {
			b.attacked.Store(false)
			r.attacker.close() // and its sessions, so that there is room for others
			r.tidy(ctx)
			time.Sleep(quietFor)
		}
		b.attacked.Store(true)
		if err := r.one(ctx, p); err != nil {
			return err
		}
	}
	return r.judge(b)
}

// chosen are the plans of a run: all that fit once, then any.
func (r *run) chosen() []plan {
	all := slices.DeleteFunc(plans(), func(p plan) bool { return !strings.Contains(p.name, r.only) })
	r.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	list := slices.Clone(all[:min(len(all), r.attacks)])
	for len(list) < r.attacks && len(all) > 0 {
		list = append(list, all[r.rng.IntN(len(all))])
	}
	return list
}

// one sends one attack, again when it takes long.
func (r *run) one(ctx context.Context, p plan) error {
	a := p.make(r.rng)
	m, err := prepare(a, sourceOf(a), r.rng)
	if err != nil {
		if r.verbose {
			fmt.Fprintf(r.out, "not sent: %s: %v\n", short(a.name), err)
		}
		return nil // nobody can send that
	}
	var o outcome
	best, stretch := time.Duration(1<<62), 1.0
	before := r.peak.most.Load()
	for range attempts {
		began := r.clock()
		o = r.attacker.send(m)
		best, stretch = min(best, r.clock()-began), r.yard.stretch()
		if o.err != nil || best <= answeredWithin {
			break
		}
	}
	grown := r.peak.most.Load()
	if r.verbose {
		fmt.Fprintf(r.out, "%6d ms %4d %9d bytes, now %4d MiB, %4d at most (%+d) %s: %s %v\n", best.Milliseconds(), o.code, o.bytes, (resident(r.srv.PID)-r.base)>>20, (grown-r.base)>>20, (grown-before)>>20, m.how, short(a.name), errText(o.err))
	}
	switch {
	case o.err != nil:
		r.found(a, m, o.err.Error())
	case float64(best) > stretch*float64(answeredWithin):
		r.found(a, m, fmt.Sprintf("answered after %v, where things take %.1f times as long as they should", best.Round(time.Millisecond), stretch))
	case grown-r.base > growthMax && grown > before:
		r.found(a, m, fmt.Sprintf("resident memory grew by %d MiB, %d before", (grown-r.base)>>20, (before-r.base)>>20))
	}
	if resident(r.srv.PID) == 0 {
		return fmt.Errorf("the server ended behind %s (%s):\n%s", short(a.name), m.how, r.srv.Log())
	}
	return nil
}

// clock is what attacks are timed with.
func (r *run) clock() time.Duration {
	if r.busy {
		return processorTime(r.srv.PID) / time.Duration(runtime.NumCPU())
	}
	return time.Since(r.began)
}

func (r *run) found(a attack, m *sendable, what string) {
	r.findings = append(r.findings, finding{short(a.name), m.how, what})
	fmt.Fprintf(r.out, "FOUND %s (%s): %s\n", short(a.name), m.how, what)
}

// sourceOf is the graph that an attack goes to: one that writes has its own.
func sourceOf(a attack) string {
	if a.code == nil {
		return "g"
	}
	for _, in := range a.code.Steps {
		if spec, ok := steps.Registry().Lookup(in.Name); ok && spec.Effects&(traversal.WritesGraph|traversal.External) != 0 || in.Name == "property" {
			return "w"
		}
	}
	return "g"
}

// tidy drops what attacks wrote, when it is much, and fills what they emptied.
func (r *run) tidy(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	ask := func(text string) int64 {
		args := value.NewMap()
		args.PutString("gremlin", value.String(text))
		args.PutString("language", value.String("gremlin-groovy"))
		args.PutString("evaluationTimeout", value.Long(30_000))
		aliases := value.NewMap()
		aliases.PutString("g", value.String("w"))
		args.PutString("aliases", aliases.Value())
		got, err := r.control.Send(ctx, "", "eval", args)
		if err != nil || len(got) == 0 {
			return 0
		}
		return got[0].Int64()
	}
	for range 100 {
		if n := ask("g.V().limit(100000).count().next()"); n < largeGraph {
			if n < 10 {
				ask("100.times { a = g.addV('song').property('name', 'a').next(); g.V(a).addE('f').to(g.V().limit(1)).iterate() }; 1L")
			}
			return
		}
		ask("g.V().limit(5000).drop().iterate(); 1L")
	}
}

// judge looks at what the whole run came to.
func (r *run) judge(b *bystander) error {
	quiet, attacked, err := b.p99()
	fmt.Fprintf(r.out, "resident: %d MiB at first, %d MiB at most (%d MiB allowed); a bystander's p99: %v while nobody attacked, %v meanwhile\n",
		r.base>>20, r.peak.most.Load()>>20, (r.base+growthMax)>>20, quiet.Round(time.Microsecond), attacked.Round(time.Microsecond))
	if err != nil {
		r.findings = append(r.findings, finding{what: "the bystander lost his connection: " + err.Error()})
	}
	limit := max(waitMax, waitFactor*quiet)
	if r.busy {
		limit *= busyFactor
	}
	if float64(attacked) > r.yard.stretch()*float64(limit) {
		r.findings = append(r.findings, finding{what: fmt.Sprintf("a bystander's p99 was %v, %v while nobody attacked", attacked, quiet)})
	}
	if log := r.srv.Log(); strings.Contains(log, "panic") {
		r.findings = append(r.findings, finding{what: "the log tells of a panic:\n" + log})
	}
	return nil
}

func short(name string) string {
	if len(name) > 160 {
		return name[:160] + "..."
	}
	return name
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
