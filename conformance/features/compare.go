package main

import (
	"github.com/gremlind/gremlind/storage/value"
)

// same compares an answer with what a scenario expects: elements by id, numbers with
// their type, maps and sets without order, a bulk set as the list of its elements.
func same(got, want value.Value) bool {
	if got.Kind() == value.KindBulkSet {
		got = value.List(expandBulkSet(got.BulkSet()))
	}
	if got.Kind() != want.Kind() {
		return false
	}
	switch want.Kind() {
	case value.KindVertex, value.KindEdge, value.KindVertexProperty:
		return value.Identical(elementID(got), elementID(want))
	case value.KindList:
		return sameOrdered(got.Elems(), want.Elems())
	case value.KindSet:
		return sameUnordered(got.Set().Elems(), want.Set().Elems())
	case value.KindPath:
		return sameOrdered(got.Path().Objects, want.Path().Objects)
	case value.KindMap:
		return sameMap(got.Map(), want.Map())
	case value.KindTree:
		return sameTree(got.Tree(), want.Tree())
	}
	return value.Identical(got, want)
}

func expandBulkSet(s *value.BulkSet) []value.Value {
	var all []value.Value
	for i := range s.Len() {
		v, n := s.Entry(i)
		for range n {
			all = append(all, v)
		}
	}
	return all
}

func sameOrdered(got, want []value.Value) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if !same(got[i], want[i]) {
			return false
		}
	}
	return true
}

// sameUnordered finds for each answer an expectation of its own.
func sameUnordered(got, want []value.Value) bool {
	return len(got) == len(want) && allFound(got, want, true)
}

// allFound reports whether each answer is among the expectations, using each of them
// once or as often as needed.
func allFound(got, want []value.Value, once bool) bool {
	used := make([]bool, len(want))
	for _, g := range got {
		found := false
		for i, w := range want {
			if !used[i] && same(g, w) {
				used[i], found = once, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func sameMap(got, want *value.Map) bool {
	if got.Len() != want.Len() {
		return false
	}
	for i := range got.Len() {
		gk, gv := got.Entry(i)
		found := false
		for j := range want.Len() {
			if wk, wv := want.Entry(j); same(gk, wk) && same(gv, wv) {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func sameTree(got, want *value.Tree) bool {
	if len(got.Keys) != len(want.Keys) {
		return false
	}
	for i, g := range got.Keys {
		found := false
		for j, w := range want.Keys {
			if same(g, w) && sameTree(got.Children[i], want.Children[j]) {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}
