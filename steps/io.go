package steps

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// io() reads a file into the graph or writes the graph to one, inside the folder that
// the server allows.
//
//	io("data/x.kryo").read()
//	io("x").with(IO.writer, IO.graphml).write()
//
// The format is told by the file's name: .kryo, .json, .xml, .graphml.
var ioSpec = traversal.Spec{
	Name: "io", Class: "IoStep", Kind: traversal.SideEffectStep, Start: true, Mods: []string{"with", "read", "write"},
	EffectsOf: func(n *traversal.Node) traversal.Effects {
		if t, ok := n.Data.(*transfer); ok && t.read {
			return traversal.External | traversal.WritesGraph
		}
		return traversal.External | traversal.ReadsGraph
	},
	Doc: "Reads a file into the graph or writes the graph to one.", Prepare: prepareIO, Open: openIO,
	Print: func(n *traversal.Node) string { return "IoStep(" + n.Data.(*transfer).file + ")" },
}

// transfer is the Data of io.
type transfer struct {
	file        string
	read, write bool
	// reader and writer are formats given by with(), "" when not.
	reader, writer graphio.Format
}

// The keys of with() behind io().
const (
	ioReader   = "~tinkerpop.io.reader"
	ioWriter   = "~tinkerpop.io.writer"
	ioRegistry = "~tinkerpop.io.registry"
)

func prepareIO(n *traversal.Node) error {
	file, err := step.TextArg(n, 0)
	if err != nil || file == "" {
		return errors.New("file cannot be null or empty")
	}
	t := &transfer{file: file}
	for _, m := range n.Mods {
		switch m.Name {
		case "read":
			t.read, t.write = true, false
		case "write":
			t.read, t.write = false, true
		default:
			if err := t.with(m.Args); err != nil {
				return err
			}
		}
	}
	n.Data = t
	return nil
}

func (t *transfer) with(args []traversal.Arg) error {
	if len(args) != 2 {
		return fmt.Errorf("io().with() takes a key and a value, not %d arguments", len(args))
	}
	f := graphio.Format(args[1].Value.Str())
	known := f == graphio.Gryo || f == graphio.GraphSON || f == graphio.GraphML
	switch key := args[0].Value.Str(); {
	case key == ioReader && known:
		t.reader = f
	case key == ioWriter && known:
		t.writer = f
	case key == ioReader:
		return fmt.Errorf("Could not construct the specified GraphReader of %s", step.BriefArg(args[1]))
	case key == ioWriter:
		return fmt.Errorf("Could not construct the specified GraphWriter of %s", step.BriefArg(args[1]))
	case key == ioRegistry:
		return errors.New("io() takes no registries: the server loads no classes")
	}
	return nil
}

func openIO(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	t := n.Data.(*transfer)
	if up != nil {
		return nil, errors.New("io() begins a traversal and cannot stand inside one")
	}
	return r.FlatMap(step.Once(r, value.Null), func(*traversal.Traverser) (traversal.Cursor, error) {
		return nil, t.run(r)
	}), nil
}

func (t *transfer) run(r *traversal.Run) error {
	ctx := r.Ctx
	if ctx == nil {
		ctx = context.Background()
	}
	switch {
	case r.Host == nil:
		return errors.New("io() is switched off on this server")
	case t.read:
		return t.readFile(ctx, r)
	case t.write:
		return t.writeFile(ctx, r)
	}
	return errors.New("IO mode was not set to read() or write()")
}

func (t *transfer) format(given graphio.Format) (graphio.Format, error) {
	if given != "" {
		return given, nil
	}
	f, err := graphio.FormatOf(t.file)
	if err != nil || f == graphio.CSV {
		return "", errors.New("Could not detect the file format - specify the writer explicitly or rename file with a standard extension")
	}
	return f, nil
}

func (t *transfer) readFile(ctx context.Context, r *traversal.Run) error {
	format, err := t.format(t.reader)
	if err != nil {
		return err
	}
	m, err := r.Write()
	if err != nil {
		return err
	}
	f, err := r.Host.OpenRead(t.file)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := graphio.Opened(f)
	if err != nil {
		return err
	}
	if err := graphio.Read(ctx, format, in, &charged{graphio.TxSink(m, r.View.Options()), r}); err != nil {
		if errors.Is(err, storage.ErrTooLarge) || errors.Is(err, account.ErrLimit) {
			return fmt.Errorf("Could not read file %s into graph, for io() reads a file in one transaction: %w. `gremlind import` takes files of any size, through a running server too", t.file, err)
		}
		return fmt.Errorf("Could not read file %s into graph: %w", t.file, err)
	}
	return nil
}

// charged has a request pay for what reading keeps beside the transaction: the ids of
// vertices, which edges name later.
type charged struct {
	blueprints.RecordSink
	r *traversal.Run
}

// idBytes is what an id takes with what it stands for.
const idBytes = 96

// Vertex charges for the id of a vertex before it is kept.
func (c *charged) Vertex(v *blueprints.VertexRecord) error {
	if err := c.r.Charge(idBytes + len(v.ID.Str())); err != nil {
		return &graphio.Stop{Err: err}
	}
	return c.RecordSink.Vertex(v)
}

func (t *transfer) writeFile(ctx context.Context, r *traversal.Run) error {
	format, err := t.format(t.writer)
	if err != nil {
		return err
	}
	f, err := r.Host.OpenWrite(t.file)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, ioBufferBytes)
	err = graphio.Write(ctx, format, out, graphio.ViewSource(r.View))
	if err == nil {
		err = out.Flush()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("Could not write file %s from graph: %w", t.file, err)
	}
	return nil
}

const ioBufferBytes = 64 << 10
