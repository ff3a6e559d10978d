package load

import (
	"errors"
	"io"

	"github.com/gremlind/gremlind/blueprints/spool"
)

// sortedRuns says where the rows of ids ascend, in the order in which the elements came: most
// come in few runs, texts of numbers one for each length. These are merged, not sorted.
type sortedRuns struct {
	starts []int // the place where each run begins
	many   bool  // too many
}

// runsMax is how many runs are merged: each takes a buffer where the ids are in a file.
const runsMax = 16

// add takes the next place, whose row is or is not before the last one.
func (r *sortedRuns) add(place int, before bool) {
	switch {
	case r.many || !before && place > 0:
	case len(r.starts) == runsMax:
		*r = sortedRuns{many: true}
	default:
		r.starts = append(r.starts, place)
	}
}

// merge visits n rows in order, given the rows from one place to another.
func (r *sortedRuns) merge(n int, rows func(from, to int) (spool.Run, error), fn func(row []byte, place uint32) error) error {
	runs := make([]spool.Run, len(r.starts))
	for i, from := range r.starts {
		to := n
		if i+1 < len(r.starts) {
			to = r.starts[i+1]
		}
		var err error
		if runs[i], err = rows(from, to); err != nil {
			return err
		}
	}
	return spool.Merge(runs, fn)
}

// eachEdgeRow visits the rows of the table of edges' ids in order. fn does not keep the row.
func (l *loader) eachEdgeRow(fn func(row []byte, place uint32) error) error {
	n := l.edges.labels.len()
	if r := &l.edgeUserIDs.runs; !r.many {
		return r.merge(n, l.edgeRows, fn)
	}
	rows := spool.Sorter{Options: l.spools}
	defer rows.Close()
	next, err := l.edgeRows(0, n)
	if err != nil {
		return err
	}
	for {
		row, place, err := next()
		if errors.Is(err, io.EOF) {
			return rows.Each(fn)
		}
		if err == nil {
			err = rows.Add(row, place)
		}
		if err != nil {
			return err
		}
	}
}

// edgeRows gives the rows of the edges from one place to another, in the order in which these came.
func (l *loader) edgeRows(from, to int) (spool.Run, error) {
	ids := l.edgeIDsFrom(from / markEvery * markEvery)
	for ids.place < from {
		if _, err := ids.next(); err != nil {
			return nil, err
		}
	}
	var row []byte
	return func() ([]byte, uint32, error) {
		if ids.place == to {
			return nil, 0, io.EOF
		}
		id, err := ids.next()
		if err == nil {
			row, err = l.edgeUserIDs.form.AppendRow(row[:0], id)
		}
		return row, uint32(ids.place - 1), err
	}, nil
}
