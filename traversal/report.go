package traversal

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Widths of the texts of explain() and profile(), in characters.
const (
	// ExplainedLine is the length of lines that prettyPrint() has unless it is told.
	ExplainedLine = 100
	profiledName  = 50
	profiledLine  = 110
	profiledKey   = 30
)

// JavaString is explain()'s text as the reference prints it.
func (x *Explanation) JavaString() string {
	s, _ := x.PrettyPrint(math.MaxInt32)
	return s
}

// PrettyPrint is explain()'s text in lines of at most width characters; false when the
// names of the strategies leave no room for the steps.
func (x *Explanation) PrettyPrint(width int) (string, bool) {
	names := 0
	for _, s := range x.Intermediate {
		names = max(names, len(s.Strategy))
	}
	if len(x.Intermediate) == 0 {
		names = 15
	}
	indent := names + 10
	if width -= indent; width < 1 {
		return "", false
	}
	widest := 0
	wrapped := func(steps []string) string {
		s := wrap("["+strings.Join(steps, ", ")+"]", width, indent)
		for _, line := range strings.Split(s, "\n") {
			line = strings.TrimSpace(line)
			n := utf8.RuneCountInString(line)
			if !strings.HasPrefix(line, "[") {
				n += 3
			}
			widest = max(widest, n)
		}
		return s
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-*s%s\n\n", names+7, "Original Traversal", wrapped(x.Original))
	last := x.Original
	for _, s := range x.Intermediate {
		fmt.Fprintf(&b, "%-*s [%s]   %s\n", names, s.Strategy, s.Category, wrapped(s.Traversal))
		last = s.Traversal
	}
	fmt.Fprintf(&b, "\n%-*s%s", names+7, "Final Traversal", wrapped(last))
	for i, u := range x.Unknown {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("\n" + u.String())
	}
	return "Traversal Explanation\n" + strings.Repeat("=", names+7+widest) + b.String(), true
}

// wrap breaks s into lines of width characters, all but the first indented.
func wrap(s string, width, indent int) string {
	var b strings.Builder
	n := 0
	for _, c := range s {
		if n == width {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			n = 0
		}
		b.WriteRune(c)
		n++
	}
	return b.String()
}

// JavaString is profile()'s table as the reference prints it.
func (t *TraversalMetrics) JavaString() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Traversal Metrics\n%-*s %21s %11s %15s %8s\n%s", profiledName, "Step", "Count", "Traversers", "Time (ms)", "% Dur",
		strings.Repeat("=", profiledLine-1))
	for _, m := range t.Metrics {
		m.row(&b, 0)
	}
	fmt.Fprintf(&b, "\n%*s %21s %11s %15.3f %8s", profiledName, ">TOTAL", "-", "-", milliseconds(t.DurationNS), "-")
	return b.String()
}

// row prints a step and, indented, those of its children.
func (m *Metrics) row(b *strings.Builder, depth int) {
	count := func(name string) string {
		if n, ok := m.Counts[name]; ok {
			return fmt.Sprint(n)
		}
		return ""
	}
	fmt.Fprintf(b, "\n%-*s %21s %11s %15.3f", profiledName, clipped(strings.Repeat("  ", depth)+m.Name, profiledName),
		count("elementCount"), count("traverserCount"), milliseconds(m.DurationNS))
	for _, a := range m.Annotations {
		if a.Key == percentDuration {
			fmt.Fprintf(b, " %8.2f", a.Value.Float64())
		}
	}
	for _, a := range m.Annotations {
		if a.Key != percentDuration {
			a.lines(b, depth)
		}
	}
	for _, n := range m.Nested {
		n.row(b, depth+1)
	}
}

// lines prints a remark beneath its step.
func (a *Annotation) lines(b *strings.Builder, depth int) {
	head := strings.Repeat("  ", depth+1) + `\_` + clipped(a.Key, profiledKey) + "="
	indent := utf8.RuneCountInString(head) + depth
	b.WriteString("\n" + head + wrap(a.Value.JavaString(), max(profiledLine-indent, 1), indent-1))
}

// clipped cuts s to width characters, the last three of them dots.
func clipped(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	return string([]rune(s)[:width-3]) + "..."
}

// milliseconds are whole microseconds, as the reference prints durations.
func milliseconds(ns int64) float64 { return float64(ns/1000) / 1000 }

// JavaString is how the reference prints the metrics of one step.
func (m *Metrics) JavaString() string {
	var counts []string
	for _, name := range []string{"traverserCount", "elementCount"} {
		if n, ok := m.Counts[name]; ok {
			counts = append(counts, fmt.Sprintf("%s=%d", name, n))
		}
	}
	return fmt.Sprintf("ImmutableMetrics{id='%s', name='%s', counts={%s}, durationNs=%d}", m.ID, m.Name, strings.Join(counts, ", "), m.DurationNS)
}
