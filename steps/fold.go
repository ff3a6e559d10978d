package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// fold() gathers all objects.
//
//	fold()                    into a list, empty when there are none
//	fold(0, Operator.sum)     into one value; a traverser counts once whatever its bulk,
//	                          as in the reference, but for lists
var foldSpec = traversal.Spec{
	Name: "fold", Class: "FoldStep", Kind: traversal.ReduceStep,
	Doc: "Gathers all objects into a list or one value.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) != 0 && len(n.Args) != 2 {
			return fmt.Errorf("fold() takes a seed and an operator")
		}
		return nil
	},
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		if len(n.Args) == 0 {
			return r.Reduce(up, func() traversal.Reducer { return &listFold{r: r} }), nil
		}
		op, err := r.BinaryFunc(n.Value(1))
		if err != nil {
			return nil, err
		}
		seed := n.Value(0)
		return r.Reduce(up, func() traversal.Reducer {
			return &seedFold{r: r, acc: seed, lists: seed.Kind().IsCollection(), op: op}
		}), nil
	},
}

// foldPoll is how many copies of one traverser are made between two looks at the context.
const foldPoll = 1 << 12

// listFold is fold().
type listFold struct {
	traversal.One
	r    *traversal.Run
	list account.Pile[value.Value]
}

// AddBatch implements traversal.Reducer.
func (f *listFold) AddBatch(b *traversal.Batch) error { return f.Each(f.r, b, f) }

func (f *listFold) Add(t *traversal.Traverser) error {
	if err := f.r.ChargeText(t.Value, 0); err != nil {
		return err
	}
	for i := int64(0); i < t.Bulk; i++ {
		if err := f.list.Add(f.r.Account, t.Value); err != nil {
			return err
		}
		if i%foldPoll == foldPoll-1 {
			if err := f.r.PollNow(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *listFold) Result() (value.Value, bool, error) {
	list, err := f.list.List(f.r.Account)
	return value.List(list), err == nil, err
}

// seedFold is fold(seed, operator).
type seedFold struct {
	traversal.One
	r     *traversal.Run
	acc   value.Value
	lists bool // the seed is a collection: objects arrive as lists
	op    func(a, b value.Value) (value.Value, error)
}

// AddBatch implements traversal.Reducer.
func (f *seedFold) AddBatch(b *traversal.Batch) error { return f.Each(f.r, b, f) }

func (f *seedFold) Add(t *traversal.Traverser) error {
	v := t.Value
	if f.lists {
		if err := f.r.ChargeCopies(t.Bulk, step.ValueBytes); err != nil {
			return err
		}
		copies := make([]value.Value, t.Bulk)
		for i := range copies {
			copies[i] = v
		}
		v = value.List(copies)
	}
	var err error
	f.acc, err = f.op(f.acc, v)
	return err
}

func (f *seedFold) Result() (value.Value, bool, error) { return f.acc, true, nil }
