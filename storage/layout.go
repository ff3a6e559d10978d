package storage

import "fmt"

// Layout is all that a store knows of the keys that it holds. It changes no answer, only
// what lies together and how a key is called: reads within one row are cheap, and what a
// transaction read may be widened to rows. The zero Layout is one of keys without rows
// and tables.
//
// Row and Table are part of what is on disk. Whoever changes one of them takes another
// Name, by which a store refuses files that were written with another Layout.
type Layout struct {
	// Name is that of Row and Table together.
	Name string
	// Row returns the beginning of key that all keys of its row have in common, and no
	// others. It is false for a key that is a row by itself.
	Row func(key []byte) (row []byte, ok bool)
	// Table returns the beginning that key has in common with what belongs in the same
	// files, nil for a key that belongs to nothing.
	Table func(key []byte) []byte
	// Describe writes a key as a person reads it, for messages.
	Describe func(key []byte) string
	// Seq is a key of the store's own, for the number of its last commit. Nobody else
	// writes it.
	Seq []byte
	// Stamp is another, for the last Stamp. It is not there while no commit had one.
	Stamp []byte
}

// Or returns the Layout, or one of plain keys when it is the zero value.
func (l Layout) Or() Layout {
	if l.Name != "" {
		return l
	}
	return Layout{
		Name:     "plain.1",
		Row:      func([]byte) ([]byte, bool) { return nil, false },
		Table:    func([]byte) []byte { return nil },
		Describe: func(key []byte) string { return fmt.Sprintf("key %x", key) },
		Seq:      []byte("\x00commit seq"),
		Stamp:    []byte("\x00commit stamp"),
	}
}

// RowOf returns the row of key, which is key itself where rows have no beginning in common.
func (l *Layout) RowOf(key []byte) []byte {
	if row, ok := l.Row(key); ok {
		return row
	}
	return key
}
