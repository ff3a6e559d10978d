package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
)

// importOptions are the flags of gremlind import.
type importOptions struct {
	graph   string
	format  string
	rejects string
	errors  int
	batch   int
	indexes []string // as CLASS:KEY
	files   []string
}

func newImport() *cobra.Command {
	o := importOptions{graph: "graph", batch: 10000}
	cmd := &cobra.Command{
		Use:   "import [flags] FILE...",
		Short: "Read files into a graph",
		Long: `Reads GraphML (.xml), GraphSON 3 (.json), Gryo 3 (.kryo) or CSV with Neptune's headers (.csv) into a
graph of the data directory; the server must not run. gzip is looked through; - is standard input.

An empty graph is loaded as sorted tables, all or nothing. A graph that holds elements already gets the records
in batches, each a transaction; an import that was stopped goes on behind its last batch when it is called again
with the same files. Key indexes that --index names are there before the first record, which costs less than to make
them of a graph that is filled.`,
		Args: cobra.MinimumNArgs(1),
	}
	f := cmd.Flags()
	configFlags(f)
	f.StringVar(&o.graph, "graph", o.graph, "name of the graph; it is made if need be")
	f.StringVar(&o.format, "format", "", "graphml, graphson, gryo or csv; told by the file name without")
	f.StringVar(&o.rejects, "rejects", "", "file that takes bad CSV records with line and reason")
	f.IntVar(&o.errors, "errors", 0, "bad records after which the import gives up; 0 means none may be bad, -1 any number")
	f.IntVar(&o.batch, "batch", o.batch, "records of one transaction when the graph is not empty")
	f.StringArrayVar(&o.indexes, "index", nil, "key index to make before, as vertex:name or edge:weight; may be repeated")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.files = args
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		return runImport(cmd.Context(), c, o, cmd.InOrStdin(), cmd.ErrOrStderr())
	}
	return cmd
}

func runImport(ctx context.Context, c *config, o importOptions, stdin io.Reader, stderr io.Writer) error {
	if o.batch < 1 {
		return usage("--batch must be at least 1")
	}
	indexes, err := parseIndexes(o.indexes)
	if err != nil {
		return err
	}
	db, g, err := openGraph(c, o.graph, true)
	if err != nil {
		return err
	}
	im := &importer{o: o, stdin: stdin, progress: newProgress(stderr), g: g}
	if err = makeIndexes(ctx, g, indexes); err == nil {
		err = im.run(ctx)
		im.progress.done()
	}
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err == nil && im.progress.rejected > 0 {
		return fmt.Errorf("%w: %d records were rejected", errRejected, im.progress.rejected)
	}
	return err
}

// keyIndexName is a key index that --index asks for.
type keyIndexName struct {
	class blueprints.ElementClass
	key   string
}

func parseIndexes(args []string) ([]keyIndexName, error) {
	classes := map[string]blueprints.ElementClass{"vertex": blueprints.VertexClass, "edge": blueprints.EdgeClass}
	all := make([]keyIndexName, len(args))
	for i, arg := range args {
		class, key, _ := strings.Cut(arg, ":")
		c, ok := classes[class]
		if !ok || key == "" {
			return nil, usage("--index %q: write vertex:KEY or edge:KEY", arg)
		}
		if err := blueprints.ValidateKey(key); err != nil {
			return nil, usage("--index %q: %v", arg, err)
		}
		all[i] = keyIndexName{c, key}
	}
	return all, nil
}

// makeIndexes makes those that are not there yet.
func makeIndexes(ctx context.Context, g *blueprints.Graph, indexes []keyIndexName) error {
	for _, x := range indexes {
		known, err := g.IndexedKeys(x.class)
		if err != nil {
			return err
		}
		if slices.Contains(known, x.key) {
			continue
		}
		if err := g.CreateKeyIndex(ctx, x.class, x.key); err != nil {
			return fmt.Errorf("make the key index %s: %w", x.key, err)
		}
	}
	return nil
}

// openGraph opens the data directory and a graph in it, making it with the options of
// the configuration when make is set.
func openGraph(c *config, name string, create bool) (*blueprints.Database, *blueprints.Graph, error) {
	db, err := openDatabase(c, quiet())
	if err != nil {
		return nil, nil, err
	}
	g, err := db.Graph(name)
	if errors.Is(err, blueprints.ErrNoGraph) && create {
		g, err = db.CreateGraph(name, c.graphOptions(name))
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("graph %s: %w", name, err), db.Close())
	}
	return db, g, nil
}

// graphOptions are what the configuration says of a graph, or the defaults.
func (c *config) graphOptions(name string) blueprints.Options {
	for i := range c.Graphs {
		if c.Graphs[i].Name == name {
			return c.Graphs[i].options(c.Memory)
		}
	}
	g := newGraphConfig(name)
	return g.options(c.Memory)
}

type importer struct {
	o        importOptions
	stdin    io.Reader
	progress *progress
	g        *blueprints.Graph
	rejects  *rejectFile
}

func (im *importer) run(ctx context.Context) (err error) {
	empty, err := isEmpty(ctx, im.g)
	if err != nil {
		return err
	}
	b := &batchSink{ctx: ctx, g: im.g, size: im.o.batch, name: im.name()}
	if err := b.resume(); err != nil {
		return err
	}
	if im.o.rejects != "" {
		if im.rejects, err = openRejects(im.o.rejects, b.done > 0); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, im.rejects.close()) }()
		im.progress.rejected, b.rejects = int64(len(im.rejects.known)), im.rejects
	}
	if empty {
		_, err := im.g.Load(ctx, func(sink blueprints.RecordSink) error { return im.read(ctx, sink) })
		return err
	}
	if err := im.read(ctx, b); err != nil {
		return errors.Join(err, b.abandon())
	}
	return b.finish()
}

// name tells this import from others, so that it can be gone on with.
func (im *importer) name() string { return "import " + strings.Join(im.o.files, " ") }

func isEmpty(ctx context.Context, g *blueprints.Graph) (bool, error) {
	empty := false
	err := g.View(ctx, func(tx *blueprints.Tx) error {
		n, err := tx.VertexCount()
		if err != nil {
			return err
		}
		notes, err := tx.Note(importing)
		empty = n == 0 && notes == nil
		return err
	})
	return empty, err
}

// read streams all files into sink, counting.
func (im *importer) read(ctx context.Context, sink blueprints.RecordSink) error {
	counted := &countingSink{sink, im.progress}
	for _, name := range im.o.files {
		if err := im.file(ctx, name, counted); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return im.rejects.sync()
}

func (im *importer) file(ctx context.Context, name string, sink blueprints.RecordSink) error {
	format, err := im.formatOf(name)
	if err != nil {
		return err
	}
	in := im.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	r, err := graphio.Gunzip(in)
	if err != nil {
		return err
	}
	if format == graphio.CSV {
		return graphio.ReadCSV(ctx, r, sink, im.reject(name))
	}
	return graphio.Read(ctx, format, r, sink)
}

func (im *importer) formatOf(name string) (graphio.Format, error) {
	if im.o.format != "" {
		return graphio.Format(im.o.format), nil
	}
	if name == "-" {
		return "", usage("standard input needs --format")
	}
	format, err := graphio.FormatOf(filepath.Base(name))
	if err != nil {
		return "", usage("%v; say --format", err)
	}
	return format, nil
}

// reject writes a bad record to the reject file, nil when none may be bad.
func (im *importer) reject(name string) graphio.Reject {
	if im.o.errors == 0 && im.rejects == nil {
		return nil
	}
	return func(line int, fields []string, reason error) error {
		if errors.Is(reason, errSink) {
			return reason
		}
		if place := fmt.Sprintf("%s:%d", name, line); !im.rejects.keeps(place) {
			im.progress.rejected++
			if err := im.rejects.add(place, reason, fields); err != nil {
				return err
			}
		}
		if im.o.errors > 0 && im.progress.rejected > int64(im.o.errors) {
			return fmt.Errorf("line %d: %w; more than %d records are bad", line, reason, im.o.errors)
		}
		return nil
	}
}

// errSink marks errors of the graph itself, after which no record can be taken.
var errSink = errors.New("the graph cannot be written")

// countingSink counts what goes through.
type countingSink struct {
	blueprints.RecordSink
	p *progress
}

// Vertex counts a vertex.
func (c *countingSink) Vertex(v *blueprints.VertexRecord) error {
	c.p.vertices++
	c.p.tick()
	return c.RecordSink.Vertex(v)
}

// Edge counts an edge.
func (c *countingSink) Edge(e *blueprints.EdgeRecord) error {
	c.p.edges++
	c.p.tick()
	return c.RecordSink.Edge(e)
}
