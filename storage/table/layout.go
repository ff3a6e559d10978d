package table

import "github.com/gremlind/gremlind/storage"

// Layout is what a store is told of the tables: open every store of graphs with it. The
// rows are those of elements and of what they own in reverse indexes; files hold keys of
// one table of one graph.
var Layout = storage.Layout{
	Name:     "gremlind.rows.1",
	Row:      FixedRow,
	Table:    tableOf,
	Describe: Describe,
	Seq:      AppendMeta(nil, StoreGraph, "commit seq"),
	Stamp:    AppendMeta(nil, StoreGraph, "commit stamp"),
}

func tableOf(key []byte) []byte {
	if len(key) < headLen {
		return nil
	}
	return key[:headLen:headLen]
}
