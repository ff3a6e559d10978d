package services

import (
	"strconv"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// gremlind.version gives {version, time} of the last commit that the traversal sees of a graph
// with history: as of it, the graph is what it is now. The version is text, for a driver of a
// language whose numbers end at 2^53; with('asOf', ...) takes it so.
var lastVersion = &service{name: "gremlind.version", kinds: atStart, call: callVersion}

func callVersion(c traversal.ServiceCall) (traversal.Cursor, error) {
	tx := transactionRead(c)
	if tx == nil {
		return nil, errFiltered
	}
	v, err := tx.LastVersion()
	if err != nil {
		return nil, err
	}
	m := value.NewMapSize(2)
	m.PutString("version", value.String(strconv.FormatUint(uint64(v), 10)))
	m.PutString("time", value.OffsetDateTime(v.Time().UTC()))
	return one(m.Value()), nil
}
