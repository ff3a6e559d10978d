package traversal

// UserLimits bound what a user asks for. Zero is no limit.
type UserLimits struct {
	// EvaluationTimeout, in milliseconds, and QueryMemory, in bytes, are of one request.
	EvaluationTimeout int64 `json:"evaluationTimeout,omitempty" yaml:"evaluationTimeout"`
	QueryMemory       int64 `json:"queryMemory,omitempty" yaml:"queryMemory"`
	// Requests is how many run at once.
	Requests int64 `json:"requests,omitempty" yaml:"requests"`
}

// LimitsNow are the limits that the user has now, nil for none.
func (id *Identity) LimitsNow() *UserLimits {
	if now := id.current(); now != nil && now.Limits != (UserLimits{}) {
		return &now.Limits
	}
	return nil
}
