package match

import "slices"

// firstLabel is the label that the traverser's object gets when none is bound: one at
// which patterns only start, or else the one that comes first when labels are sorted
// from starts to ends. Ties fall as they do in the reference, where they come from the
// order of Java's collections.
func (m *matchArgs) firstLabel() string {
	var starts, sorted []string
	for _, p := range m.patterns {
		for _, l := range p.needs {
			if !m.endsAt(l) && !slices.Contains(starts, l) {
				starts = append(starts, l)
			}
			if !slices.Contains(sorted, l) {
				sorted = append(sorted, l)
			}
		}
		if p.end != "" && !slices.Contains(sorted, p.end) {
			sorted = append(sorted, p.end)
		}
	}
	if len(starts) > 0 {
		return slices.MinFunc(starts, func(a, b string) int { return hashSlot(a) - hashSlot(b) })
	}
	if len(sorted) == 0 {
		return ""
	}
	insertionSort(sorted, m.before)
	return sorted[0]
}

func (m *matchArgs) endsAt(label string) bool {
	return slices.ContainsFunc(m.patterns, func(p *pattern) bool { return p.end == label })
}

// before compares two labels by the first pattern that leads from one to the other.
func (m *matchArgs) before(a, b string) int {
	for _, p := range m.patterns {
		switch {
		case p.end == "":
		case a == p.end && slices.Contains(p.needs, b):
			return 1
		case b == p.end && slices.Contains(p.needs, a):
			return -1
		}
	}
	return 0
}

// hashSlot is where a small java.util.HashSet keeps a string.
func hashSlot(s string) int {
	var h uint32
	for _, r := range s {
		h = 31*h + uint32(r)
	}
	return int((h ^ h>>16) & 15)
}

// insertionSort sorts as Java does with few elements. The comparison is no total
// order, so the algorithm decides: first the run at the front, then binary insertion.
func insertionSort(list []string, cmp func(a, b string) int) {
	if len(list) < 2 {
		return
	}
	run := 2
	if cmp(list[1], list[0]) < 0 {
		for run < len(list) && cmp(list[run], list[run-1]) < 0 {
			run++
		}
		slices.Reverse(list[:run])
	} else {
		for run < len(list) && cmp(list[run], list[run-1]) >= 0 {
			run++
		}
	}
	for ; run < len(list); run++ {
		pivot := list[run]
		left, right := 0, run
		for left < right {
			mid := (left + right) / 2
			if cmp(pivot, list[mid]) < 0 {
				right = mid
			} else {
				left = mid + 1
			}
		}
		copy(list[left+1:run+1], list[left:run])
		list[left] = pivot
	}
}
