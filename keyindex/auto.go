package keyindex

import (
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// An index of every key of a class: a mark in place of a definition, with no key. While it is
// there, whoever writes a property of a key without an index writes the index's definition,
// too. It is ACTIVE at once: were there a value of the key, there would be a definition. Such
// definitions are written by SetSame and leave the version alone, for those who do not know
// them yet keep to them all the same; so two who write a new key do not conflict.

func mark(c table.Class) Definition { return Definition{Class: c, State: Active} }

var classes = [...]table.Class{table.VertexClass, table.EdgeClass}

// MarkAll makes it so that every key has an index from the commit on, or no longer by itself.
// Keys that are there have to have theirs.
func MarkAll(tx storage.Tx, graph uint32, on bool) error {
	for _, c := range classes {
		if !on {
			if err := tx.Delete(definitionKey(graph, mark(c))); err != nil {
				return err
			}
			continue
		}
		if err := store(tx, graph, mark(c), false); err != nil {
			return err
		}
	}
	return touchVersion(tx, graph)
}

// AllMarked reports whether every key has an index.
func AllMarked(r storage.Reader, graph uint32) (bool, error) {
	return has(r, definitionKey(graph, mark(table.VertexClass)))
}

// Every reports whether every key of a class has an index, or gets it with its first value.
func (d *Definitions) Every(c table.Class) bool { return d.every[slot(c)] }

// DefineNew writes the definition of the index of a key that nobody has a value of, in a graph
// in which every key has one.
func DefineNew(tx storage.Tx, graph uint32, c table.Class, key string, symbol uint32) error {
	d := Definition{Name: key, Class: c, Symbol: symbol, State: Active}
	b, err := d.encode()
	if err != nil {
		return err
	}
	return tx.SetSame(definitionKey(graph, d), b)
}

// GuardKey makes a transaction conflict with one that gives a key its index meanwhile.
func GuardKey(tx storage.Tx, graph uint32, c table.Class, key string) {
	tx.Guard(definitionKey(graph, Definition{Name: key, Class: c}))
}
