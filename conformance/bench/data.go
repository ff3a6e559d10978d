package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// dataset is the generated graph: its files, and what seeds are chosen from.
type dataset struct {
	vertexFile, edgeFile, graphML string
	vertices                      int
	edges                         int64
	out                           [][]int32
	seeds                         []int32
}

const (
	seedCount            = 1000
	seedDegree           = 4 // smallest and
	seedDegreeMax        = 64
	generatorSeed uint64 = 42
)

// generate makes the files, once per size, and reads the graph back.
func generate(ctx context.Context, binary, dir string, edges int64) (*dataset, error) {
	d := &dataset{
		vertexFile: filepath.Join(dir, fmt.Sprintf("vertices-%d.csv", edges)),
		edgeFile:   filepath.Join(dir, fmt.Sprintf("edges-%d.csv", edges)),
		graphML:    filepath.Join(dir, fmt.Sprintf("rmat-%d.xml", edges)),
		edges:      edges,
	}
	if _, err := os.Stat(d.edgeFile); err != nil {
		if err := d.write(ctx, binary); err != nil {
			return nil, err
		}
	}
	if err := d.read(); err != nil {
		return nil, err
	}
	d.chooseSeeds()
	return d, nil
}

// write has a binary make the files.
func (d *dataset) write(ctx context.Context, binary string) error {
	cmd := exec.CommandContext(ctx, binary, "generate", "--edges", strconv.FormatInt(d.edges, 10),
		"--seed", strconv.FormatUint(generatorSeed, 10), "--vertex-file", d.vertexFile, "--edge-file", d.edgeFile)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("generate: %w\n%s", err, out)
	}
	return nil
}

// read fills the adjacency and writes the GraphML file that Java servers load.
func (d *dataset) read() error {
	xml, err := os.Create(d.graphML)
	if err != nil {
		return fmt.Errorf("create GraphML file: %w", err)
	}
	defer xml.Close()
	w := bufio.NewWriterSize(xml, 1<<20)
	fmt.Fprint(w, `<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">`,
		`<key id="labelV" for="node" attr.name="labelV" attr.type="string"/><key id="name" for="node" attr.name="name" attr.type="string"/>`,
		`<key id="age" for="node" attr.name="age" attr.type="int"/><key id="labelE" for="edge" attr.name="labelE" attr.type="string"/>`,
		`<graph id="G" edgedefault="directed">`)
	if err := eachRecord(d.vertexFile, func(r []string) {
		d.vertices++
		fmt.Fprintf(w, `<node id="%s"><data key="labelV">%s</data><data key="name">%s</data><data key="age">%s</data></node>`, r[0], r[1], r[2], r[3])
	}); err != nil {
		return err
	}
	d.out = make([][]int32, d.vertices)
	if err := eachRecord(d.edgeFile, func(r []string) {
		from, to := mustID(r[1]), mustID(r[2])
		d.out[from] = append(d.out[from], to)
		fmt.Fprintf(w, `<edge id="%s" source="%s" target="%s"><data key="labelE">%s</data></edge>`, r[0], r[1], r[2], r[3])
	}); err != nil {
		return err
	}
	fmt.Fprint(w, `</graph></graphml>`)
	return w.Flush()
}

// mustID reads an id that gremlind generate wrote.
func mustID(s string) int32 {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		panic(err)
	}
	return int32(n)
}

func eachRecord(file string, f func([]string)) error {
	r, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("open records: %w", err)
	}
	defer r.Close()
	c := csv.NewReader(bufio.NewReaderSize(r, 1<<20))
	c.ReuseRecord = true
	if _, err := c.Read(); err != nil {
		return fmt.Errorf("read heading: %w", err)
	}
	for {
		rec, err := c.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read record: %w", err)
		}
		f(rec)
	}
}

// chooseSeeds takes vertices of middling out-degree, the same on every machine.
func (d *dataset) chooseSeeds() {
	state := generatorSeed
	for len(d.seeds) < seedCount {
		v := int32(splitMix(&state) % uint64(d.vertices))
		if n := len(d.out[v]); n >= seedDegree && n <= seedDegreeMax {
			d.seeds = append(d.seeds, v)
		}
	}
}

// splitMix is SplitMix64.
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// threeAway returns a vertex at distance three from v, or v itself when there is none.
func (d *dataset) threeAway(v int32) int32 {
	near := map[int32]bool{v: true}
	frontier := []int32{v}
	for hop := 1; hop <= 3; hop++ {
		var next []int32
		for _, u := range frontier {
			for _, w := range d.out[u] {
				if !near[w] {
					if hop == 3 {
						return w
					}
					near[w] = true
					next = append(next, w)
				}
			}
		}
		frontier = next
	}
	return v
}
