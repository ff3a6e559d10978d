package traversal

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestMetrics_JavaString: the table of profile(), as a Gremlin Server prints it.
func TestMetrics_JavaString(t *testing.T) {
	count := func(traversers, elements int64) map[string]int64 {
		return map[string]int64{"traverserCount": traversers, "elementCount": elements}
	}
	percent := func(f float64) []Annotation { return []Annotation{{percentDuration, value.Double(f)}} }
	m := &TraversalMetrics{DurationNS: 9318200, Metrics: []*Metrics{
		{Name: "TinkerGraphStep(vertex,[])", DurationNS: 107500, Counts: count(6, 6), Annotations: percent(1.154)},
		{Name: "GroupStep(label,[VertexStep(OUT,edge), CountGlobalStep])", DurationNS: 9210999, Counts: count(1, 1),
			Annotations: append(percent(98.85), Annotation{"index", value.String("name")}),
			Nested:      []*Metrics{{Name: "VertexStep(OUT,edge)", DurationNS: 200000}}},
	}}
	want := `Traversal Metrics
Step                                                               Count  Traversers       Time (ms)    % Dur
=============================================================================================================
TinkerGraphStep(vertex,[])                                             6           6           0.107     1.15
GroupStep(label,[VertexStep(OUT,edge), CountGlo...                     1           1           9.210    98.85
  \_index=name
  VertexStep(OUT,edge)                                                                         0.200
                                            >TOTAL                     -           -           9.318        -`
	if got := m.JavaString(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	x := Metrics{ID: "0.0.0()", Name: "TinkerGraphStep(vertex,[])", Counts: count(6, 7), DurationNS: 93838}
	if got, want := x.JavaString(), "ImmutableMetrics{id='0.0.0()', name='TinkerGraphStep(vertex,[])', counts={traverserCount=6, elementCount=7}, durationNs=93838}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestExplanation_PrettyPrint: lines as long as a Gremlin Server makes them.
func TestExplanation_PrettyPrint(t *testing.T) {
	steps := []string{"GraphStep(vertex,[])", "VertexStep(OUT,vertex)"}
	x := &Explanation{Original: steps, Final: steps, Intermediate: []ExplainedStrategy{
		{"ConnectiveStrategy", "D", steps}, {"ByModulatorOptimizationStrategy", "O", steps},
	}}
	const want = `Traversal Explanation
============================================================
Original Traversal                    [GraphStep(vertex,[
                                         ]), VertexStep(OUT,
                                         vertex)]

ConnectiveStrategy              [D]   [GraphStep(vertex,[
                                         ]), VertexStep(OUT,
                                         vertex)]
ByModulatorOptimizationStrategy [O]   [GraphStep(vertex,[
                                         ]), VertexStep(OUT,
                                         vertex)]

Final Traversal                       [GraphStep(vertex,[
                                         ]), VertexStep(OUT,
                                         vertex)]`
	if got, _ := x.PrettyPrint(60); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, ok := x.PrettyPrint(10); ok {
		t.Error("no room for steps, and printed")
	}
	if got := x.JavaString(); strings.Count(got, "\n") != 7 {
		t.Errorf("toString() breaks lines:\n%s", got)
	}
}
