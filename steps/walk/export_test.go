package walk

import "github.com/gremlind/gremlind/blueprints"

// At returns how many walkers stand at a vertex, and whether any do.
func (f *Frontier) At(v blueprints.VertexID) (int64, bool) { return f.here.Get(uint64(v)) }
