package spool

import (
	"bytes"
	"container/heap"
	"errors"
	"io"
)

// Run gives the strings of a sorted sequence one after the other, each with its number and
// valid until the next call, and io.EOF behind the last.
type Run func() (key []byte, number uint32, err error)

// Merge visits the strings of all runs in order, those that are equal in the order of their
// runs. fn does not keep the key.
func Merge(runs []Run, fn func(key []byte, number uint32) error) error {
	var h runHeap
	for i, next := range runs {
		c := &runCursor{next: next, order: i}
		if err := c.step(); err == nil {
			h = append(h, c)
		} else if !errors.Is(err, io.EOF) {
			return err
		}
	}
	heap.Init(&h)
	for len(h) > 0 {
		c := h[0]
		if err := fn(c.key, c.number); err != nil {
			return err
		}
		switch err := c.step(); {
		case errors.Is(err, io.EOF):
			heap.Pop(&h)
		case err != nil:
			return err
		default:
			heap.Fix(&h, 0)
		}
	}
	return nil
}

// runCursor stands in a run.
type runCursor struct {
	next   Run
	order  int
	key    []byte
	number uint32
}

func (c *runCursor) step() (err error) {
	c.key, c.number, err = c.next()
	return err
}

type runHeap []*runCursor

func (h runHeap) Len() int { return len(h) }
func (h runHeap) Less(i, j int) bool {
	if c := bytes.Compare(h[i].key, h[j].key); c != 0 {
		return c < 0
	}
	return h[i].order < h[j].order
}
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)   { *h = append(*h, x.(*runCursor)) }
func (h *runHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
