package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// exportOptions are the flags of gremlind export.
type exportOptions struct {
	graph, format, file string
	all                 bool   // what is defined, too
	asOf                string // of a graph with history: a time or a version; "" for now
}

func newExport() *cobra.Command {
	o := exportOptions{graph: "graph"}
	cmd := &cobra.Command{
		Use:   "export [flags] FILE",
		Short: "Write a graph to a file",
		Long: `Writes a graph of the data directory as GraphML (.xml), GraphSON 3 (.json) or Gryo 3 (.kryo), or as two CSV files
(FILE must end in .csv: x.csv gives x-vertices.csv and x-edges.csv). A name that ends in .gz is compressed; - is
standard output. A server that runs on the directory is asked to do it.

With --all a file beside it, x-definitions.json for x.json, takes options, indexes, schema, counters and ttl: gremlind import
--definitions makes them before the first record.`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	configFlags(f)
	f.StringVar(&o.graph, "graph", o.graph, "name of the graph")
	f.StringVar(&o.format, "format", "", "graphml, graphson, gryo or csv; told by the file name without")
	f.StringVar(&o.asOf, "as-of", "", "what the graph was at an ISO-8601 time or a version, where it keeps history")
	f.BoolVar(&o.all, "all", false, "write options and definitions, too, to a file beside it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.file = args[0]
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		return runExport(cmd.Context(), c, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

func runExport(ctx context.Context, c *config, o exportOptions, stdout, stderr io.Writer) error {
	if o.format == "" {
		if o.file == "-" {
			return usage("standard output needs --format")
		}
		format, err := graphio.FormatOf(filepath.Base(o.file))
		if err != nil {
			return usage("%v; say --format", err)
		}
		o.format = string(format)
	}
	if ext := filepath.Ext(o.file); ext == ".zst" || ext == ".bz2" {
		return usage("export compresses by gzip alone: name the file .gz instead of %s", ext)
	}
	if o.all && o.file == "-" {
		return usage("--all writes two files: name one")
	}
	out := &exportFiles{name: o.file, stdout: stdout}
	if graphio.Format(o.format) == graphio.CSV && !strings.HasSuffix(strings.TrimSuffix(o.file, ".gz"), ".csv") {
		return usage("CSV is written to two files: FILE must end in .csv")
	}
	if _, err := o.at(); err != nil {
		return usage("--as-of: %s", err)
	}
	if o.all && o.asOf != "" {
		return usage("--all writes what is defined now: do without --as-of")
	}
	p := newProgress(stderr)
	err := errNoServer
	if !c.Memory {
		err = exportThroughServer(ctx, c, o, out, p)
	}
	if errors.Is(err, errNoServer) {
		err = exportAlone(ctx, c, o, out, p)
	}
	p.done()
	if err == nil && o.all && !out.defined {
		err = errors.New("the server wrote no definitions: it is an older gremlind")
	}
	return errors.Join(err, out.close(err == nil))
}

// at is the time of what is written, 0 for now.
func (o *exportOptions) at() (storage.Stamp, error) {
	if o.asOf == "" {
		return 0, nil
	}
	return traversal.ParseAsOf(value.String(o.asOf))
}

// exportAlone opens the data directory.
func exportAlone(ctx context.Context, c *config, o exportOptions, out *exportFiles, p *progress) error {
	db, g, err := openGraph(c, o.graph, nil)
	if err != nil {
		return err
	}
	return errors.Join(exportParts(ctx, g, o, out.open, p), db.Close())
}

// The parts of an export: one, or for CSV two, and definitions if they are wanted.
const (
	wholePart       = "graph"
	verticesPart    = "vertices"
	edgesPart       = "edges"
	definitionsPart = "definitions"
)

// exportParts writes one state of a graph, each part to what open returns for it.
func exportParts(ctx context.Context, g *blueprints.Graph, o exportOptions, open func(part string) (io.Writer, error), p *progress) error {
	if o.all {
		if err := exportDefinitions(ctx, g, open); err != nil {
			return err
		}
	}
	at, err := o.at()
	if err != nil {
		return err
	}
	format := graphio.Format(o.format)
	return g.ViewAsOf(ctx, at, func(tx *blueprints.Tx) error {
		source := &countingSource{graphio.ViewSource(tx), p}
		part := func(name string, write func(io.Writer) error) error {
			w, err := open(name)
			if err != nil {
				return err
			}
			return write(w)
		}
		if format != graphio.CSV {
			return part(wholePart, func(w io.Writer) error { return graphio.Write(ctx, format, w, source) })
		}
		if err := part(verticesPart, func(w io.Writer) error { return graphio.WriteVertexCSV(ctx, w, source) }); err != nil {
			return err
		}
		return part(edgesPart, func(w io.Writer) error { return graphio.WriteEdgeCSV(ctx, w, source) })
	})
}

// exportDefinitions writes what is defined a moment before the elements are read.
func exportDefinitions(ctx context.Context, g *blueprints.Graph, open func(part string) (io.Writer, error)) error {
	d, err := g.Definitions(ctx)
	if err != nil {
		return err
	}
	w, err := open(definitionsPart)
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// writeWhole writes a file beside its name and renames it when it is whole and synced.
func writeWhole(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "-" {
		return write(stdout)
	}
	part := name + ".part"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	err = compressed(name, f, write)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), os.Remove(part))
	}
	return os.Rename(part, name)
}

func compressed(name string, w io.Writer, write func(io.Writer) error) error {
	if !strings.HasSuffix(name, ".gz") {
		return write(w)
	}
	z := gzip.NewWriter(w)
	return errors.Join(write(z), z.Close())
}

// countingSource counts what it gives.
type countingSource struct {
	blueprints.RecordSource
	p *progress
}

// EachVertex counts vertices; a format that looks twice counts the last time.
func (c *countingSource) EachVertex(fn func(*blueprints.VertexRecord) error) error {
	c.p.vertices = 0
	return c.RecordSource.EachVertex(func(v *blueprints.VertexRecord) error {
		c.p.vertices++
		c.p.tick()
		return fn(v)
	})
}

// EachEdge counts edges.
func (c *countingSource) EachEdge(fn func(*blueprints.EdgeRecord) error) error {
	c.p.edges = 0
	return c.RecordSource.EachEdge(func(e *blueprints.EdgeRecord) error {
		c.p.edges++
		c.p.tick()
		return fn(e)
	})
}

// EachStar counts vertices, and edges on their outgoing side.
func (c *countingSource) EachStar(fn func(*blueprints.Star) error) error {
	c.p.vertices, c.p.edges = 0, 0
	return c.RecordSource.EachStar(func(s *blueprints.Star) error {
		c.p.vertices++
		c.p.tick()
		return fn(&blueprints.Star{Vertex: s.Vertex, Edges: c.counted(s)})
	})
}

// counted counts the outgoing edges of a star when they are visited first.
func (c *countingSource) counted(s *blueprints.Star) func(blueprints.Direction, func(*blueprints.EdgeRecord) error) error {
	done := false
	return func(dir blueprints.Direction, fn func(*blueprints.EdgeRecord) error) error {
		if dir != blueprints.Out || done {
			return s.Edges(dir, fn)
		}
		done = true
		return s.Edges(dir, func(e *blueprints.EdgeRecord) error {
			c.p.edges++
			c.p.tick()
			return fn(e)
		})
	}
}
