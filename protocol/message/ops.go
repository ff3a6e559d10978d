package message

// Ops and processors.
const (
	OpEval           = "eval"
	OpBytecode       = "bytecode"
	OpAuthentication = "authentication"
	OpClose          = "close"

	ProcessorStandard  = ""
	ProcessorTraversal = "traversal"
	ProcessorSession   = "session"
)
