package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
)

// crowded has many attackers send at once what one would send one after the other. They get
// in each other's way, so that nobody knows how long one request may take, nor whose the
// memory is: what counts is that each gets an answer, how much memory the server takes for
// all of them, and how long a bystander waits.
func (r *run) crowded(ctx context.Context, list []plan) error {
	next := make(chan plan)
	var wg sync.WaitGroup
	for i := range r.crowd {
		rng := rand.New(rand.NewPCG(r.seed, uint64(100+i)))
		a := attacker{url: r.attacker.url, http: r.attacker.http}
		wg.Go(func() {
			defer a.close()
			for p := range next {
				r.sendOf(&a, p, rng)
			}
		})
	}
	var err error
	for i, p := range list {
		if resident(r.srv.PID) == 0 {
			err = fmt.Errorf("the server ended:\n%s", r.srv.Log())
			break
		}
		if i%(quietEvery*r.crowd) == 0 {
			r.tidy(ctx)
		}
		next <- p
	}
	close(next)
	wg.Wait()
	if grown := r.peak.most.Load() - r.base; grown > growthMax {
		r.findings = append(r.findings, finding{what: fmt.Sprintf("resident memory grew by %d MiB", grown>>20)})
	}
	return err
}

// sendOf sends an attack of a plan, if anybody can send it.
func (r *run) sendOf(a *attacker, p plan, rng *rand.Rand) {
	x := p.make(rng)
	m, err := prepare(x, sourceOf(x), rng)
	if err != nil {
		return
	}
	o := a.send(m)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.verbose {
		fmt.Fprintf(r.out, "%4d %9d bytes, %4d MiB %s: %s %v\n", o.code, o.bytes, (resident(r.srv.PID)-r.base)>>20, m.how, short(x.name), errText(o.err))
	}
	if o.err != nil {
		r.found(x, m, o.err.Error())
	}
}
