package blueprints

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// A lineage says whose history a graph has. Versions are of one: a copy that goes on by itself
// gives the same numbers to other commits, so who follows a graph names the lineage too.

// setLineage gives the history of a graph a lineage that no other has.
func setLineage(tx storage.Tx, graph uint32) error {
	b := make([]byte, table.LineageSize)
	_, _ = rand.Read(b) // it does not fail
	return tx.Set(table.LineageKey(graph), b)
}

// Lineage is that of the graph's history, as hexadecimal digits: another one when history begins
// anew, or the graph was restored from a copy.
func (t *Tx) Lineage() (string, error) {
	b, err := t.tx.Snapshot().Get(table.LineageKey(t.g.number))
	if errors.Is(err, storage.ErrNotFound) {
		return "0", nil // it began before there were lineages
	}
	return hex.EncodeToString(b), err
}

// RenewLineages gives the histories of all graphs of a store, which is a copy, a lineage of
// their own.
func RenewLineages(ctx context.Context, s storage.Store) error {
	return renewed(ctx, s, func(tx storage.Tx) error {
		from := table.AppendTable(nil, table.StoreGraph, table.Catalog)
		it := tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
		defer it.Close()
		for it.Next() {
			name, err := table.DecodeCatalog(it.Key())
			if err != nil {
				return err
			}
			entry, _, err := decodeCatalogEntry(name, it.Value())
			if err != nil {
				return err
			}
			if err := renewLineage(tx, entry.Number); err != nil {
				return err
			}
		}
		return it.Err()
	})
}

// renewed commits what fn writes, if that is anything, to a store that nobody else uses.
func renewed(ctx context.Context, s storage.Store, fn func(storage.Tx) error) error {
	tx, err := s.Begin(ctx, storage.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Close()
	if err := fn(tx); err != nil || !tx.Pending() {
		return err
	}
	_, err = tx.Commit(ctx)
	return err
}

// renewLineage gives the history of a graph another lineage, if it has a history.
func renewLineage(tx storage.Tx, graph uint32) error {
	switch _, err := tx.Get(table.FloorKey(graph)); {
	case errors.Is(err, storage.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	return setLineage(tx, graph)
}
