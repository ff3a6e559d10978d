package blueprints

import (
	"context"
	"errors"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// TableBytes is about how many bytes a table of a graph takes on disk.
type TableBytes struct {
	Table string `json:"table"`
	Bytes int64  `json:"bytes"`
}

// TableBytes returns the tables of the graph that take something on disk, in the order of keys.
// What only the log has yet counts nowhere.
func (g *Graph) TableBytes() ([]TableBytes, error) {
	var list []TableBytes
	for _, c := range table.Codes() {
		n, err := g.diskBytes(table.AppendTable(nil, g.number, c))
		if err != nil {
			return nil, err
		}
		if n > 0 {
			list = append(list, TableBytes{c.String(), n})
		}
	}
	return list, nil
}

// ErrNoCompaction is returned by Compact where the store has nothing to merge.
var ErrNoCompaction = errors.New("the store keeps nothing on disk that could be merged")

// Compact merges what the store has of the graph, so that what was removed or overwritten
// takes no room any more.
func (g *Graph) Compact(ctx context.Context) error {
	s, ok := g.store.(storage.Compacter)
	if !ok {
		return ErrNoCompaction
	}
	from := table.AppendGraph(nil, g.number)
	return s.Compact(ctx, from, table.PrefixEnd(nil, from))
}
