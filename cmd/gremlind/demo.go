package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
)

// demoSample is the graph that gremlind demo serves.
const demoSample = "airroutes"

func newDemo() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Serve the world's air routes, with ten questions to try",
		Long: `Serve the world's air routes, with ten questions to try.

3,504 airports, 237 countries, and the 50,637 routes between the airports, of Kelvin R. Lawrence's "Practical Gremlin"
(https://github.com/krlawrence/graph, Apache License 2.0). They are in memory and gone at the end, unless --data-dir names
a folder to keep them in. It is the server of "gremlind serve" otherwise.`,
		Example: `  gremlind demo
  gremlind demo --data-dir airports`,
		Args: cobra.NoArgs,
	}
	configFlags(cmd.Flags())
	// What it serves is said.
	_ = cmd.Flags().MarkHidden("sample")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := demoConfig(cmd)
		if err != nil {
			return err
		}
		return runServe(cmd.Context(), c, func(s *server, at net.Addr) error {
			if err := hasAirports(cmd.Context(), s.db, c.Sources["g"]); err != nil {
				return err
			}
			s.announce(at)
			return printDemo(cmd.OutOrStdout(), s, at)
		})
	}
	return cmd
}

// demoConfig is the configuration of a server with the demo's graph, whose log says what is
// wrong and no more unless it is told to.
func demoConfig(cmd *cobra.Command) (*config, error) {
	if cmd.Flags().Changed("sample") {
		return nil, usage("demo serves the air routes; gremlind serve --sample has the other samples")
	}
	if err := cmd.Flags().Set("sample", demoSample); err != nil {
		return nil, err
	}
	c, err := loadConfig(cmd.Flags(), nil, os.Environ())
	if err != nil {
		return nil, err
	}
	if len(c.Graphs) != 1 || c.Graphs[0].Sample != demoSample {
		return nil, usage("the configuration %s has graphs of its own: unset GREMLIN_YAML for the demo", os.Getenv("GREMLIN_YAML"))
	}
	if c.origin["logLevel"] == "" {
		c.LogLevel = "warn"
	}
	return c, nil
}

// hasAirports refuses a data directory that was filled with something else.
func hasAirports(ctx context.Context, db *blueprints.Database, graph string) error {
	g, err := db.Graph(graph)
	if err != nil {
		return err
	}
	return g.View(ctx, func(tx *blueprints.Tx) error {
		if label, ok := tx.Symbol("airport"); ok {
			if n, err := tx.VertexCount(label); err != nil || n > 0 {
				return err
			}
		}
		return usage("the data directory holds another graph, which demo leaves as it is: name a folder that is empty or not there yet")
	})
}

// printDemo says where the demo is and what to ask it.
func printDemo(to io.Writer, s *server, at net.Addr) error {
	kept := "in memory, gone at the end"
	if !s.c.Memory {
		kept = "kept in " + s.c.DataDir
	}
	url := explorerURL(s.c, at)
	console := strings.Replace(url, "http", "ws", 1) + "gremlin"
	var b strings.Builder
	fmt.Fprintf(&b, "The world's air routes, %s. Ctrl-C ends it.\n\n", kept)
	if s.c.explores() {
		fmt.Fprintf(&b, "  explorer   %s\n", url)
	}
	fmt.Fprintf(&b, "  console    gremlind console %s\n\nTen questions to paste into either:\n", console)
	for i, q := range demoQuestions {
		fmt.Fprintf(&b, "\n%2d. %s\n    %s\n", i+1, q.ask, q.gremlin)
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// demoQuestions go from what is there to what only a graph is asked.
var demoQuestions = []struct{ ask, gremlin string }{
	{"What is known of an airport?",
		`g.V().has('airport', 'code', 'AUS').elementMap()`},
	{"Where does one get from Austin without a stop, the farthest first?",
		`g.V().has('airport', 'code', 'AUS').outE('route').order().by('dist', desc).limit(8).project('to', 'miles').by(inV().values('city')).by('dist')`},
	{"How many airports has each continent?",
		`g.V().hasLabel('continent').order().by('desc').project('continent', 'airports').by('desc').by(out('contains').count())`},
	{"Which airports have the most routes?",
		`g.V().hasLabel('airport').order().by(outE('route').count(), desc).limit(8).project('code', 'city', 'routes').by('code').by('city').by(outE('route').count())`},
	{"Which airports are highest above the sea, in feet?",
		`g.V().hasLabel('airport').order().by('elev', desc).limit(5).valueMap('city', 'country', 'elev')`},
	{"How does one get from Austin to Longyearbyen, far in the north, with the fewest stops? (Look at it as a picture.)",
		`g.V().has('airport', 'code', 'AUS').repeat(out('route').simplePath()).until(has('code', 'LYR')).limit(4).path()`},
	{"How do the airports of New Zealand hang together? (A picture, too.)",
		`g.V().has('airport', 'country', 'NZ').outE('route').where(inV().has('country', 'NZ'))`},
	{"How many airports are within two flights of Reykjavik?",
		`g.V().has('airport', 'code', 'KEF').repeat(out('route')).emit().times(2).dedup().count()`},
	{"In which cities can one change between Austin and Edinburgh?",
		`g.V().has('airport', 'code', 'AUS').out('route').where(out('route').has('code', 'EDI')).order().by('city').values('city')`},
	{"How many round trips of three flights begin in Dallas?",
		`g.V().has('airport', 'code', 'DFW').as('home').out('route').out('route').out('route').where(eq('home')).count()`},
}
