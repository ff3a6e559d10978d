package main

import (
	"fmt"
	"os"

	"github.com/gremlind/gremlind/storage"
)

// faults are what a store counts that should never happen, and what to do then.
var faults = map[string]string{
	"corruptions_total":       "damage found %.0f times: stop the server, run gremlind check, and restore a backup where it finds some",
	"background_errors_total": "%.0f errors of flushes and compactions: the log says which",
	"watermark_errors_total":  "%.0f errors when noting what is durable: the log says which",
}

// faultsOf returns what says what is wrong with a store that serves.
func faultsOf(c *config, s storage.Store) func() []string {
	return func() (list []string) {
		if !c.Memory {
			if _, err := os.Stat(c.DataDir); err != nil {
				list = append(list, "the data directory cannot be found where it was opened: it was moved or removed, and what is written now is lost with it")
			}
		}
		if m, ok := s.(storage.Measured); ok {
			list = append(list, faultsIn(m.Measures())...)
		}
		return list
	}
}

func faultsIn(all []storage.Measure) (list []string) {
	for _, m := range all {
		if text, ok := faults[m.Name]; ok && m.Value > 0 {
			list = append(list, fmt.Sprintf(text, m.Value))
		}
	}
	return list
}
