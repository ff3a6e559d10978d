package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// generateOptions are the flags of gremlind generate.
type generateOptions struct {
	edges    int64
	seed     uint64
	vertices string
	edgeFile string
	weighted bool
	force    bool
}

func newGenerate() *cobra.Command {
	o := generateOptions{edges: 1_000_000, seed: 42, vertices: "vertices.csv", edgeFile: "edges.csv"}
	cmd := &cobra.Command{
		Use:   "generate [flags]",
		Short: "Make an R-MAT graph as CSV files for import",
		Long: `Makes a graph whose degrees follow a power law (R-MAT with .57/.19/.19/.05), the same for the same seed on every
machine: vertices with the properties name and age, about an eighth as many as edges, and edges labelled knows, with
the properties weight and since when asked.`,
		Args: cobra.NoArgs,
	}
	f := cmd.Flags()
	f.Int64Var(&o.edges, "edges", o.edges, "number of edges")
	f.Uint64Var(&o.seed, "seed", o.seed, "seed")
	f.StringVar(&o.vertices, "vertex-file", o.vertices, "file of the vertices")
	f.StringVar(&o.edgeFile, "edge-file", o.edgeFile, "file of the edges")
	f.BoolVar(&o.weighted, "edge-properties", false, "give edges the properties weight and since")
	f.BoolVar(&o.force, "force", false, "overwrite files that exist")
	cmd.RunE = func(*cobra.Command, []string) error { return runGenerate(o) }
	return cmd
}

func runGenerate(o generateOptions) error {
	if o.edges < 1 || o.edges > 1<<32 {
		return usage("--edges must be between 1 and 2^32")
	}
	for _, name := range []string{o.vertices, o.edgeFile} {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && !o.force {
			return usage("%s exists already: name other files with --vertex-file and --edge-file, or overwrite it with --force", name)
		}
	}
	g := newRMAT(o.edges, o.seed)
	g.weighted = o.weighted
	if err := writeWhole(o.vertices, nil, g.writeVertices); err != nil {
		return err
	}
	if err := writeWhole(o.edgeFile, nil, g.writeEdges); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d vertices, %d edges\n", g.vertices(), o.edges)
	return nil
}

// rmat generates an R-MAT graph (Chakrabarti, Zhan, Faloutsos 2004): each edge falls
// through the quadrants of the adjacency matrix with fixed probabilities.
type rmat struct {
	edges int64
	scale int // vertices = 2^scale
	seed  uint64
	// weighted gives edges properties.
	weighted bool
}

// The quadrants' probabilities, in parts of 2^16: .57, .19, .19 and the rest.
const (
	rmatA = 37356
	rmatB = rmatA + 12452
	rmatC = rmatB + 12452
)

func newRMAT(edges int64, seed uint64) *rmat {
	scale := 1
	for int64(1)<<scale < edges/8 {
		scale++
	}
	return &rmat{edges: edges, scale: scale, seed: seed}
}

func (g *rmat) vertices() int64 { return 1 << g.scale }

// next is SplitMix64 (Steele, Lea, Flood 2014).
func next(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (g *rmat) edge(state *uint64) (from, to int64) {
	var bits uint64
	for level := 0; level < g.scale; level++ {
		if level%4 == 0 {
			bits = next(state)
		}
		p := bits & 0xffff
		bits >>= 16
		from, to = from<<1, to<<1
		switch {
		case p < rmatA:
		case p < rmatB:
			to |= 1
		case p < rmatC:
			from |= 1
		default:
			from, to = from|1, to|1
		}
	}
	return from, to
}

func (g *rmat) writeVertices(w io.Writer) error {
	b := bufio.NewWriterSize(w, 64<<10)
	fmt.Fprintln(b, "~id,~label,name:String,age:Int")
	state := g.seed ^ 0x5eed
	for v := int64(0); v < g.vertices(); v++ {
		fmt.Fprintf(b, "%d,person,p%d,%d\n", v, v, 18+next(&state)%63)
	}
	return b.Flush()
}

func (g *rmat) writeEdges(w io.Writer) error {
	b := bufio.NewWriterSize(w, 64<<10)
	header := "~id,~from,~to,~label"
	if g.weighted {
		header += ",weight:Double,since:Int"
	}
	fmt.Fprintln(b, header)
	state, values := g.seed, g.seed^0xed6e
	for e := int64(0); e < g.edges; e++ {
		from, to := g.edge(&state)
		fmt.Fprintf(b, "%d,%d,%d,knows", g.vertices()+e, from, to)
		if g.weighted {
			n := next(&values)
			fmt.Fprintf(b, ",%d.%03d,%d", n%10, n>>8%1000, 1990+n>>32%30)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}
