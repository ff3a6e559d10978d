package quota

import (
	"reflect"
	"testing"
	"time"
)

// TestDefaultLimits: a server that nobody configured is bounded in every respect, and in none so
// tightly that it answers nobody.
func TestDefaultLimits(t *testing.T) {
	unset := map[string]bool{"UserBytes": true, "ConnectionIdle": true, "KeepAlive": true} // 0 says something else
	limits := reflect.ValueOf(DefaultLimits())
	for f, v := range limits.Fields() {
		switch d, isTime := v.Interface().(time.Duration); {
		case unset[f.Name]:
			if !v.IsZero() {
				t.Errorf("%s is %v", f.Name, v)
			}
		case isTime && (d < time.Second || d > 24*time.Hour):
			t.Errorf("%s is %v: want a second at least, and a day at most", f.Name, d)
		case !isTime && v.Int() < 1:
			t.Errorf("%s is %v", f.Name, v)
		}
	}
	for small, large := range map[string]string{
		"BatchBytes": "HeldBytes", "HeldBytes": "ResponseBytes", "MessageBytes": "ConnectionBytes", "ConnectionBytes": "QueryBytes",
		"QueryBytes": "MemoryBytes", "SessionBytes": "MemoryBytes", "LoginBytes": "LoginBytesPerAddress",
		"EvaluationTimeout": "EvaluationTimeoutMax", "TransactionIdle": "SessionIdle", "ConnectionsPerAddress": "Connections",
		"SessionsPerConnection": "SessionsPerUser", "SessionsPerUser": "Sessions", "Running": "Queue",
	} {
		if a, b := limits.FieldByName(small).Int(), limits.FieldByName(large).Int(); a > b {
			t.Errorf("%s is %d, more than %s, which is %d", small, a, large, b)
		}
	}
}
