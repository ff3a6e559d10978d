package load

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Report says what a load did.
type Report struct {
	Vertices, Edges, Properties int64
	Took                        time.Duration
}

// Options bound what a load keeps in memory.
type Options = spool.Options

// Graph fills an empty graph with what fill pushes: it sorts that into tables that the store
// takes in whole. Complete indexes are filled too; what a unique one does not allow refuses
// the whole load, and what does not keep to the schema is refused. What has a label whose elements
// end, ends so long after the load. Nobody else writes to the
// graph meanwhile. An error that the sink returned leaves the load as if the record had not
// come, and fill may go on.
// Memory: about 17 bytes for each edge, 20 when they have several labels (40 when the ids
// of edges do not ascend), 30 and the id for each vertex; about 40 more for each edge of a
// label that the schema says is SIMPLE. The properties of vertices, those of edges with their
// ids, the table of these ids when it must be sorted and the entries of each index, twice, take
// 16 MiB each at most, or what the options say; what is beyond goes to temporary files.
func Graph(ctx context.Context, g *blueprints.Graph, o Options, fill func(blueprints.RecordSink) error) (Report, error) {
	start := time.Now()
	l := &loader{ctx: ctx, number: g.Number(), options: g.Options(), spools: o}
	switch err := l.load(g, fill); {
	case errors.Is(err, blueprints.ErrLoading):
		return l.report, err
	case err != nil:
		return l.report, fmt.Errorf("load graph %q: %w", g.Name(), err)
	}
	l.report.Took = time.Since(start)
	return l.report, nil
}

func (l *loader) load(g *blueprints.Graph, fill func(blueprints.RecordSink) error) (err error) {
	if l.to, err = g.BeginLoad(l.ctx); err != nil {
		return err
	}
	defer l.to.End()
	l.vertices.props.Options, l.edges.props.Options = l.spools, l.spools
	defer l.close()
	l.declared.begin(l.to.Definitions, l.spools)
	if err := l.collect(fill); err != nil {
		return err
	}
	return l.ingest()
}

// ingest hands the sorted keys to the store.
func (l *loader) ingest() error {
	for _, indexes := range l.indexes {
		for _, x := range indexes {
			if err := x.owned.Seal(); err != nil {
				return err
			}
		}
	}
	for _, c := range [...]table.Class{table.VertexClass, table.EdgeClass} {
		l.ends[c-1] = l.to.Ends(c, time.Now())
	}
	sources, err := l.sources()
	if err != nil {
		return err
	}
	return l.to.Ingest(sources...)
}

// corrupt says that a temporary file is not what was written to it.
func corrupt(err error) error {
	if err == nil {
		return fmt.Errorf("temporary file: %w", storage.ErrCorrupt)
	}
	return fmt.Errorf("temporary file: %w: %w", storage.ErrCorrupt, err)
}
