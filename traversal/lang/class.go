package lang

import "strings"

// class is a set of the forms that an argument can have in the text.
type class uint32

const (
	classString class = 1 << iota
	classNull
	classInteger
	classFloat
	classBool
	classTraversal
	classTerminated
	classPredicate
	classDate
	classUUID
	classList
	classSet
	classMap
	classVariable
	classT
	classCardinality
	classCardinalityValue
	classDirection
	classMerge
	classPick
	classDT
	classGType
	classScope
	classOrder
	classColumn
	classPop
	classOperator
	classBarrier
	classWithKey
	classWithValue
)

const (
	classNumber = classInteger | classFloat
	// classLiteral is the grammar's genericLiteral.
	classLiteral = classString | classNull | classNumber | classBool | classTraversal | classTerminated |
		classDate | classUUID | classList | classSet | classMap | classT | classCardinality |
		classCardinalityValue | classDirection | classMerge | classPick | classDT | classGType
	classArgument = classLiteral | classVariable
)

// classNames describe what a place accepts, in the order an error lists them.
var classNames = []struct {
	class class
	name  string
}{
	{classString, "a string"},
	{classInteger | classFloat, "a number"},
	{classInteger, "an integer"},
	{classBool, "true or false"},
	{classTraversal, "a traversal"},
	{classPredicate, "a predicate such as P.gt(1)"},
	{classMap, "a map"},
	{classList, "a list"},
	{classSet, "a set"},
	{classDate, "datetime(..)"},
	{classNull, "null"},
	{classT, "T"},
	{classColumn, "Column"},
	{classOrder, "Order"},
	{classScope, "Scope"},
	{classPop, "Pop"},
	{classCardinality, "Cardinality"},
	{classDirection, "Direction"},
	{classMerge, "Merge"},
	{classOperator, "Operator"},
	{classDT, "DT"},
	{classGType, "GType"},
	{classBarrier, "Barrier.normSack"},
	{classVariable, "a variable"},
}

// String says what c accepts, as in "a string, a traversal or null".
func (c class) String() string {
	if c&classLiteral == classLiteral {
		if c&classVariable != 0 {
			return "a value or a variable"
		}
		return "a value"
	}
	var names []string
	for _, n := range classNames {
		if c&n.class == n.class {
			names = append(names, n.name)
			c &^= n.class
		}
	}
	switch len(names) {
	case 0:
		return "nothing"
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
