package services

import (
	"strconv"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// gremlind.version gives {version, time} of the last commit that the traversal sees of a graph
// with history: as of it, the graph is what it is now. with('asOf', ...) takes that version.
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
	m.PutString("version", versionText(v))
	m.PutString("time", value.OffsetDateTime(v.Time().UTC()))
	return one(m.Value()), nil
}

// versionText is how services tell a version: as its digits, for there are drivers whose numbers
// are exact to 2^53 alone, and the nearest such number is the version of another commit.
func versionText(v storage.Stamp) value.Value {
	return value.String(strconv.FormatUint(uint64(v), 10))
}
