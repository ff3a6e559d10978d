package steps_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/conformance/hostile/corpus"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// What is kept is measured whenever so much more was charged, and when a run ends.
const (
	chargedStep = 2 << 20
	chargedMax  = 10 << 20
	// usedPercent is how much may be in use, of what was charged.
	usedPercent = 135
)

// TestCharged runs what keeps more than its account, by number: what is in use at any time
// is what was charged, not half as much again.
func TestCharged(t *testing.T) {
	h := newHostile(t)
	in := instruction
	type steps = []traversal.Instruction
	doubles := steps{in("inject", value.List(corpus.Many(200_000, func(i int) value.Value { return value.Double(float64(i)) }))), in("unfold")}
	product := steps{in("V"), in("V"), in("V")}
	after := func(source steps, more ...traversal.Instruction) steps {
		return append(source[:len(source):len(source)], more...)
	}
	project := in("project", value.String("a"), value.String("b"))
	for name, code := range map[string]steps{
		"fold":                 after(product, in("fold")),
		"fold of doubles":      after(doubles, in("fold")),
		"fold of maps":         after(doubles, project, in("fold")),
		"fold of properties":   after(product, in("properties"), in("fold")),
		"barrier":              after(doubles, in("barrier")),
		"barrier of maps":      after(doubles, project, in("barrier")),
		"order":                after(doubles, in("order")),
		"order of maps":        after(doubles, project, in("order")),
		"limit behind order":   after(doubles, in("order"), in("limit", value.Long(150_000))),
		"dedup":                after(doubles, in("dedup")),
		"dedup of maps":        after(doubles, project, in("dedup")),
		"group":                after(doubles, in("group")),
		"group of one":         after(product, in("group"), in("by", value.String("name"))),
		"group count":          after(doubles, in("groupCount")),
		"aggregate":            after(doubles, in("aggregate", value.String("x"))),
		"aggregate of maps":    after(doubles, project, in("aggregate", value.String("x"))),
		"sample":               after(doubles, in("sample", value.Int(7))),
		"tail":                 after(doubles, in("tail", value.Long(100_000))),
		"paths":                after(product, in("as", value.String("a")), in("both"), in("path"), in("fold")),
		"barrier of paths":     after(product, in("as", value.String("a")), in("bothE"), in("barrier"), in("path")),
		"tree":                 after(product, in("tree")),
		"tree of many":         after(doubles, in("tree")),
		"tree as side effect":  after(product, in("tree", value.String("x")), in("cap", value.String("x"))),
		"traversers of a loop": after(doubles, in("repeat", corpus.Child("identity")), in("times", value.Int(2))),
	} {
		used, charged, err := h.most(&traversal.Bytecode{Steps: code})
		t.Logf("%s: %d KiB in use, %d charged (%.60v)", name, used>>10, charged>>10, err)
		if charged > 0 && used > charged*usedPercent/100 {
			t.Errorf("%s: %d KiB are in use, %d were charged (%v)", name, used>>10, charged>>10, err)
		}
	}
}

// most returns what a run had in use where that was most beside what it was charged.
func (h *hostile) most(b *traversal.Bytecode) (used, charged int64, err error) {
	_ = h.run(h.t.Context(), account.New(nil, "queryMemory", chargedStep), b, func() {}) // what is taken once
	before := heap.InUse()
	memory := account.New(nil, "memory", account.Unlimited)
	last := int64(0)
	memory.Watch(chargedStep, func() {
		now := memory.Used()
		was := last
		if last = now; now < max(was, chargedStep) {
			return // what is given back is garbage a moment later
		}
		if in := heap.InUse() - before; charged == 0 || in*charged > used*now {
			used, charged = in, now
		}
	})
	a := account.New(memory, "queryMemory", chargedMax)
	err = h.run(h.t.Context(), a, b, func() {})
	a.Clear()
	return used, charged, err
}
