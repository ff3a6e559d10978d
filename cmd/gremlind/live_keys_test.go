package main

import (
	"fmt"
	"strings"
	"testing"
)

// leasts are the numbers below which gremlind set takes none, where 0 is too few.
var leasts = map[string]int{
	"evaluationTimeoutMax": 1, "resultIterationBatchSize": 1, "batchBytes": 1, "responseBytes": 1024, "resultsMax": 1,
	"maxWorkQueueSize": 1, "connections": 1, "connectionsPerAddress": 1, "pingsPerSecond": 1, "sessionTimeout": 1000,
	"transactionTimeout": 1000, "stallTimeout": 1000, "messageTimeout": 1000, "authenticationTimeout": 1000, "sessionMemory": 1024,
}

// TestSet_Least: no live setting takes less than what makes sense, and each takes that.
func TestSet_Least(t *testing.T) {
	for _, key := range liveKeys() {
		least := leasts[key]
		if key == "logLevel" || key == "enableAuditLog" {
			continue // which are no numbers
		}
		c := defaultConfig()
		c.Limits.EvaluationTimeout = 0
		if _, err := c.with(key, fmt.Sprint(least)); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		if least == 0 {
			continue
		}
		if _, err := c.with(key, fmt.Sprint(least-1)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("less than %d", least)) {
			t.Errorf("%s took %d: %v", key, least-1, err)
		}
	}
}
