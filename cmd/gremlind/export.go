package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
)

// exportOptions are the flags of gremlind export.
type exportOptions struct {
	graph, format, file string
}

func newExport() *cobra.Command {
	o := exportOptions{graph: "graph"}
	cmd := &cobra.Command{
		Use:   "export [flags] FILE",
		Short: "Write a graph to a file",
		Long: `Writes a graph of the data directory as GraphML (.xml), GraphSON 3 (.json) or Gryo 3 (.kryo), or as two CSV files
(FILE must end in .csv: x.csv gives x-vertices.csv and x-edges.csv). A name that ends in .gz is compressed; - is
standard output. The server must not run.`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	configFlags(f)
	f.StringVar(&o.graph, "graph", o.graph, "name of the graph")
	f.StringVar(&o.format, "format", "", "graphml, graphson, gryo or csv; told by the file name without")
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
	format := graphio.Format(o.format)
	if format == "" {
		if o.file == "-" {
			return usage("standard output needs --format")
		}
		var err error
		if format, err = graphio.FormatOf(filepath.Base(o.file)); err != nil {
			return usage("%v; say --format", err)
		}
	}
	db, g, err := openGraph(c, o.graph, false)
	if err != nil {
		return err
	}
	p := newProgress(stderr)
	err = g.View(ctx, func(tx *blueprints.Tx) error {
		source := &countingSource{graphio.ViewSource(tx), p}
		if format == graphio.CSV {
			return exportCSV(ctx, o.file, source)
		}
		return writeWhole(o.file, stdout, func(w io.Writer) error { return graphio.Write(ctx, format, w, source) })
	})
	p.done()
	return errors.Join(err, db.Close())
}

// exportCSV writes vertices and edges to files of their own.
func exportCSV(ctx context.Context, name string, source blueprints.RecordSource) error {
	base, gz := strings.CutSuffix(name, ".gz")
	base, ok := strings.CutSuffix(base, ".csv")
	if !ok {
		return usage("CSV is written to two files: FILE must end in .csv")
	}
	suffix := ".csv"
	if gz {
		suffix += ".gz"
	}
	if err := writeWhole(base+"-vertices"+suffix, nil, func(w io.Writer) error { return graphio.WriteVertexCSV(ctx, w, source) }); err != nil {
		return err
	}
	return writeWhole(base+"-edges"+suffix, nil, func(w io.Writer) error { return graphio.WriteEdgeCSV(ctx, w, source) })
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
