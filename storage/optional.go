package storage

import "context"

// What not every store can do, or not every caller asks for. A caller looks for it with
// a type assertion and does without where it is missing.

// Checkpointer is a Store that lies in a directory and can be copied into another.
type Checkpointer interface {
	// Checkpoint writes a consistent copy into dir, which must not exist: everything
	// that was committed before the call.
	Checkpoint(ctx context.Context, dir string) error
}

// Ready is a Store that can say whether it takes writes at this time.
type Ready interface {
	// Ready returns why the store refuses writes, nil while it takes them. It is cheap
	// enough to be asked every second.
	Ready() error
}

// Compacter is a Store that merges what it has written when somebody asks for it.
type Compacter interface {
	// Compact writes the keys in [from, to) anew, without what was removed or overwritten and
	// no open snapshot reads. Until it is done that takes as much room again. Reads and writes
	// go on meanwhile. It is ErrReadOnly when the disk is nearly full, and ends with ctx, with
	// what is merged by then.
	Compact(ctx context.Context, from, to []byte) error
}

// Measured is a Store that tells numbers about itself.
type Measured interface {
	// Measures returns one picture of all of them, always the same ones in the same
	// order. It is cheap enough to be asked every second.
	Measures() []Measure
}

// Measure is one number about a store, as a monitoring system shows it.
type Measure struct {
	Name    string // in lower case, with its unit: disk_bytes
	Help    string // a sentence
	Counter bool   // it only grows while the process runs
	Value   float64
}
