package main

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// parseTree reads the drawing of a tree, three columns per level:
//
//	|--marko
//	   |--josh
func (n notation) parseTree(text string) (*value.Tree, error) {
	root := &value.Tree{}
	stack := []*value.Tree{root}
	for _, l := range strings.Split(text, "\n") {
		if strings.TrimSpace(l) == "" {
			continue
		}
		at := strings.Index(l, "|--")
		if at < 0 || at/3 >= len(stack) {
			return nil, fmt.Errorf("read tree: %q hangs on nothing", l)
		}
		key, err := n.parse(strings.TrimSpace(l[at+3:]))
		if err != nil {
			return nil, err
		}
		child := &value.Tree{}
		parent := stack[at/3]
		parent.Keys = append(parent.Keys, key)
		parent.Children = append(parent.Children, child)
		stack = append(stack[:at/3+1], child)
	}
	return root, nil
}
