package lang

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Fits reports whether a step of bytecode can be called with its arguments, as far as the
// grammar knows, and returns their types as Java names them: "Scope, String".
func Fits(in traversal.Instruction) (types string, fits bool) {
	names := make([]string, len(in.Args))
	for i, v := range in.Args {
		class := value.JavaClass(v)
		names[i] = class[strings.LastIndexAny(class, ".$")+1:]
	}
	m := steps[in.Name]
	if m == nil {
		m = spawns[in.Name]
	}
	return strings.Join(names, ", "), m == nil || m.takesValues(in.Args)
}

func (m *method) takesValues(args []value.Value) bool {
	for k := range m.signatures {
		s := &m.signatures[k]
		fits := s.takes(len(args))
		for i := 0; fits && i < len(args); i++ {
			p, _ := s.at(i)
			fits = p.accept&classOf(args[i]) != 0
		}
		if fits {
			return true
		}
	}
	return false
}

// classes are the forms of values in the text.
var classes = map[value.Kind]class{
	value.KindNull: classNull, value.KindBool: classBool, value.KindString: classString,
	value.KindByte: classInteger, value.KindShort: classInteger, value.KindInt: classInteger, value.KindLong: classInteger, value.KindBigInteger: classInteger,
	value.KindFloat: classFloat, value.KindDouble: classFloat, value.KindBigDecimal: classFloat,
	value.KindList: classList, value.KindSet: classSet, value.KindMap: classMap, value.KindUUID: classUUID, value.KindOffsetDateTime: classDate,
	value.KindBytecode: classTraversal | classCardinalityValue, value.KindP: classPredicate,
	value.KindT: classT, value.KindCardinality: classCardinality, value.KindDirection: classDirection, value.KindMerge: classMerge,
	value.KindPick: classPick, value.KindDT: classDT, value.KindGType: classGType, value.KindScope: classScope, value.KindOrder: classOrder,
	value.KindColumn: classColumn, value.KindPop: classPop, value.KindOperator: classOperator, value.KindBarrier: classBarrier,
}

// classOf is the form of a value in the text; what has none there may be anything.
func classOf(v value.Value) class {
	if b, ok := v.Object().(*traversal.Binding); ok && v.Kind() == value.KindBinding {
		v = b.Value
	}
	if c, ok := classes[v.Kind()]; ok {
		return c
	}
	return ^class(0)
}
