package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/table"
)

// FoundElement is an element with how well it fits.
type FoundElement = keyindex.Found

// SearchWords returns the elements of an index of words that have all words of a query, those
// that fit best first. What it keeps is charged to a until release is called, also after an
// error.
func (t *Tx) SearchWords(a *account.Account, name, query string) (c ElementClass, found []FoundElement, release func(), err error) {
	release = func() {}
	d, err := t.declaredIndex(name)
	if err != nil {
		return 0, nil, release, err
	}
	switch {
	case d.Kind != keyindex.Text || d.Analyzer != keyindex.Words:
		return 0, nil, release, illegalArgument("Index %s is none of words: make one with analyzer: '%s'", name, keyindex.Words)
	case d.Tables != keyindex.UnicodeTables:
		return 0, nil, release, illegalArgument("Index %s was made with the words of Unicode %s, and this gremlind has %s: drop it and make it again", name, d.Tables, keyindex.UnicodeTables)
	}
	terms, err := keyindex.ParseTerms(query)
	if err != nil {
		return 0, nil, release, illegalArgument("%s", err.Error())
	}
	of, err := t.countOf(d)
	if err != nil {
		return 0, nil, release, err
	}
	t.g.lookups.of(d.Number).Add(1)
	found, release, err = keyindex.SearchWords(a, t.tx, t.g.number, d, terms, of)
	if gone := t.goneOf(d.Class); gone != nil {
		found = slices.DeleteFunc(found, func(f FoundElement) bool { return gone(f.Element) })
	}
	return d.Class, found, release, err
}

// declaredIndex returns a declared index that look-ups may use.
func (t *Tx) declaredIndex(name string) (*IndexDefinition, error) {
	if t.over {
		return nil, storage.ErrClosed
	}
	defs, err := t.definitions()
	if err != nil {
		return nil, err
	}
	d, ok := defs.OfName(name)
	switch {
	case !ok:
		return nil, noIndex(name)
	case d.State != keyindex.Active:
		return nil, illegalArgument("Index %s is %s: it is used once it is %s", name, d.State, keyindex.Active)
	}
	return d, nil
}

// countOf is how many elements an index is about.
func (t *Tx) countOf(d *IndexDefinition) (int64, error) {
	var labels []Symbol
	if d.LabelSymbol != 0 {
		labels = []Symbol{Symbol(d.LabelSymbol)}
	}
	if d.Class == table.EdgeClass {
		return t.EdgeCount(labels...)
	}
	return t.VertexCount(labels...)
}

// goneOf tells which elements of a class were dropped in the transaction; nil for none.
func (t *Tx) goneOf(c ElementClass) func(uint64) bool {
	switch {
	case t.options.ReadOnly:
		return nil
	case c == table.EdgeClass:
		return t.edgeGone
	}
	return t.vertexGone
}
