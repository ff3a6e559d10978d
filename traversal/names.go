package traversal

import "slices"

// names are labels or keys to be looked up. Few are compared one by one, many through a
// map, so that as() with as many labels as a request can hold stays linear.
type names struct {
	list []string
	set  map[string]struct{} // of list, when it is long
}

const fewNames = 16

func namesOf(list []string) names {
	l := names{list: list}
	if len(list) > fewNames {
		l.set = make(map[string]struct{}, len(list))
		for _, s := range list {
			l.set[s] = struct{}{}
		}
	}
	return l
}

func (l names) has(s string) bool {
	if l.set != nil {
		_, ok := l.set[s]
		return ok
	}
	return slices.Contains(l.list, s)
}

// sameLabels reports whether two lists without repetitions, of one length, have the same
// members.
func sameLabels(a, b []string) bool {
	if len(a) == 0 || &a[0] == &b[0] {
		return true
	}
	in := namesOf(b)
	for _, l := range a {
		if !in.has(l) {
			return false
		}
	}
	return true
}

// labelled is the node that as() has labelled last, and what its labels are.
type labelled struct {
	node *Node
	has  map[string]bool
}

// add puts a label on n unless it is there.
func (s *labelled) add(n *Node, label string) {
	if s.node != n {
		s.node, s.has = n, nil
	}
	switch {
	case s.has[label] || s.has == nil && slices.Contains(n.Labels, label):
		return
	case s.has == nil && len(n.Labels) >= fewNames:
		s.has = make(map[string]bool, 2*len(n.Labels))
		for _, l := range n.Labels {
			s.has[l] = true
		}
	}
	if s.has != nil {
		s.has[label] = true
	}
	n.Labels = append(n.Labels, label)
}
