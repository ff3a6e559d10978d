package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
)

// lot is what one package has to give for one seed: the first n that compile.
type lot struct {
	n          int
	candidates []*mutant
}

// spare is how many mutants are compiled for one that is wanted: some do not compile.
const spare = 2

// draw shares the mutants of each seed out among the packages.
func (t *trial) draw(all []*mutant) (map[*pack][]lot, error) {
	lots := map[*pack][]lot{}
	if t.again != "" {
		report, err := os.ReadFile(t.again)
		if err != nil {
			return nil, err
		}
		wanted := unseen(report)
		for p, ms := range byPackage(all) {
			ms = slices.DeleteFunc(ms, func(m *mutant) bool { return !wanted[m.file+" "+m.named()] })
			lots[p] = []lot{{len(ms), ms}}
		}
		return lots, nil
	}
	for i := range t.seeds {
		order := shuffled(all, t.seed+uint64(i))
		of := byPackage(order)
		for p, ms := range byPackage(order[:min(t.n, len(order))]) {
			n := len(ms)
			lots[p] = append(lots[p], lot{n, of[p][:min(len(of[p]), spare*n+spare)]})
		}
	}
	return lots, nil
}

func byPackage(ms []*mutant) map[*pack][]*mutant {
	all := map[*pack][]*mutant{}
	for _, m := range ms {
		all[m.pack] = append(all[m.pack], m)
	}
	return all
}

// compiled are mutants to try, and what they are compiled into.
type compiled struct {
	schema *schema
	own    map[*mutant]string // binaries of those that no schema can hold
	chosen []*mutant
}

// choose compiles a package's lots and takes what it has to give, nothing twice.
func (t *trial) choose(ctx context.Context, p *pack, lots []lot) (*compiled, error) {
	dir, err := os.MkdirTemp(t.work, "schema")
	if err != nil {
		return nil, err
	}
	var candidates []*mutant
	for _, l := range lots {
		candidates = append(candidates, l.candidates...)
	}
	c := &compiled{schema: newSchema(p, candidates, dir), own: map[*mutant]string{}}
	if err := t.build(ctx, c.schema); err != nil {
		return nil, err
	}
	for _, l := range lots {
		for _, m := range l.candidates {
			if l.n == 0 {
				break
			}
			if slices.Contains(c.chosen, m) {
				continue
			}
			if ok, err := t.compiles(ctx, c, m); err != nil {
				return nil, err
			} else if ok {
				c.chosen = append(c.chosen, m)
				l.n--
			}
		}
	}
	return c, nil
}

// compiles reports whether a mutant does; one that cannot stand in the schema gets a binary.
func (t *trial) compiles(ctx context.Context, c *compiled, m *mutant) (bool, error) {
	if m.switched() {
		_, in := c.schema.mutants[m]
		return in, nil
	}
	dir, err := os.MkdirTemp(t.work, "own")
	if err != nil {
		return false, err
	}
	binary, _, err := t.compile(ctx, m, dir)
	if err == nil {
		c.own[m] = binary
	}
	return err == nil, ctx.Err()
}

// shuffled is an order that depends on the seed: each change has a number of its own, so
// that changes that come and go leave the order of the others alone.
func shuffled(all []*mutant, seed uint64) []*mutant {
	numbers := make(map[*mutant]uint64, len(all))
	for _, m := range all {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\t%s\t%s\t%s\t%s", seed, m.file, m.function, m.line, m.what))
		numbers[m] = binary.BigEndian.Uint64(sum[:])
	}
	return slices.SortedFunc(slices.Values(all), func(a, b *mutant) int { return cmp.Compare(numbers[a], numbers[b]) })
}
