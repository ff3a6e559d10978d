package blueprints

import "context"

// BulkLoad is load.Graph, which tests of this package cannot import; TestMain sets it.
var BulkLoad func(ctx context.Context, g *Graph, fill func(RecordSink) error) error
