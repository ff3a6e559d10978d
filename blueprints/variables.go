package blueprints

import (
	"fmt"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// VariablesMax bounds the variables of a graph, in bytes of their names and values.
const VariablesMax = 1 << 20

// variablePrefix begins the names of the notes that hold variables.
const variablePrefix = "variable/"

var errVariables = fmt.Errorf("%w: the variables of a graph take at most %d bytes", storage.ErrTooLarge, VariablesMax)

// roomAfter is what is left of so many bytes when v is written, about; below 0 it has not
// looked at all of v, in which small parts may be there many times.
func roomAfter(v value.Value, left int) int {
	left -= 8
	switch v.Kind() {
	case value.KindString, value.KindClass:
		return left - len(v.Str())
	case value.KindBinary:
		return left - len(v.Bytes())
	case value.KindBigInteger:
		return left - v.BigInt().BitLen()/8
	case value.KindList:
		return roomAfterAll(v.Elems(), left)
	case value.KindSet:
		return roomAfterAll(v.Set().Elems(), left)
	case value.KindMap:
		return roomAfterAll(v.Map().Values(), roomAfterAll(v.Map().Keys(), left))
	case value.KindMapEntry:
		return roomAfter(v.MapEntry().Value, roomAfter(v.MapEntry().Key, left))
	case value.KindBulkSet:
		for i := 0; i < v.BulkSet().Len() && left >= 0; i++ {
			e, _ := v.BulkSet().Entry(i)
			left = roomAfter(e, left)
		}
	}
	return left
}

func roomAfterAll(list []value.Value, left int) int {
	for i := 0; i < len(list) && left >= 0; i++ {
		left = roomAfter(list[i], left)
	}
	return left
}

// Variables returns what the graph keeps beside its elements, by key
// (Graph.variables()).
func (t *Tx) Variables() (*value.Map, error) {
	all := value.NewMap()
	err := t.eachNote(variablePrefix, func(key string, data []byte) error {
		v, err := value.DecodeMsgpack(data)
		if err != nil {
			return corrupt("variable "+key, err)
		}
		all.PutString(key, v)
		return nil
	})
	return all, err
}

// SetVariable sets a variable, or removes it when v is null.
func (t *Tx) SetVariable(key string, v value.Value) error {
	if err := t.writable(); err != nil {
		return err
	}
	if v.IsNull() {
		return t.SetNote(variablePrefix+key, nil)
	}
	if left := roomAfter(v, VariablesMax); left < 0 {
		return errVariables
	}
	data, err := value.AppendMsgpack(nil, v)
	if err != nil {
		return illegalArgument("Graph variable [%s] is of type class %s, which is not supported", v.Brief(), value.JavaClass(v))
	}
	size := len(key) + len(data)
	err = t.eachNote(variablePrefix, func(other string, data []byte) error {
		if other != key {
			size += len(other) + len(data)
		}
		return nil
	})
	if err == nil && size > VariablesMax {
		err = errVariables
	}
	if err != nil {
		return err
	}
	return t.SetNote(variablePrefix+key, data)
}
