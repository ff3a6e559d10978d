package graphio

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/gremlind/gremlind/blueprints"
)

const (
	csvBatchRecords = 1024
	csvAhead        = 4 // batches that may wait
)

// csvParser takes a file apart, on its own goroutine once it runs.
type csvParser struct {
	ctx   context.Context
	scan  csvScanner
	table *csvTable
	out   chan *csvBatch
	free  chan *csvBatch
	cur   *csvBatch
}

// csvBatch is some records of a file.
type csvBatch struct {
	rows   []csvRow
	fields []string
	props  []blueprints.PropertyRecord
	edge   []blueprints.EdgeRecord
	vertex []blueprints.VertexRecord
	last   error // of the reader, behind the rows
}

// csvRow is one record of the file.
type csvRow struct {
	line     int
	from, to int   // in csvBatch.fields
	edge     bool  // or a vertex
	at       int   // in csvBatch.edge or csvBatch.vertex
	err      error // why it is no record
}

// header reads the first record.
func (p *csvParser) header() error {
	header, err := p.scan.header()
	if errors.Is(err, io.EOF) {
		return errors.New("csv: the file is empty: it needs a header")
	}
	if err != nil {
		return fmt.Errorf("csv: %w", err)
	}
	if !validText(header) {
		return errors.New("csv header: it is not UTF-8")
	}
	if p.table, err = newCSVTable(header); err != nil {
		return fmt.Errorf("csv header: %w", err)
	}
	return nil
}

// run makes batches until the file or the context ends.
func (p *csvParser) run() {
	defer close(p.out)
	p.scan.fill = func() { _ = p.send() } // what is complete does not wait for a slow reader
	for {
		fields, line, err := p.scan.next()
		var bad *csv.ParseError
		if err != nil && !errors.As(err, &bad) {
			if !errors.Is(err, io.EOF) {
				p.batch().last = err
			}
			_ = p.send()
			return
		}
		b := p.batch()
		b.add(p.table, fields, line, err, p.scan.suspect)
		if len(b.rows) == csvBatchRecords && p.send() != nil {
			return
		}
	}
}

// batch returns the batch under way.
func (p *csvParser) batch() *csvBatch {
	if p.cur == nil {
		select {
		case p.cur = <-p.free:
			b := p.cur
			b.rows, b.fields, b.props, b.edge, b.vertex = b.rows[:0], b.fields[:0], b.props[:0], b.edge[:0], b.vertex[:0]
		default:
			p.cur = &csvBatch{}
		}
	}
	return p.cur
}

func (p *csvParser) send() error {
	if p.cur == nil {
		return nil
	}
	select {
	case p.out <- p.cur:
		p.cur = nil
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

func (b *csvBatch) add(t *csvTable, fields []string, line int, err error, suspect bool) {
	row := csvRow{line: line, from: len(b.fields), err: err}
	b.fields = append(b.fields, fields...)
	row.to = len(b.fields)
	if err == nil && len(fields) != len(t.columns) {
		row.err = &csv.ParseError{StartLine: line, Line: line, Column: 1, Err: csv.ErrFieldCount}
	}
	if err == nil && suspect && !validText(fields) {
		row.err = errors.New("a field is not UTF-8")
	}
	start := len(b.props)
	if row.err == nil {
		b.props, row.err = t.properties(b.props, fields)
	}
	props := b.props[start:len(b.props):len(b.props)]
	if row.edge = t.edges || row.err == nil && t.mixed && fields[t.from] != ""; row.edge {
		row.at = len(b.edge)
		e := blueprints.EdgeRecord{Properties: props}
		if row.err == nil {
			t.edge(&e, fields)
		}
		b.edge = append(b.edge, e)
	} else {
		row.at = len(b.vertex)
		v := blueprints.VertexRecord{Properties: props}
		if row.err == nil {
			row.err = t.vertex(&v, fields)
		}
		b.vertex = append(b.vertex, v)
	}
	b.rows = append(b.rows, row)
}

// push hands the records to sink and the bad ones to the handler.
func (b *csvBatch) push(sink blueprints.RecordSink, h Handler) error {
	for i := range b.rows {
		row := &b.rows[i]
		h.at(row.line, b.fields[row.from:row.to])
		err := row.err
		switch {
		case err != nil:
		case row.edge:
			err = sink.Edge(&b.edge[row.at])
		default:
			err = sink.Vertex(&b.vertex[row.at])
		}
		if err == nil {
			continue
		}
		if err := h.bad("csv line", row.line, b.fields[row.from:row.to], err); err != nil {
			return err
		}
	}
	return nil
}
