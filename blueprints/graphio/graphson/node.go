package graphson

import "fmt"

// NodeKind is the type of a JSON value.
type NodeKind uint8

// The types of JSON values.
const (
	NodeNull NodeKind = iota
	NodeTrue
	NodeFalse
	NodeNumber
	NodeString
	NodeArray
	NodeObject
)

var nodeNames = [...]string{"null", "true", "false", "a number", "a string", "an array", "an object"}

func (k NodeKind) String() string { return nodeNames[k] }

// Node is a parsed JSON value. A nil *Node reads as absent.
type Node struct {
	kind NodeKind
	text string // of a number as written, of a string decoded
	kids []Node // elements, or keys and values in turn
}

// Kind returns the type; NodeNull for an absent Node.
func (n *Node) Kind() NodeKind {
	if n == nil {
		return NodeNull
	}
	return n.kind
}

// Text returns the content of a string, or a number as written.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// Len returns the number of elements of an array or of entries of an object.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	if n.kind == NodeObject {
		return len(n.kids) / 2
	}
	return len(n.kids)
}

// Elem returns the i-th element of an array.
func (n *Node) Elem(i int) *Node { return &n.kids[i] }

// Entry returns the i-th key and value of an object.
func (n *Node) Entry(i int) (string, *Node) { return n.kids[2*i].text, &n.kids[2*i+1] }

// Field returns the value of a key, the last one when it is repeated, nil when absent.
func (n *Node) Field(key string) *Node {
	if n == nil || n.kind != NodeObject {
		return nil
	}
	for i := len(n.kids) - 2; i >= 0; i -= 2 {
		if n.kids[i].text == key {
			return &n.kids[i+1]
		}
	}
	return nil
}

// expect is an error unless n is of the kind.
func (n *Node) expect(k NodeKind, what string) error {
	if n.Kind() != k {
		return fmt.Errorf("%s is %s, not %s", what, n.Kind(), k)
	}
	return nil
}
