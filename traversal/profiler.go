package traversal

import (
	"fmt"
	"time"

	"github.com/gremlind/gremlind/storage/value"
)

// Profiler measures the running steps of one plan for profile().
type Profiler struct {
	// Steps are those of the root traversal; the steps of children hang below.
	Steps []*StepProfile
	stack []*StepProfile // steps that are being opened: the innermost is the parent
}

// StepProfile is what one running step did.
type StepProfile struct {
	Node       *Node
	name       string
	DurationNS int64 // with everything upstream
	Traversers int64
	Elements   int64            // sum of bulks
	Children   [][]*StepProfile // one list per child traversal
}

// profiles reports whether a plan asks for measurements.
func (p *Plan) profiles() bool {
	for _, n := range p.Nodes {
		if n.Name() == profileStep {
			return true
		}
	}
	return false
}

// profileStep is the name of the step that reports what a Profiler measured.
const profileStep = "profile"

// begin notes that the steps of a traversal are about to be opened.
func (p *Profiler) begin() {
	if n := len(p.stack); n > 0 {
		p.stack[n-1].Children = append(p.stack[n-1].Children, nil)
	}
}

// enter notes that a step is being opened; its children follow.
func (p *Profiler) enter(r *Run, n *Node) *StepProfile {
	sp := &StepProfile{Node: n, name: r.stepName(n)}
	if depth := len(p.stack); depth == 0 {
		p.Steps = append(p.Steps, sp)
	} else {
		lists := p.stack[depth-1].Children
		lists[len(lists)-1] = append(lists[len(lists)-1], sp)
	}
	p.stack = append(p.stack, sp)
	return sp
}

// leave puts a meter behind the opened step.
func (p *Profiler) leave(sp *StepProfile, s Source) Source {
	p.stack = p.stack[:len(p.stack)-1]
	return &meter{s, sp}
}

type meter struct {
	Source
	sp *StepProfile
}

func (m *meter) Next(b *Batch, max int) error {
	from := b.Len()
	start := time.Now()
	err := m.Source.Next(b, max)
	m.sp.DurationNS += int64(time.Since(start))
	m.sp.Traversers += int64(b.Len() - from)
	m.sp.Elements += b.Bulks(from)
	return err
}

// percentDuration is the remark that tells a step's share of the time.
const percentDuration = "percentDur"

// Each calls fn for the steps of the root traversal, with the time that each took for itself.
func (p *Profiler) Each(fn func(s *StepProfile, own time.Duration)) {
	before := int64(0)
	for _, sp := range p.Steps {
		fn(sp, time.Duration(max(sp.DurationNS-before, 0)))
		before = sp.DurationNS
	}
}

// Metrics returns what was measured so far, in TinkerPop's shape.
func (p *Profiler) Metrics() *TraversalMetrics {
	t := &TraversalMetrics{}
	t.Metrics = metricsOf(p.Steps, 0, 0, "")
	for _, m := range t.Metrics {
		t.DurationNS += m.DurationNS
	}
	for _, m := range t.Metrics {
		percent := 0.0
		if t.DurationNS > 0 {
			percent = 100 * float64(m.DurationNS) / float64(t.DurationNS)
		}
		m.Annotations = append(m.Annotations, Annotation{Key: percentDuration, Value: value.Double(percent)})
	}
	return t
}

// metricsOf reports the steps of one traversal: its depth, its position among its
// parent's children, and the parent's id make the ids, where every other position
// belongs to the meter that the reference puts behind each step.
func metricsOf(steps []*StepProfile, depth, position int, parent string) []*Metrics {
	var list []*Metrics
	before := int64(0)
	for i, sp := range steps {
		if sp.Node.Name() == profileStep {
			break
		}
		m := &Metrics{ID: fmt.Sprintf("%d.%d.%d(%s)", 2*i, depth, position, parent), Name: sp.name}
		m.DurationNS = max(sp.DurationNS-before, 0)
		before = sp.DurationNS
		if sp.Traversers > 0 {
			m.Counts = map[string]int64{"traverserCount": sp.Traversers, "elementCount": sp.Elements}
		}
		for c, child := range sp.Children {
			m.Nested = append(m.Nested, metricsOf(child, depth+1, c, m.ID)...)
		}
		list = append(list, m)
	}
	return list
}
