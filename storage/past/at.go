package past

import "github.com/gremlind/gremlind/storage"

// At reads the cells of a graph as of a stamp through now, which it does not close. It is for one
// goroutine.
func At(now storage.Reader, graph uint32, at storage.Stamp) storage.Reader {
	return &reader{now: now, graph: graph, at: at}
}
