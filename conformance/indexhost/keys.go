package indexhost

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// agreeOnKeys compares what a key index finds with what passes.
func agreeOnKeys(tx *blueprints.Tx, c blueprints.ElementClass, key string, all []seen) error {
	look := func(r blueprints.ValueRange, passes func(value.Value) bool) error {
		found, exact, err := findByKey(tx, c, key, r)
		if err == nil {
			err = same(found, exact, all, probe{passes: func(s seen) bool { return has(s, key, passes) }}, "")
		}
		if err != nil {
			return fmt.Errorf("%s key index %s, %+v: %w", c, key, r, err)
		}
		return nil
	}
	for _, v := range SampleValues {
		if err := look(blueprints.ValueRange{Min: v, Max: v, HasMin: true, HasMax: true}, equalTo(v)); err != nil {
			return err
		}
	}
	return look(blueprints.ValueRange{Min: value.Int(0), HasMin: true, MinOpen: true}, positive)
}

func findByKey(tx *blueprints.Tx, c blueprints.ElementClass, key string, r blueprints.ValueRange) (found []uint64, exact bool, err error) {
	if c == blueprints.EdgeClass {
		return edgesIn(tx.LookupEdges(key, r))
	}
	return verticesIn(tx.LookupVertices(key, r))
}

func verticesIn(it blueprints.VertexIterator) (found []uint64, exact bool, err error) {
	defer it.Close()
	buf := make([]blueprints.VertexID, 8)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		for _, v := range buf[:n] {
			found = append(found, uint64(v))
		}
	}
	return found, it.Exact(), it.Err()
}

func edgesIn(it blueprints.EdgeIterator) (found []uint64, exact bool, err error) {
	defer it.Close()
	buf := make([]blueprints.EdgeID, 8)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		for _, e := range buf[:n] {
			found = append(found, uint64(e))
		}
	}
	return found, it.Exact(), it.Err()
}
