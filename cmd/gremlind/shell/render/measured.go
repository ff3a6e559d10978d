package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// measured shows what profile() and explain() answer; false for all else.
func measured(dst []string, v value.Value, width int) ([]string, bool) {
	switch x := v.Object().(type) {
	case *traversal.TraversalMetrics:
		return profileLines(dst, x, width), true
	case *traversal.Metrics:
		return profileLines(dst, &traversal.TraversalMetrics{DurationNS: x.DurationNS, Metrics: []*traversal.Metrics{x}}, width), true
	}
	if m := v.Map(); isExplanation(m) {
		return explanationLines(dst, m, width), true
	}
	return dst, false
}

// profileRow is a step, or a step within one.
type profileRow struct {
	name   string
	count  int64
	bulked int64
	took   time.Duration
	nested bool
	notes  []string
}

const (
	barWidth  = 20
	nameLeast = 12
)

// profileColumn is a column between name and bar.
type profileColumn struct {
	title string
	width int
	cell  func(r *profileRow) string
}

// profileColumns are those that a width has room for: a narrow terminal does without
// traversers first, then without shares and results.
func profileColumns(total time.Duration, width int) (columns []profileColumn, taken int) {
	columns = []profileColumn{
		{"results", 10, func(r *profileRow) string { return number(r.count) }},
		{"traversers", 11, func(r *profileRow) string { return number(r.bulked) }},
		{"time", 11, func(r *profileRow) string { return duration(r.took) }},
		{"share", 7, func(r *profileRow) string { return fmt.Sprintf("%.1f%%", 100*r.share(total)) }},
	}
	for _, c := range columns {
		taken += c.width
	}
	for _, title := range []string{"traversers", "share", "results"} {
		if width <= 0 || nameLeast+taken <= width {
			break
		}
		i := slices.IndexFunc(columns, func(c profileColumn) bool { return c.title == title })
		taken -= columns[i].width
		columns = slices.Delete(columns, i, i+1)
	}
	return columns, taken
}

// share is the part of the whole time that a step took.
func (r *profileRow) share(total time.Duration) float64 {
	if total <= 0 {
		return 0
	}
	return float64(r.took) / float64(total)
}

// profileLines draws the time of each step as a bar of the whole.
func profileLines(dst []string, m *traversal.TraversalMetrics, width int) []string {
	rows := profileRows(nil, m.Metrics, "")
	total := time.Duration(m.DurationNS)
	columns, taken := profileColumns(total, width)
	name, bar := nameLeast, barWidth
	for _, r := range rows {
		name = max(name, Width(r.name))
	}
	if width > 0 {
		bar = min(bar, max(width-taken-nameLeast-1, 0))
		name = max(min(name, width-taken-bar-1), nameLeast)
	}
	line := func(title, bar string, cell func(profileColumn) string) {
		var b strings.Builder
		pad(&b, Clip(title, name), name, false)
		for _, c := range columns {
			pad(&b, cell(c), c.width, true)
		}
		dst = append(dst, strings.TrimRight(b.String()+" "+bar, " "))
	}
	line("step", "", func(c profileColumn) string { return c.title })
	for i := range rows {
		r := &rows[i]
		drawn := ""
		if !r.nested {
			drawn = bars(r.share(total), bar)
		}
		line(r.name, drawn, func(c profileColumn) string { return c.cell(r) })
		for _, note := range r.notes {
			dst = append(dst, "    "+note)
		}
	}
	line("total", "", func(c profileColumn) string {
		if c.title == "time" {
			return duration(total)
		}
		return ""
	})
	return dst
}

func profileRows(dst []profileRow, list []*traversal.Metrics, indent string) []profileRow {
	for _, m := range list {
		r := profileRow{
			name: indent + Clean(m.Name), count: m.Counts["elementCount"], bulked: m.Counts["traverserCount"],
			took: time.Duration(m.DurationNS), nested: indent != "",
		}
		for _, a := range m.Annotations {
			if a.Key != "percentDur" {
				r.notes = append(r.notes, indent+Clean(a.Key)+": "+Text(a.Value))
			}
		}
		dst = profileRows(append(dst, r), m.Nested, indent+"  ")
	}
	return dst
}

func number(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// duration is short and has three digits.
func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.1f µs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3f ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.3f s", d.Seconds())
}

// bars draws a share of width columns in eighths.
func bars(share float64, width int) string {
	eighths := []rune(" ▏▎▍▌▋▊▉█")
	n := int(min(max(share, 0), 1)*float64(width)*8 + .5)
	s := strings.Repeat("█", n/8)
	if rest := n % 8; rest > 0 {
		s += string(eighths[rest])
	}
	return s
}

// isExplanation knows what explain() answers by its keys.
func isExplanation(m *value.Map) bool {
	if m == nil || m.Len() < 3 || m.Len() > 4 { // gremlind adds the names that nothing has
		return false
	}
	for _, key := range []string{"original", "intermediate", "final"} {
		if v, ok := m.GetString(key); !ok || v.Kind() != value.KindList {
			return false
		}
	}
	return true
}

// explanationLines shows the plan and each strategy that changed it.
func explanationLines(dst []string, m *value.Map, width int) []string {
	original, _ := m.GetString("original")
	intermediate, _ := m.GetString("intermediate")
	final, _ := m.GetString("final")
	plan := planText(original)
	dst = append(dst, wrapped("original", plan, width)...)
	for _, v := range intermediate.Elems() {
		x := v.Map()
		name, _ := x.GetString("strategy")
		category, _ := x.GetString("category")
		steps, _ := x.GetString("traversal")
		if now := planText(steps); now != plan {
			plan = now
			dst = append(dst, wrapped(Clean(name.JavaString())+" ["+Clean(category.JavaString())+"]", plan, width)...)
		}
	}
	dst = append(dst, wrapped("final", planText(final), width)...)
	for _, name := range Unknown(m) {
		dst = append(dst, Clean(name))
	}
	return dst
}

// Unknown are the remarks of an explanation on labels and keys that the graph does not
// have, as gremlind makes them.
func Unknown(m *value.Map) []string {
	if !isExplanation(m) {
		return nil
	}
	list, _ := m.GetString("unknown")
	var out []string
	for _, v := range list.Elems() {
		out = append(out, v.JavaString())
	}
	return out
}

func planText(steps value.Value) string {
	list := steps.Elems()
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = Text(s)
	}
	return strings.Join(names, " → ")
}

// wrapped puts a plan beneath its title, broken between steps.
func wrapped(title, plan string, width int) []string {
	out := []string{title}
	line := "   "
	for i, part := range strings.Split(plan, " → ") {
		if i > 0 {
			part = "→ " + part
		}
		if width > 0 && line != "   " && Width(line)+1+Width(part) > width {
			out = append(out, line)
			line = "   "
		}
		line += " " + part
	}
	return append(out, line)
}
