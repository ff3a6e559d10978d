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
	data, err := value.AppendMsgpack(nil, v)
	if err != nil {
		return illegalArgument("Graph variable [%s] is of type class %s, which is not supported", v.JavaString(), value.JavaClass(v))
	}
	size := len(key) + len(data)
	err = t.eachNote(variablePrefix, func(other string, data []byte) error {
		if other != key {
			size += len(other) + len(data)
		}
		return nil
	})
	if err == nil && size > VariablesMax {
		err = fmt.Errorf("%w: the variables of a graph take at most %d bytes", storage.ErrTooLarge, VariablesMax)
	}
	if err != nil {
		return err
	}
	return t.SetNote(variablePrefix+key, data)
}
