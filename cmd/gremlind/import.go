package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/blueprints/spool"
)

// spoolDefault is what of a kind waits in memory.
const spoolDefault = "16MiB"

// importOptions are the flags of gremlind import.
type importOptions struct {
	graph   string
	format  string
	rejects string
	errors  int
	batch   int
	merge   bool
	label   string // key of vertex labels
	forget  bool
	spool   string // bytes that wait in memory
	held    spool.Options
	indexes []string // as CLASS:KEY
	defined string   // file of definitions
	defs    *blueprints.Definitions
	files   []string
}

// toleratesErrors reports whether a bad record leaves the others to be imported.
func (o *importOptions) toleratesErrors() bool { return o.errors != 0 || o.rejects != "" }

func newImport() *cobra.Command {
	o := importOptions{graph: "graph", batch: 10000}
	cmd := &cobra.Command{
		Use:   "import [flags] FILE...",
		Short: "Read files into a graph",
		Long: `Reads GraphML (.xml), GraphSON 3 (.json), Gryo 3 (.kryo), CSV with the headers of Neptune, Gephi or APOC (.csv), or
JSON of networkx, D3, Cytoscape or APOC (.json) into a graph of the data directory; - is standard input. gzip, zstd and bzip2
are looked through, and so is UTF-16. CSV files of edges are read behind all others, in whichever order they are named, and
an edge may name vertices that the graph has already.

A server that runs on the directory is asked to take the records, in batches, each a transaction, while it serves. Without
one, an empty graph is loaded as sorted tables, all or nothing, and a graph that holds elements already gets the records in
batches too. An import in batches that was stopped goes on behind its last batch when it is called again with the same
files. Key indexes that --index names, and what --definitions has, are there before the first record, which costs less than to
make them of a graph that is filled; records that do not fit are bad.`,
		Args: cobra.MinimumNArgs(1),
	}
	f := cmd.Flags()
	configFlags(f)
	f.StringVar(&o.graph, "graph", o.graph, "name of the graph; it is made if need be")
	f.StringVar(&o.format, "format", "", graphio.Formats+"; told by name and content without")
	f.StringVar(&o.rejects, "rejects", "", "file that takes bad records with file, line and reason")
	f.IntVar(&o.errors, "errors", 0, "bad records after which the import gives up; 0 means none may be bad, -1 any number")
	f.IntVar(&o.batch, "batch", o.batch, "records of one transaction when the graph is not empty, or served")
	f.BoolVar(&o.merge, "merge", false, "elements that are there already take the properties of the record, instead of being refused")
	f.StringVar(&o.label, "vertex-label", "", "GraphML key that holds the labels of nodes; found by the program that wrote the file without")
	f.BoolVar(&o.forget, "forget", false, "give up an import that was stopped half way; what it brought stays")
	f.StringVar(&o.spool, "spool", spoolDefault, "what waits in memory, of each kind: edges that may come before their vertices, properties and ids to be sorted; the rest waits in files in $TMPDIR")
	f.StringArrayVar(&o.indexes, "index", nil, "key index to make before, as vertex:name or edge:weight; may be repeated")
	f.StringVar(&o.defined, "definitions", "", "file of options, indexes, a schema, counters and ttl to make before, as gremlind export --all writes it")
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
	if o.format != "" && !graphio.Known(graphio.Format(o.format)) {
		return usage("--format %q: it is one of %s", o.format, graphio.Formats)
	}
	var err error
	if o.held.Memory, err = readSize(o.spool, math.MaxInt64); err != nil || o.held.Memory == 0 {
		return usage("--spool %q: want bytes, at least 1", o.spool)
	}
	if _, err := parseIndexes(o.indexes); err != nil {
		return err
	}
	if o.defs, err = readDefinitions(o.defined); err != nil {
		return err
	}
	im := &importer{o: &o, stdin: stdin, progress: newProgress(stderr)}
	err = im.throughServer(ctx, c)
	if errors.Is(err, errNoServer) {
		err = im.alone(ctx, c)
	}
	im.progress.done()
	if err == nil && im.progress.rejected > 0 {
		return fmt.Errorf("%w: %d records were rejected", errRejected, im.progress.rejected)
	}
	return err
}

// throughServer has the server of the data directory take the records.
func (im *importer) throughServer(ctx context.Context, c *config) error {
	if c.Memory {
		return errNoServer
	}
	target := &serverTarget{client: socketClient(c, true), graph: im.o.graph, indexes: im.o.indexes, defs: im.o.defs}
	defer target.client.CloseIdleConnections()
	return im.inBatches(ctx, target)
}

// alone opens the data directory.
func (im *importer) alone(ctx context.Context, c *config) error {
	db, g, err := openGraph(c, im.o.graph, im.o.defs)
	if err != nil {
		return err
	}
	if err = makeIndexes(ctx, g, im.o.indexes, im.o.defs); err == nil {
		err = im.into(ctx, g)
	}
	return errors.Join(err, db.Close())
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

// readDefinitions reads a file of definitions, if one is named.
func readDefinitions(name string) (*blueprints.Definitions, error) {
	d := &blueprints.Definitions{}
	if name == "" {
		return d, nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, usage("--definitions: %v", err)
	}
	strict := json.NewDecoder(bytes.NewReader(b))
	strict.DisallowUnknownFields()
	if err := strict.Decode(d); err != nil {
		return nil, usage("--definitions: %s is no file of definitions: %v", name, err)
	}
	return d, nil
}

// makeIndexes makes those that are not there yet, and what else is defined.
func makeIndexes(ctx context.Context, g *blueprints.Graph, names []string, d *blueprints.Definitions) error {
	if err := g.Define(ctx, d); err != nil {
		return err
	}
	indexes, err := parseIndexes(names)
	if err != nil {
		return err
	}
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

// openGraph opens the data directory and a graph in it, as findGraph does.
func openGraph(c *config, name string, made *blueprints.Definitions) (*blueprints.Database, *blueprints.Graph, error) {
	db, err := openDatabase(c, quiet())
	if err != nil {
		return nil, nil, err
	}
	g, err := findGraph(db, c, name, made)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, g, nil
}

// graphEntry is what the configuration says of a graph, or the defaults.
func (c *config) graphEntry(name string) graphConfig {
	for i := range c.Graphs {
		if c.Graphs[i].Name == name {
			return c.Graphs[i]
		}
	}
	return newGraphConfig(name)
}

type importer struct {
	o        *importOptions
	stdin    io.Reader
	progress *progress
	rejects  *rejectFile
}

// into fills a graph that nobody else uses.
func (im *importer) into(ctx context.Context, g *blueprints.Graph) error {
	empty, err := isEmpty(ctx, g)
	if err != nil {
		return err
	}
	if !empty || im.o.merge {
		return im.inBatches(ctx, localTarget{g})
	}
	tuneLoad()
	defer tuneCollector()
	return im.withRejects(false, func() error {
		_, err := load.Graph(ctx, g, im.o.held, func(sink blueprints.RecordSink) error { return im.load(ctx, sink) })
		return err
	})
}

// withRejects keeps the file of bad records open while fn runs.
func (im *importer) withRejects(goesOn bool, fn func() error) (err error) {
	if im.o.rejects != "" {
		if im.rejects, err = openRejects(im.o.rejects, goesOn); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, im.rejects.close()) }()
	}
	return fn()
}

// load pushes all files into the sink of a load.
func (im *importer) load(ctx context.Context, sink blueprints.RecordSink) error {
	counted := &countingSink{sink, im.progress}
	err := im.eachFile(func(f importFile) error {
		return f.read(ctx, counted, graphio.Handler{Reject: im.reject(f.name), VertexLabel: im.o.label, Held: im.o.held})
	})
	im.progress.enter("; sorting and writing")
	return errors.Join(err, im.rejects.sync())
}

// inBatches sends all files to a target.
func (im *importer) inBatches(ctx context.Context, target importTarget) error {
	b := &batcher{ctx: ctx, target: target, o: im.o, p: im.progress}
	if err := b.begin(im.name(), im.o.forget); err != nil {
		return err
	}
	return im.withRejects(b.state.Records > 0, func() error {
		b.rejects = im.rejects
		err := im.eachFile(func(f importFile) error {
			b.file = f.name
			if err := f.read(ctx, b, b.handler()); err != nil {
				return err
			}
			return b.flush(false)
		})
		if err != nil {
			return err
		}
		return b.flush(true)
	})
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

// reject writes a bad record to the reject file, nil when none may be bad.
func (im *importer) reject(name string) func(int, []string, error) error {
	if !im.o.toleratesErrors() {
		return nil
	}
	return func(line int, fields []string, reason error) error {
		im.progress.rejected++
		if err := im.rejects.add(fmt.Sprintf("%s:%d", name, line), reason, fields); err != nil {
			return err
		}
		if im.o.errors > 0 && im.progress.rejected > int64(im.o.errors) {
			return tooManyBad(line, reason, im.o.errors)
		}
		return nil
	}
}

// countingSink counts what is taken.
type countingSink struct {
	blueprints.RecordSink
	p *progress
}

// Vertex counts a vertex.
func (c *countingSink) Vertex(v *blueprints.VertexRecord) error {
	err := c.RecordSink.Vertex(v)
	if err == nil {
		c.count(&c.p.vertices)
	}
	return err
}

// Edge counts an edge.
func (c *countingSink) Edge(e *blueprints.EdgeRecord) error {
	err := c.RecordSink.Edge(e)
	if err == nil {
		c.count(&c.p.edges)
	}
	return err
}

func (c *countingSink) count(n *int64) {
	*n++
	if *n%loadTuneEvery == 0 {
		tuneLoad()
	}
	c.p.tick()
}
