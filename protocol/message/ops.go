package message

// Ops and processors.
const (
	OpEval           = "eval"
	OpBytecode       = "bytecode"
	OpAuthentication = "authentication"
	OpClose          = "close"
	// OpChanges is what the metrics call a request for the change feed.
	OpChanges = "changes"

	ProcessorStandard  = ""
	ProcessorTraversal = "traversal"
	ProcessorSession   = "session"
)
